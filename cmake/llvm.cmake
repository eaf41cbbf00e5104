# LLVM, from the package llvm-19-dev, and the library that compiles models with it. Its static archives are used: the shared library has
# all processors and tools, takes five times as long to load, and cannot be unloaded.
set(LLVM_ROOT_DIR /usr/lib/llvm-19 CACHE PATH "where LLVM 19 is installed")
find_path(LLVM_INCLUDE_DIR llvm/ExecutionEngine/RuntimeDyld.h PATHS ${LLVM_ROOT_DIR}/include NO_DEFAULT_PATH REQUIRED)
find_program(LLVM_CONFIG llvm-config PATHS ${LLVM_ROOT_DIR}/bin NO_DEFAULT_PATH REQUIRED)
# What the archives use of the system; there may be no development package of it.
find_library(ZSTD_LIBRARY NAMES zstd libzstd.so.1 REQUIRED)
find_library(ZLIB_LIBRARY NAMES z libz.so.1 REQUIRED)
execute_process(COMMAND ${LLVM_CONFIG} --link-static --libfiles native instcombine ipo runtimedyld scalaropts OUTPUT_VARIABLE LLVM_ARCHIVES
  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
separate_arguments(LLVM_ARCHIVES)

# tideline_codegen(FOLDER): the library, which the program opens only when there is something to compile. It has copies of the little that
# it needs of the folders that it uses, so that these are compiled for a program and not for a library.
function(tideline_codegen folder)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${folder}/*.cpp)
  add_library(tideline_codegen MODULE ${sources}
    model/evaluate.cpp model/expression.cpp model/interval.cpp model/model.cpp successor/layout.cpp support/source.cpp)
  target_include_directories(tideline_codegen PRIVATE ${PROJECT_SOURCE_DIR}/src)
  target_include_directories(tideline_codegen SYSTEM PRIVATE ${LLVM_INCLUDE_DIR})
  # LLVM is built without type information, and unique symbols would keep the library from being unloaded.
  target_compile_options(tideline_codegen PRIVATE -fno-rtti $<$<CXX_COMPILER_ID:GNU>:-fno-gnu-unique> -fvisibility=hidden -fvisibility-inlines-hidden)
  target_link_options(tideline_codegen PRIVATE LINKER:--exclude-libs,ALL LINKER:--gc-sections LINKER:-Bsymbolic)
  # Clang links the run-time library of sanitizers into programs only.
  if(NOT (TIDELINE_SANITIZE AND CMAKE_CXX_COMPILER_ID MATCHES Clang))
    target_link_options(tideline_codegen PRIVATE LINKER:-z,defs)
  endif()
  target_link_libraries(tideline_codegen PRIVATE
    tideline_options ${LLVM_ARCHIVES} ${ZSTD_LIBRARY} ${ZLIB_LIBRARY} ${CMAKE_DL_LIBS} fmt::fmt)
  # compile.cpp looks for it there.
  set_target_properties(tideline_codegen PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
endfunction()
