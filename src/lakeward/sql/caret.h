#pragma once

#include <string>
#include <string_view>

#include "lakeward/base/status.h"

namespace lakeward::sql {

/// The line of `text` that holds `position` and below it a line with a caret under the position's
/// character, for example "SELECT a FORM t\n         ^". Tabs are kept in both lines and wide
/// characters count twice, so that the caret stands right on a terminal. A long line is shown in
/// part, with "…". Empty when the position lies outside of `text`.
std::string RenderCaret(std::string_view text, SqlPosition position);

/// `error` with the position's source line and caret behind its message, for errors that have a
/// position in `text`; the same error when it has none.
Status WithCaret(const Status& error, std::string_view text);

/// "SQL syntax error at line 2, column 8".
std::string PlaceOf(SqlPosition position);

}  // namespace lakeward::sql
