# Warnings for our own code only; third-party headers come in as system headers.
add_library(calaboose_options INTERFACE)
target_include_directories(calaboose_options INTERFACE ${CMAKE_SOURCE_DIR} ${CMAKE_BINARY_DIR}/generated)
target_compile_options(calaboose_options INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wold-style-cast
  -Wnon-virtual-dtor -Woverloaded-virtual -Wimplicit-fallthrough
  # GCC 12 sees overlapping copies in literal + std::string when optimising (GCC bug 105651).
  # It also takes an empty std::optional's storage for a value that is read (GCC bug 80635).
  $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>
  $<$<BOOL:${CALABOOSE_WERROR}>:-Werror>)
