#pragma once

#include <memory>
#include <string>

#include "arrow/io/interfaces.h"
#include "lakeward/base/executor.h"
#include "lakeward/fs/s3/s3_client.h"

namespace lakeward::fs {

/// Opens an object for reading with one request, which brings its first 64 KiB. A reader that goes
/// through it piece by piece gets what follows read ahead by the executor; a large read is split
/// among its threads. Reads fail (kIo) once the object has been replaced or removed, unless what
/// they want is here already. `path` is for errors.
Result<std::shared_ptr<arrow::io::RandomAccessFile>> OpenS3Input(std::shared_ptr<S3Client> client,
                                                                 std::shared_ptr<Executor> executor,
                                                                 const std::string& key,
                                                                 const std::string& path);

}  // namespace lakeward::fs
