# calaboose_library(NAME SOURCES … LINKS …): a static library of our own code, `calaboose_NAME`.
function(calaboose_library name)
  cmake_parse_arguments(A "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  add_library(calaboose_${name} STATIC ${A_SOURCES})
  target_link_libraries(calaboose_${name} PUBLIC ${A_LINKS} calaboose_options calaboose_sanitizers PRIVATE ${A_PRIVATE_LINKS})
endfunction()

# calaboose_test(NAME SOURCES … LINKS … LABELS …): one GoogleTest binary; labels select suites in ctest.
function(calaboose_test name)
  cmake_parse_arguments(A "" "TIMEOUT" "SOURCES;LINKS;LABELS;DEFINES" ${ARGN})
  if(NOT A_LABELS)
    set(A_LABELS unit)
  endif()
  if(NOT A_TIMEOUT)
    set(A_TIMEOUT 60)
  endif()
  add_executable(${name} ${A_SOURCES})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/tests)
  target_compile_definitions(${name} PRIVATE
    CALABOOSE_SOURCE_DIR="${CMAKE_SOURCE_DIR}" CALABOOSE_BINARY_DIR="${CMAKE_BINARY_DIR}" ${A_DEFINES})
  target_link_libraries(${name} PRIVATE ${A_LINKS} calaboose_options calaboose_sanitizers GTest::gtest GTest::gtest_main)
  include(GoogleTest)
  gtest_discover_tests(${name} DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS "${A_LABELS}" TIMEOUT ${A_TIMEOUT})
endfunction()
