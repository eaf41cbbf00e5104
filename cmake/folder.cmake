# One target a folder of src/: tideline_folder(NAME USES other folders ... LINKS libraries ...).
# Every *.cpp in the folder belongs to it, but for what is a library of its own (codegen); every *_test.cpp beside them to its test program.
add_library(tideline_options INTERFACE)
target_compile_options(tideline_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
  -Wimplicit-fallthrough -Wextra-semi -Werror
  # Warnings of GCC 12 that are false alarms with std::string.
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread>
  # std::stable_sort of libstdc++ 12 uses what is deprecated.
  $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
if(TIDELINE_SANITIZE)
  target_compile_options(tideline_options INTERFACE -fsanitize=${TIDELINE_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all
    # It reads what lies before a function, and before one that was compiled in memory there may be nothing.
    $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  target_link_options(tideline_options INTERFACE -fsanitize=${TIDELINE_SANITIZE})
endif()
if(TIDELINE_FUZZ)
  target_compile_options(tideline_options INTERFACE -fsanitize=fuzzer-no-link)
endif()

# Headers that are expensive to read are read once, in a precompiled header that all test programs share.
add_library(tideline_test_headers STATIC ${PROJECT_SOURCE_DIR}/cmake/test_headers.cpp)
target_precompile_headers(tideline_test_headers PRIVATE <gtest/gtest.h>)
target_link_libraries(tideline_test_headers PUBLIC tideline_options GTest::gtest GTest::gtest_main)

include(GoogleTest)

# A test program whose tests are labelled: tideline_test(NAME LABEL fast|long SOURCES ... USES ...). PROCESSORS: how many its
# threads keep busy; other tests leave them alone meanwhile.
function(tideline_test name)
  cmake_parse_arguments(arg "" "LABEL;TIMEOUT;PROCESSORS" "SOURCES;USES" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_precompile_headers(${name} REUSE_FROM tideline_test_headers)
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_libraries(${name} PRIVATE tideline_test_headers ${arg_USES})
  if(NOT arg_LABEL)
    set(arg_LABEL fast)
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 600)
  endif()
  if(NOT arg_PROCESSORS)
    set(arg_PROCESSORS 1)
  endif()
  # One by one, so that a slow one is seen: each in a process of its own. They are listed when ctest starts.
  gtest_discover_tests(${name} TEST_PREFIX "${name}/" WORKING_DIRECTORY ${PROJECT_SOURCE_DIR} NO_PRETTY_TYPES NO_PRETTY_VALUES
    DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60 PROPERTIES LABELS ${arg_LABEL} TIMEOUT ${arg_TIMEOUT} PROCESSORS ${arg_PROCESSORS})
endfunction()

function(tideline_folder name)
  cmake_parse_arguments(arg "" "" "USES;LINKS;TEST_USES" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${name}/*.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_test\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "/main\\.cpp$|/codegen/")
  add_library(tideline_${name} STATIC ${sources})
  target_include_directories(tideline_${name} PUBLIC ${PROJECT_SOURCE_DIR}/src)
  list(TRANSFORM arg_USES PREPEND tideline_)
  target_link_libraries(tideline_${name} PUBLIC ${arg_USES} PRIVATE tideline_options ${arg_LINKS})
  if(tests)
    list(TRANSFORM arg_TEST_USES PREPEND tideline_)
    tideline_test(${name}_test SOURCES ${tests} USES tideline_${name} ${arg_TEST_USES} ${arg_LINKS})
  endif()
endfunction()
