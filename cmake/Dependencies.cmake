# Third-party libraries. docs/dependencies.md says why each one is here and which version is pinned.

# Arrow and Parquet C++: headers and shared libraries of the pyarrow wheel, unpacked by ./dev.
set(LAKEWARD_ARROW_ROOT "$ENV{HOME}/.cache/lakeward/pyarrow-26.0.1/pyarrow"
    CACHE PATH "Folder with include/ and libarrow.so.2600 of the pyarrow wheel")
if(NOT EXISTS "${LAKEWARD_ARROW_ROOT}/libarrow.so.2600")
  message(FATAL_ERROR "No libarrow.so.2600 in ${LAKEWARD_ARROW_ROOT}. "
                      "Run ./dev build, which installs it, or set LAKEWARD_ARROW_ROOT.")
endif()
foreach(library IN ITEMS arrow arrow_compute parquet)
  add_library(${library} SHARED IMPORTED)
  set_target_properties(${library} PROPERTIES
    IMPORTED_LOCATION "${LAKEWARD_ARROW_ROOT}/lib${library}.so.2600"
    INTERFACE_INCLUDE_DIRECTORIES "${LAKEWARD_ARROW_ROOT}/include")
endforeach()
target_link_libraries(arrow_compute INTERFACE arrow)
target_link_libraries(parquet INTERFACE arrow)

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
if(LAKEWARD_BUILD_BENCHMARKS)
  find_package(simdjson REQUIRED)
endif()
find_package(date REQUIRED)
find_package(yaml-cpp REQUIRED)
find_package(CURL REQUIRED)
find_package(OpenSSL REQUIRED)
find_package(pugixml REQUIRED)
find_path(NLOHMANN_JSON_INCLUDE nlohmann/json.hpp REQUIRED)
find_path(CLI11_INCLUDE CLI/CLI.hpp REQUIRED)
find_path(XXHASH_INCLUDE xxhash.h REQUIRED)
find_library(PCRE2_LIBRARY pcre2-8 REQUIRED)
if(LAKEWARD_BUILD_TESTS)
  find_package(GTest REQUIRED)
endif()
