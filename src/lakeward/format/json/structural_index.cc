#include "lakeward/format/json/structural_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "arrow/util/utf8.h"
#include "lakeward/format/json/structural_indexer.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lakeward::format {

namespace {

#if defined(__SSE2__)

uint64_t MaskOf(__m128i bytes) {
  return static_cast<uint64_t>(static_cast<uint32_t>(_mm_movemask_epi8(bytes)));
}

Classes Classify(const char* p) {
  Classes classes;
  for (int i = 0; i < 4; ++i) {
    const __m128i bytes = _mm_loadu_si128(reinterpret_cast<const __m128i*>(p + 16 * i));
    const auto equals = [&](char c) { return _mm_cmpeq_epi8(bytes, _mm_set1_epi8(c)); };
    // '[' and '{' differ from one another only in the bit 0x20, and so do ']' and '}'.
    const __m128i folded = _mm_or_si128(bytes, _mm_set1_epi8(0x20));
    const __m128i brackets = _mm_or_si128(_mm_cmpeq_epi8(folded, _mm_set1_epi8('{')),
                                          _mm_cmpeq_epi8(folded, _mm_set1_epi8('}')));
    const __m128i punctuation = _mm_or_si128(brackets, _mm_or_si128(equals(':'), equals(',')));
    const __m128i space = _mm_or_si128(_mm_or_si128(equals(' '), equals('\n')),
                                       _mm_or_si128(equals('\t'), equals('\r')));
    const __m128i control = _mm_cmpeq_epi8(_mm_min_epu8(bytes, _mm_set1_epi8(0x1F)), bytes);
    const int shift = 16 * i;
    classes.quote |= MaskOf(equals('"')) << shift;
    classes.backslash |= MaskOf(equals('\\')) << shift;
    classes.punctuation |= MaskOf(punctuation) << shift;
    classes.space |= MaskOf(space) << shift;
    classes.control |= MaskOf(control) << shift;
    classes.non_ascii |= MaskOf(bytes) << shift;
  }
  return classes;
}

#else

enum ByteClass : uint8_t {
  kQuote = 1,
  kBackslash = 2,
  kPunctuation = 4,
  kSpace = 8,
  kControl = 16,
  kNonAscii = 32,
};

constexpr std::array<uint8_t, 256> MakeByteClasses() {
  std::array<uint8_t, 256> classes{};
  for (size_t i = 0; i < 0x20; ++i) {
    classes[i] = kControl;
  }
  for (size_t i = 0x80; i < 256; ++i) {
    classes[i] = kNonAscii;
  }
  for (const char c : {'{', '}', '[', ']', ':', ','}) {
    classes[static_cast<unsigned char>(c)] = kPunctuation;
  }
  for (const char c : {' ', '\n', '\t', '\r'}) {
    classes[static_cast<unsigned char>(c)] |= kSpace;
  }
  classes['"'] = kQuote;
  classes['\\'] = kBackslash;
  return classes;
}

Classes Classify(const char* p) {
  static constexpr std::array<uint8_t, 256> kByteClasses = MakeByteClasses();
  Classes classes;
  for (size_t i = 0; i < kIndexBlock; ++i) {
    const uint64_t byte_class = kByteClasses[static_cast<unsigned char>(p[i])];
    classes.quote |= (byte_class & 1) << i;
    classes.backslash |= (byte_class >> 1 & 1) << i;
    classes.punctuation |= (byte_class >> 2 & 1) << i;
    classes.space |= (byte_class >> 3 & 1) << i;
    classes.control |= (byte_class >> 4 & 1) << i;
    classes.non_ascii |= (byte_class >> 5 & 1) << i;
  }
  return classes;
}

#endif

#include "lakeward/format/json/structural_indexer.inc"

IndexResult IndexFast(const char* text, size_t length, uint32_t* out) {
#if defined(__x86_64__)
  static const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi") &&
                               __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("popcnt");
  if (has_avx2) {
    return IndexTextWithAvx2(text, length, out);
  }
#endif
  return IndexText(text, length, out);
}

}  // namespace

StructuralIndex::Outcome StructuralIndex::Index(const char* text, size_t length) {
  if (storage_ == nullptr || capacity_ < length) {
    capacity_ = std::max<size_t>(length + length / 8, 4096);
    storage_.reset(new uint32_t[capacity_ + 2 * kIndexBlock]);
  }
  const IndexResult result = IndexFast(text, length, storage_.get());
  count_ = result.count;
  storage_[count_] = static_cast<uint32_t>(length);
  storage_[count_ + 1] = static_cast<uint32_t>(length);
  positions_ = storage_.get();
  if (result.has_non_ascii) {
    arrow::util::InitializeUTF8();
    if (!arrow::util::ValidateUTF8(reinterpret_cast<const uint8_t*>(text),
                                   static_cast<int64_t>(length))) {
      return Outcome::kInvalidUtf8;
    }
  }
  if (result.has_control) {
    return Outcome::kControlCharacter;
  }
  return result.is_in_string ? Outcome::kUnclosedString : Outcome::kOk;
}

}  // namespace lakeward::format
