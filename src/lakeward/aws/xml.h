#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "lakeward/base/status.h"

namespace lakeward::aws {

/// An element of the small XML documents that AWS services answer with.
struct XmlElement {
  std::string name;  ///< without namespace prefix
  std::string text;  ///< all text directly inside, as it stands
  std::vector<XmlElement> children;

  /// The first child of the name; null when there is none.
  const XmlElement* Find(std::string_view child_name) const;
  /// Its text; empty when there is none.
  std::string_view TextOf(std::string_view child_name) const;
};

/// The root element. kCorruptData when the text is no XML. Entities other than the five of XML and
/// character numbers are not expanded.
Result<XmlElement> ParseXml(std::string_view text);

/// Escaped for use as text of an element.
std::string EscapeXml(std::string_view text);

}  // namespace lakeward::aws
