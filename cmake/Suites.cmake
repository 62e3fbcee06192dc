# The suites that are scripts, as CTest tests, so that `ctest` and ./dev test run everything in one go.
# ./dev sets LAKEWARD_PYTHON, a python with the packages of tools/requirements-interop.txt.

# lakeward_add_suite(name needed_path command): a shell command, run in the source folder; the test
# exists when its path does. Exit code 5, pytest's word for "no test matched", counts as skipped.
function(lakeward_add_suite name needed_path command)
  if(EXISTS "${PROJECT_SOURCE_DIR}/${needed_path}")
    add_test(NAME ${name} COMMAND sh -c "${command}" WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(${name} PROPERTIES LABELS suite TIMEOUT 1800 SKIP_RETURN_CODE 5
      ENVIRONMENT "LAKEWARD_PROGRAM=${PROJECT_BINARY_DIR}/lakeward;PYTHONDONTWRITEBYTECODE=1")
  endif()
endfunction()

set(pytest "\"\${LAKEWARD_PYTHON:-python3}\" -m pytest -q -p no:cacheprovider")
lakeward_add_suite(golden.plain test/golden/run.py
  "exec python3 test/golden/run.py --program \"$LAKEWARD_PROGRAM\" --mode plain \
   \${LAKEWARD_TEST_FILTER:+--filter \"$LAKEWARD_TEST_FILTER\"}")
lakeward_add_suite(interop test/interop "exec ${pytest} test/interop")
lakeward_add_suite(s3 test/s3 "exec ${pytest} test/s3")
lakeward_add_suite(lint test/lint "exec ${pytest} test/lint")
