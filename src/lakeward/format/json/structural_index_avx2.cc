#include "lakeward/format/json/structural_indexer.h"

#if defined(__x86_64__)

#include <bit>
#include <cstring>

#include <immintrin.h>

// After the includes: what they define must stay fit for every processor.
#if !defined(__clang__)
#pragma GCC push_options
#pragma GCC target("avx2,bmi,bmi2,lzcnt,popcnt")
#endif

namespace lakeward::format {

namespace {

uint64_t MaskOf(__m256i bytes) {
  return static_cast<uint64_t>(static_cast<uint32_t>(_mm256_movemask_epi8(bytes)));
}

Classes Classify(const char* p) {
  Classes classes;
  for (int i = 0; i < 2; ++i) {
    const __m256i bytes = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p + 32 * i));
    const __m256i folded = _mm256_or_si256(bytes, _mm256_set1_epi8(0x20));
    const __m256i brackets = _mm256_or_si256(_mm256_cmpeq_epi8(folded, _mm256_set1_epi8('{')),
                                             _mm256_cmpeq_epi8(folded, _mm256_set1_epi8('}')));
    const __m256i separators = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(':')),
                                               _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(',')));
    const __m256i blanks = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(' ')),
                                           _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\n')));
    const __m256i others = _mm256_or_si256(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\t')),
                                           _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\r')));
    const __m256i control =
        _mm256_cmpeq_epi8(_mm256_min_epu8(bytes, _mm256_set1_epi8(0x1F)), bytes);
    const int shift = 32 * i;
    classes.quote |= MaskOf(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('"'))) << shift;
    classes.backslash |= MaskOf(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\\'))) << shift;
    classes.punctuation |= MaskOf(_mm256_or_si256(brackets, separators)) << shift;
    classes.space |= MaskOf(_mm256_or_si256(blanks, others)) << shift;
    classes.control |= MaskOf(control) << shift;
    classes.non_ascii |= MaskOf(bytes) << shift;
  }
  return classes;
}

#include "lakeward/format/json/structural_indexer.inc"

}  // namespace

IndexResult IndexTextWithAvx2(const char* text, size_t length, uint32_t* out) {
  return IndexText(text, length, out);
}

}  // namespace lakeward::format

#if !defined(__clang__)
#pragma GCC pop_options
#endif

#endif
