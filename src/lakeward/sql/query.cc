#include "lakeward/sql/query.h"

#include <algorithm>

namespace lakeward::sql {

std::vector<const JoinTable*> LeftSpine(const JoinTable& top) {
  std::vector<const JoinTable*> spine;
  for (const JoinTable* node = &top; node != nullptr; node = node->left->AsIf<JoinTable>()) {
    spine.push_back(node);
  }
  std::reverse(spine.begin(), spine.end());
  return spine;
}

std::vector<const SetOperationQuery*> LeftSpine(const SetOperationQuery& top) {
  std::vector<const SetOperationQuery*> spine{&top};
  while (const auto* left = spine.back()->left->AsIf<SetOperationQuery>()) {
    if (!left->with.empty() || !left->order_by.empty() || left->limit != nullptr ||
        left->offset != nullptr) {
      break;
    }
    spine.push_back(left);
  }
  std::reverse(spine.begin(), spine.end());
  return spine;
}

}  // namespace lakeward::sql
