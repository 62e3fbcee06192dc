#pragma once

#include <string>

namespace lakeward::session {

/// The reference documents as Markdown, written from the declarations of the program itself, so
/// that they cannot tell anything else than it does. `lakeward reference` prints them; a test holds
/// the files in docs/ against them.

/// docs/configuration.md: every setting that there is.
std::string SettingsReference();

/// docs/connectors.md: every connector and its options.
std::string ConnectorsReference();

/// docs/sql/functions.md: every function, with its example.
std::string FunctionsReference();

}  // namespace lakeward::session
