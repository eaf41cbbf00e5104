# Thin: every target sets up what it needs and hands over to CMake's presets. `make help` lists the targets.
JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 60
PREFIX ?= /usr/local
DESTDIR ?=

.DEFAULT_GOAL := help
.PHONY: help install deb papers demo test test-long test-web images browser asan check-all fuzz format bench setup clean
.DELETE_ON_ERROR:

help:
	@echo 'make demo       build the program and show what it does'
	@echo 'make install    install the program, its manual page, completions and examples; PREFIX=/usr/local DESTDIR='
	@echo 'make deb        make a Debian package in build/release'
	@echo 'make test       build everything and run the tests (minutes)'
	@echo 'make test-long  run the tests that take longer'
	@echo 'make test-web   look at HTML reports in a browser (installs Chromium)'
	@echo 'make images     write the pictures of HTML reports in docs/images'
	@echo 'make asan       run the tests with the address and undefined-behaviour sanitizers'
	@echo 'make check-all  sanitizers (by Clang), threads, headers and fuzz targets, FUZZ_SECONDS=60 each (hours); PARTS=... for some of them'
	@echo 'make fuzz       only the fuzz targets; TARGETS=... for some of them'
	@echo 'make format     lay out all C++ files with clang-format'
	@echo 'make bench      measure speed and memory, of SPIN too, and write docs/benchmarks.md (about an hour)'
	@echo 'make setup      only install the Debian packages that are missing (packages.txt)'
	@echo 'make papers     write the papers'\'' figures beside ours to docs/papers'
	@echo 'make clean      remove what was built'
	@echo
	@echo 'Each target does its own set-up, and says beforehand what it installs.'

setup:
	@scripts/setup.sh

# Ninja configures again by itself when a CMake file has changed.
build/%/build.ninja: | setup
	@echo 'Configuring ($*) ...'
	@cmake --preset $*

demo: setup build/release/build.ninja
	@echo 'Building the program ...'
	@cmake --build --preset release --parallel $(JOBS) --target tideline example_stop_and_wait example_two_phase_commit example_check_invariant
	@scripts/demo.sh

install: setup build/release/build.ninja
	@cmake --build build/release --parallel $(JOBS) --target tideline
	@DESTDIR=$(DESTDIR) cmake --install build/release --prefix $(PREFIX)

deb: setup build/release/build.ninja
	@cmake --build build/release --parallel $(JOBS) --target tideline
	@cd build/release && cpack -G DEB

test: setup build/release/build.ninja
	@echo 'Building everything ...'
	@cmake --build --preset release --parallel $(JOBS)
	@ctest --preset release --no-tests=error

test-long: setup build/release/build.ninja
	@echo 'Building everything ...'
	@cmake --build --preset release --parallel $(JOBS)
	@ctest --preset release-long

browser: setup build/release/build.ninja
	@scripts/setup.sh packages-web.txt
	@command -v npm >/dev/null || scripts/setup.sh packages-npm.txt
	@cmake --build --preset release --parallel $(JOBS) --target tideline
	@cd tests/web && npm install --silent --no-audit --no-fund --no-package-lock

test-web: browser
	@node --test tests/web/*_test.mjs

images: browser
	@node tests/web/images.mjs

asan: setup
	@scripts/setup.sh packages-check.txt
	@$(MAKE) --no-print-directory build/asan-ubsan/build.ninja
	@echo 'Building everything with sanitizers ...'
	@cmake --build --preset asan-ubsan --parallel $(JOBS)
	@ctest --preset asan-ubsan --no-tests=error

check-all: setup
	@scripts/setup.sh packages-check.txt
	@scripts/check_all.py --jobs $(JOBS) --fuzz-seconds $(FUZZ_SECONDS) $(PARTS)

fuzz: setup
	@scripts/setup.sh packages-check.txt
	@$(MAKE) --no-print-directory build/asan-ubsan/build.ninja
	@echo 'Building the fuzz targets ...'
	@cmake --build --preset fuzz --parallel $(JOBS)
	@tests/fuzz/run.py --seconds $(FUZZ_SECONDS) --jobs $(JOBS) $(TARGETS)

format: setup
	@find src tests examples bench cmake -name '*.[ch]pp' -o -name '*.[ch]' | xargs clang-format-19 -i

bench: setup build/release/build.ninja
	@scripts/setup.sh packages-bench.txt
	@echo 'Building the program ...'
	@cmake --build --preset release --parallel $(JOBS) --target tideline random_access
	@bench/run.py

papers: setup build/release/build.ninja
	@echo 'Building the program and the examples ...'
	@cmake --build --preset release --parallel $(JOBS) --target tideline example_stop_and_wait example_two_phase_commit
	@scripts/papers.py --larger
	@scripts/papers_ltl.py

clean:
	@rm -rf build
