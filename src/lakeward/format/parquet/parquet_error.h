#pragma once

#include <string>
#include <type_traits>
#include <utility>

#include "lakeward/base/status.h"

namespace lakeward::format {

/// The Status for the exception being handled (call in a catch block only): a Status that travelled
/// in a Parquet exception keeps its kind when Lakeward gave it one, everything else is `kind`.
/// `what` names the file.
Status StatusOfParquetException(ErrorKind kind, const std::string& what);

/// A Status of Arrow's Parquet code about a file: kept when Lakeward made it (storage failed), else
/// `kind` with the file's name and a remedy.
Status StatusOfParquetStatus(const Status& status, ErrorKind kind, const std::string& what);

/// Calls `body`, which may throw what Parquet throws.
template <typename Body>
auto CatchParquet(ErrorKind kind, const std::string& what, Body&& body) -> decltype(body()) {
  try {
    auto result = body();
    if (result.ok()) {
      return result;
    }
    if constexpr (std::is_same_v<decltype(body()), Status>) {
      return StatusOfParquetStatus(result, kind, what);
    } else {
      return StatusOfParquetStatus(result.status(), kind, what);
    }
  } catch (...) {
    return StatusOfParquetException(kind, what);
  }
}

}  // namespace lakeward::format
