#include "lakeward/format/parquet/parquet_error.h"

#include <exception>
#include <new>

#include "parquet/exception.h"

namespace lakeward::format {

namespace {

Status MakeParquetError(ErrorKind kind, const std::string& what, const std::string& cause) {
  // Parquet C++ has no code for it: "no decryption found …", "FileDecryption is not set up …".
  if (cause.find("ecrypt") != std::string::npos) {
    return MakeError(ErrorKind::kUnsupported,
                     what + ": the Parquet file is encrypted (" + cause + ")",
                     "Encrypted files are not supported; write the file without encryption.");
  }
  if (kind != ErrorKind::kCorruptData) {
    return MakeError(kind, what + ": " + cause);
  }
  return MakeError(kind, what + ": the Parquet file cannot be read: " + cause,
                   "Restore the file from a copy or write it again.");
}

}  // namespace

Status StatusOfParquetStatus(const Status& status, ErrorKind kind, const std::string& what) {
  // Parquet's own errors carry no detail, those of file systems do.
  if (status.detail() != nullptr || status.IsOutOfMemory() || status.IsCancelled()) {
    return WithContext(status, what);
  }
  return MakeParquetError(kind, what, status.message());
}

Status StatusOfParquetException(ErrorKind kind, const std::string& what) {
  try {
    throw;
  } catch (const ::parquet::ParquetStatusException& error) {
    return StatusOfParquetStatus(error.status(), kind, what);
  } catch (const std::bad_alloc&) {
    return MakeParquetError(kind, what, "it asks for more memory than there is");
  } catch (const std::exception& error) {
    return MakeParquetError(kind, what, error.what());
  }
}

}  // namespace lakeward::format
