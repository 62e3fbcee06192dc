// Writes the JSON lines of the benchmarks; see json_rows.h.

#include <cstdio>
#include <cstdlib>
#include <string>

#include "CLI/CLI.hpp"
#include "json_rows.h"

int main(int argc, char** argv) {
  CLI::App app{"Writes JSON lines for benchmarks: 8 columns, about 155 bytes a row"};
  int64_t rows = -1;
  uint64_t bytes = 0;
  uint64_t seed = 42;
  std::string path;
  app.add_option("--rows", rows, "How many rows");
  app.add_option("--bytes", bytes, "How many bytes at least, for example 1GB")
      ->transform(CLI::AsSizeValue(true));
  app.add_option("--seed", seed, "Another seed gives other rows");
  app.add_option("--output", path, "The file; standard output when absent");
  CLI11_PARSE(app, argc, argv);
  if ((rows < 0) == (bytes == 0)) {
    std::fprintf(stderr, "Give either --rows or --bytes.\n");
    return 2;
  }
  std::FILE* file = path.empty() ? stdout : std::fopen(path.c_str(), "wb");
  if (file == nullptr) {
    std::perror(path.c_str());
    return 1;
  }
  lakeward::bench::JsonRows source(seed);
  std::string buffer;
  uint64_t written = 0;
  bool failed = false;
  for (int64_t row = 0; !failed && (rows < 0 ? written + buffer.size() < bytes : row < rows);
       ++row) {
    source.AppendRow(&buffer);
    if (buffer.size() >= 1 << 20) {
      failed = std::fwrite(buffer.data(), 1, buffer.size(), file) != buffer.size();
      written += buffer.size();
      buffer.clear();
    }
  }
  failed = failed || std::fwrite(buffer.data(), 1, buffer.size(), file) != buffer.size();
  if (std::fclose(file) != 0 || failed) {
    std::perror(path.c_str());
    return 1;
  }
  return 0;
}
