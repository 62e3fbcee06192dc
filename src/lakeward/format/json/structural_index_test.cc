#include "lakeward/format/json/structural_index.h"

#include <random>
#include <string>

#include "gtest/gtest.h"

namespace lakeward::format {
namespace {

/// The tokens of a text, found one character at a time.
struct Expected {
  std::vector<uint32_t> positions;
  bool has_control = false;
  bool is_in_string = false;
};

Expected IndexSlowly(const std::string& text) {
  Expected expected;
  bool in_string = false;
  bool in_scalar = false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string) {
      expected.has_control |= static_cast<unsigned char>(c) < 0x20;
      if (c == '\\') {
        ++i;
        expected.has_control |= i < text.size() && static_cast<unsigned char>(text[i]) < 0x20;
      } else if (c == '"') {
        in_string = false;
      }
      continue;
    }
    if (std::string("{}[]:,").find(c) != std::string::npos) {
      expected.positions.push_back(static_cast<uint32_t>(i));
      in_scalar = false;
    } else if (c == '"') {
      if (!in_scalar) {
        expected.positions.push_back(static_cast<uint32_t>(i));
      }
      in_string = true;
      in_scalar = false;
    } else if (std::string(" \t\n\r").find(c) != std::string::npos) {
      in_scalar = false;
    } else {
      if (!in_scalar) {
        expected.positions.push_back(static_cast<uint32_t>(i));
      }
      in_scalar = true;
      if (c == '\\') {
        ++i;  // outside a string it is an error anyway
        return {};
      }
    }
  }
  expected.is_in_string = in_string;
  return expected;
}

TEST(StructuralIndex, FindsWhatASlowPassFinds) {
  std::mt19937 random(1);
  const std::string letters = "\"\"\"\\\\{}[]:,,  \nab1\t-";
  StructuralIndex index;
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random() % 300, ' ');
    bool in_string = false;
    for (size_t i = 0; i < text.size(); ++i) {
      char c = letters[random() % letters.size()];
      if (c == '\\' && !in_string) {
        c = 'x';
      }
      if (c == '\\' && i + 1 < text.size()) {
        text[i++] = c;
        c = letters[random() % letters.size()];
      } else if (c == '"') {
        in_string = !in_string;
      }
      text[i] = c;
    }
    const Expected expected = IndexSlowly(text);
    if (!text.empty() && expected.positions.empty()) {
      continue;
    }
    text.append(StructuralIndex::kPadding, '"');
    const StructuralIndex::Outcome outcome =
        index.Index(text.data(), text.size() - StructuralIndex::kPadding);
    const StructuralIndex::Outcome wanted =
        expected.has_control    ? StructuralIndex::Outcome::kControlCharacter
        : expected.is_in_string ? StructuralIndex::Outcome::kUnclosedString
                                : StructuralIndex::Outcome::kOk;
    ASSERT_EQ(outcome, wanted) << text;
    ASSERT_EQ(std::vector<uint32_t>(index.positions(), index.positions() + index.count()),
              expected.positions)
        << text;
    EXPECT_EQ(index.positions()[index.count()], text.size() - StructuralIndex::kPadding);
  }
}

TEST(StructuralIndex, RefusesInvalidUtf8) {
  StructuralIndex index;
  for (const char* bad : {"\"\xFF\"", "\"\xC3\"", "\"\xED\xA0\x80\"", "\"\xF5\x80\x80\x80\""}) {
    std::string text(bad);
    const size_t size = text.size();
    text.append(StructuralIndex::kPadding, ' ');
    EXPECT_EQ(index.Index(text.data(), size), StructuralIndex::Outcome::kInvalidUtf8);
  }
  std::string good = "\"é😀\"";
  const size_t size = good.size();
  good.append(StructuralIndex::kPadding, ' ');
  EXPECT_EQ(index.Index(good.data(), size), StructuralIndex::Outcome::kOk);
}

}  // namespace
}  // namespace lakeward::format
