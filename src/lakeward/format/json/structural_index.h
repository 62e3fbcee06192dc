#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace lakeward::format {

/// Where the tokens of a JSON text begin: every brace, bracket, colon and comma outside strings and
/// the first byte of every string, number and literal, in order. Found 64 bytes at a time by bit
/// masks, as Langdale and Lemire describe it ("Parsing Gigabytes of JSON per Second", 2019, section
/// 3.1). Reused from text to text. One thread at a time.
class StructuralIndex {
 public:
  /// Texts must be readable this far beyond their end.
  static constexpr size_t kPadding = 64;

  enum class Outcome : uint8_t {
    kOk,
    kInvalidUtf8,
    kControlCharacter,  ///< a byte below 0x20 inside a string
    kUnclosedString,
  };

  /// Indexes `length` bytes (less than 4 GiB). Valid UTF-8 is a condition of kOk.
  Outcome Index(const char* text, size_t length);

  /// Offsets into the text, valid until the next call. Two more entries than count() may be read;
  /// they are the text's length.
  const uint32_t* positions() const { return positions_; }
  size_t count() const { return count_; }

 private:
  std::unique_ptr<uint32_t[]> storage_;
  size_t capacity_ = 0;
  const uint32_t* positions_ = nullptr;
  size_t count_ = 0;
};

}  // namespace lakeward::format
