#include "lakeward/format/json/structural_index.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "arrow/util/utf8.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace lakeward::format {

namespace {

constexpr size_t kBlock = 64;

/// What 64 bytes are, one bit each.
struct Classes {
  uint64_t quote = 0;
  uint64_t backslash = 0;
  uint64_t punctuation = 0;  ///< braces, brackets, colon, comma
  uint64_t space = 0;
  uint64_t control = 0;  ///< below 0x20
  uint64_t non_ascii = 0;
};

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
  for (size_t i = 0; i < kBlock; ++i) {
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

/// Each bit becomes the parity of the bits up to and with it: from quotes to what they enclose.
uint64_t PrefixXor(uint64_t bits) {
  bits ^= bits << 1;
  bits ^= bits << 2;
  bits ^= bits << 4;
  bits ^= bits << 8;
  bits ^= bits << 16;
  return bits ^ bits << 32;
}

/// Goes through a text block by block, carrying over what reaches across.
class Indexer {
 public:
  explicit Indexer(uint32_t* out) : begin_(out), out_(out) {}

  void Add(const char* block, uint32_t offset) {
    const Classes classes = Classify(block);
    const uint64_t quote = classes.quote & ~FindEscaped(classes.backslash);
    // From each opening quote to just before the closing one.
    const uint64_t in_string = PrefixXor(quote) ^ in_string_before_;
    in_string_before_ = static_cast<uint64_t>(static_cast<int64_t>(in_string) >> 63);
    control_ |= classes.control & in_string;
    non_ascii_ |= classes.non_ascii;

    const uint64_t scalar = ~(classes.punctuation | classes.space);
    const uint64_t unquoted_scalar = scalar & ~quote;
    const uint64_t follows_scalar = unquoted_scalar << 1 | scalar_before_;
    scalar_before_ = unquoted_scalar >> 63;
    const uint64_t starts = classes.punctuation | (scalar & ~follows_scalar);
    Write(starts & ~(in_string ^ quote), offset);
  }

  size_t count() const { return static_cast<size_t>(out_ - begin_); }
  bool has_control() const { return control_ != 0; }
  bool has_non_ascii() const { return non_ascii_ != 0; }
  bool is_in_string() const { return in_string_before_ != 0; }

 private:
  /// Which bytes follow an odd run of backslashes.
  uint64_t FindEscaped(uint64_t backslash) {
    if (backslash == 0) {
      const uint64_t escaped = escaped_before_;
      escaped_before_ = 0;
      return escaped;
    }
    constexpr uint64_t kEven = 0x5555555555555555;
    backslash &= ~escaped_before_;
    const uint64_t follows = backslash << 1 | escaped_before_;
    const uint64_t odd_starts = backslash & ~kEven & ~follows;
    const uint64_t sum = odd_starts + backslash;
    escaped_before_ = sum < odd_starts ? 1 : 0;
    return (kEven ^ sum << 1) & follows;
  }

  /// Eight at a time whether there are so many or not, so that the number of bits is not guessed
  /// wrong once per block.
  void Write(uint64_t bits, uint32_t offset) {
    uint32_t* const end = out_ + std::popcount(bits);
    uint32_t* out = out_;
    do {
      for (int i = 0; i < 8; ++i) {
        *out++ = offset + static_cast<uint32_t>(std::countr_zero(bits));
        bits &= bits - 1;
      }
    } while (bits != 0);
    out_ = end;
  }

  uint32_t* begin_;
  uint32_t* out_;
  uint64_t escaped_before_ = 0;
  uint64_t in_string_before_ = 0;
  uint64_t scalar_before_ = 0;
  uint64_t control_ = 0;
  uint64_t non_ascii_ = 0;
};

}  // namespace

StructuralIndex::Outcome StructuralIndex::Index(const char* text, size_t length) {
  if (storage_ == nullptr || capacity_ < length) {
    capacity_ = std::max<size_t>(length + length / 8, 4096);
    storage_.reset(new uint32_t[capacity_ + 2 * kBlock]);
  }
  Indexer indexer(storage_.get());
  size_t offset = 0;
  for (; offset + kBlock <= length; offset += kBlock) {
    indexer.Add(text + offset, static_cast<uint32_t>(offset));
  }
  if (offset < length) {
    char last[kBlock];
    std::memset(last, ' ', kBlock);
    std::memcpy(last, text + offset, length - offset);
    indexer.Add(last, static_cast<uint32_t>(offset));
  }
  count_ = indexer.count();
  storage_[count_] = static_cast<uint32_t>(length);
  storage_[count_ + 1] = static_cast<uint32_t>(length);
  positions_ = storage_.get();
  if (indexer.has_non_ascii()) {
    arrow::util::InitializeUTF8();
    if (!arrow::util::ValidateUTF8(reinterpret_cast<const uint8_t*>(text),
                                   static_cast<int64_t>(length))) {
      return Outcome::kInvalidUtf8;
    }
  }
  if (indexer.has_control()) {
    return Outcome::kControlCharacter;
  }
  return indexer.is_in_string() ? Outcome::kUnclosedString : Outcome::kOk;
}

}  // namespace lakeward::format
