#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <string_view>

namespace lakeward::format {

/// A growing text whose unused room is not cleared. One thread at a time.
class TextBuffer {
 public:
  const char* data() const { return bytes_.get(); }
  size_t size() const { return size_; }
  std::string_view view() const { return {bytes_.get(), size_}; }
  void clear() { size_ = 0; }

  /// A place for `size` bytes; Advance tells where what was written there ends.
  char* Room(size_t size) {
    if (capacity_ - size_ < size) [[unlikely]] {
      Grow(size_ + size);
    }
    return bytes_.get() + size_;
  }
  void Advance(const char* end) { size_ = static_cast<size_t>(end - bytes_.get()); }

  void Append(std::string_view bytes) {
    char* out = Room(bytes.size());
    std::memcpy(out, bytes.data(), bytes.size());
    size_ += bytes.size();
  }
  void Append(char c) {
    *Room(1) = c;
    ++size_;
  }

 private:
  void Grow(size_t size) {
    const size_t capacity = std::max({size, 2 * capacity_, size_t{4096}});
    std::unique_ptr<char[]> bytes(new char[capacity]);
    if (size_ > 0) {
      std::memcpy(bytes.get(), bytes_.get(), size_);
    }
    bytes_ = std::move(bytes);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  size_t size_ = 0;
  size_t capacity_ = 0;
};

}  // namespace lakeward::format
