// The tideline program.
#include "cli/cpp_main.hpp"

int main(int argc, char** argv) { return tideline::cli::run_program(argc, argv, nullptr); }
