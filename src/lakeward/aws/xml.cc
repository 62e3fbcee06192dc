#include "lakeward/aws/xml.h"

#include <pugixml.hpp>

#include "fmt/format.h"

namespace lakeward::aws {
namespace {

constexpr int kDepthMax = 32;

std::string_view LocalName(const char* name) {
  const std::string_view whole(name);
  const size_t colon = whole.rfind(':');
  return colon == std::string_view::npos ? whole : whole.substr(colon + 1);
}

void Copy(const pugi::xml_node& node, int depth, XmlElement* element) {
  element->name = LocalName(node.name());
  for (const pugi::xml_node child : node.children()) {
    if (child.type() == pugi::node_pcdata || child.type() == pugi::node_cdata) {
      element->text += child.value();
    } else if (child.type() == pugi::node_element && depth < kDepthMax) {
      Copy(child, depth + 1, &element->children.emplace_back());
    }
  }
}

}  // namespace

const XmlElement* XmlElement::Find(std::string_view child_name) const {
  for (const XmlElement& child : children) {
    if (child.name == child_name) {
      return &child;
    }
  }
  return nullptr;
}

std::string_view XmlElement::TextOf(std::string_view child_name) const {
  const XmlElement* child = Find(child_name);
  return child == nullptr ? std::string_view() : std::string_view(child->text);
}

Result<XmlElement> ParseXml(std::string_view text) {
  pugi::xml_document document;
  const pugi::xml_parse_result result = document.load_buffer(
      text.data(), text.size(),
      pugi::parse_cdata | pugi::parse_escapes | pugi::parse_ws_pcdata_single, pugi::encoding_utf8);
  if (!result || document.document_element().empty()) {
    return MakeError(ErrorKind::kCorruptData, fmt::format("An answer is no XML: {} at byte {}",
                                                          result.description(), result.offset));
  }
  XmlElement root;
  Copy(document.document_element(), 0, &root);
  return root;
}

std::string EscapeXml(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\r':
      case '\n':
      case '\t':
        escaped += fmt::format("&#{};", static_cast<int>(c));
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

}  // namespace lakeward::aws
