#include "lakeward/sql/node.h"

namespace lakeward::sql {

std::string QualifiedName::ToString() const {
  std::string text;
  for (const Identifier& part : parts) {
    text += text.empty() ? "" : ".";
    text += part.text;
  }
  return text;
}

std::vector<std::string> QualifiedName::Texts() const {
  std::vector<std::string> texts;
  for (const Identifier& part : parts) {
    texts.push_back(part.text);
  }
  return texts;
}

namespace internal {

void NodeDeleter::operator()(Node* node) const {
  // Deleting a node deletes its operands, which come here again: they wait in the outermost call's
  // list instead of nesting.
  thread_local std::vector<Node*>* waiting = nullptr;
  if (waiting != nullptr) {
    waiting->push_back(node);
    return;
  }
  std::vector<Node*> list{node};
  waiting = &list;
  while (!list.empty()) {
    Node* next = list.back();
    list.pop_back();
    delete next;
  }
  waiting = nullptr;
}

}  // namespace internal
}  // namespace lakeward::sql
