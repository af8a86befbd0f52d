# gradlock: how everything is built, tested and served. `make` alone prints what there is.
# All output goes to build/ (and node_modules/); .ci/setup.sh installs what a machine lacks.

# Runs of tests speak while they run.
SYNC := $(if $(filter quick check test% release,$(MAKECMDGOALS)),,--output-sync=line)
MAKEFLAGS += --no-builtin-rules --jobs=$(shell getconf _NPROCESSORS_ONLN) $(SYNC)
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PORT ?= 5173
MINUTES ?= 10
PREFIX ?= /usr/local
# Compiling says what, not how; `make V=1` shows the commands.
Q := $(if $(V),,@)
BIN := node_modules/.bin
NPM_READY := node_modules/.package-lock.json
REFERENCE_READY := build/reference/node_modules/.package-lock.json

ifdef EMSDK
EMCC = $(EMSDK)/upstream/emscripten/emcc
else
# Debian's emcc finds its JavaScript parser beside Debian's Node.js, even where Node.js itself comes
# from elsewhere; its system libraries are prebuilt, so another cache (EM_CACHE) would only be empty.
EMCC = env -u EM_CACHE NODE_PATH=/usr/share/nodejs emcc
endif

ifdef WASI_SDK_PATH
WASI_SYSROOT := $(WASI_SDK_PATH)/share/wasi-sysroot
# The newer SDKs' name for the same target, whose old name their clang warns about.
WASI_TARGET := wasm32-$(if $(wildcard $(WASI_SYSROOT)/lib/wasm32-wasip1),wasip1,wasi)
WASI_CC = $(WASI_SDK_PATH)/bin/clang --sysroot=$(WASI_SYSROOT) --target=$(WASI_TARGET)
else
# Debian has compiler-rt under the old name only.
WASI_CC = clang --target=wasm32-wasi
endif

CLANG ?= clang
CLANG_FORMAT ?= clang-format
export EMCC WASI_CC CLANG CLANG_FORMAT

# -------------------------------------------------------------------------------------------- flags
# Bit identity forbids fused multiply-add, reassociation and libm: never -ffast-math, never
# -mrelaxed-simd. -Wpsabi is about passing vectors between compilers, which nothing here does.
WERROR ?= -Werror
CFLAGS := -std=c11 -Isrc/c -Isrc/c/include -ffp-contract=off -fno-math-errno -Wall -Wextra -Wno-psabi $(WERROR) -MMD -MP
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
STACK_BYTES := 262144

# Every engine with SIMD has memory.copy and memory.fill, which beat libc's loops in size and speed, and conversions to
# integers that do not trap, which need no branches around them.
FEATURES := -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext

# A way is a compiler with flags; each has its own objects. The first three make the library.
# Emscripten's clang by Emscripten's flags, asked once: its Python takes longer to start than clang to compile.
EM_CLANG := build/emcc$(subst /,+,$(EMSDK)).clang
CC_emscripten = $$(cat $(EM_CLANG)) $(FEATURES) -matomics -Oz -fno-inline-functions -fno-jump-tables -DGLK_TINY
CC_emdouble = $(CC_emscripten) -DGLK_DOUBLE
CC_reactor = $(WASI_CC) $(FEATURES) -Os
# Not -O3: clang 14 then unrolls and vectorizes the random numbers of tests/c/test_state.c wrongly.
CC_wasi = $(WASI_CC) $(FEATURES) -O2 -g -DGLK_DEBUG=1
CC_native = $(CLANG) -O1 -g $(SANITIZE) -DGLK_DEBUG=1
# Loops that clang makes vectors of may raise FE_INVALID, which tests/c/test_unwritten.c watches: it shifts by conversions.
CC_double = $(CLANG) -O2 -fno-vectorize -fno-slp-vectorize -DGLK_DEBUG=1 -DGLK_DOUBLE
CC_coverage = $(CLANG) -O1 -fprofile-instr-generate -fcoverage-mapping -DGLK_DEBUG=1
CC_races = $(CLANG) -O1 -g -fsanitize=thread -DGLK_DEBUG=1
CC_lib = $(CC) -O2 -fPIC -fvisibility=hidden -DGLK_EXPORT
# Arithmetic in inner loops is built for speed, and so is what every call asks for; all else for size.
HOT := src/c/lock/select_by_value.c $(addprefix src/c/core/,handle.c memory.c) $(addprefix src/c/kernels/,conv.c copy.c depthwise.c elementwise.c gemm.c pool_rows.c reduce.c random.c softmax.c masked_gemm.c update.c) \
  src/c/optim/gather_update.c $(wildcard src/c/optim/rule_*.c)
HOT_emscripten = -O2
HOT_emdouble = $(HOT_emscripten)
NEEDS_emscripten = $(EM_CLANG)
NEEDS_emdouble = $(EM_CLANG)
HOT_reactor = -O2
# Compilers that we have not seen may warn of more.
LAST_lib = -Wno-error
WAYS := emscripten emdouble reactor wasi native double coverage races lib

# One list of exports for both toolchains, read when a library is linked.
EXPORTS = $(shell sed 's/\#.*//' src/c/bind/exports.txt)
comma := ,
space := $(subst ,, )

# Threads share the imported memory (src/js/wasm/shared.js). Never -pthread, which brings a C
# library with locks and thread-local storage: only the caller's thread allocates.
# The stack lies first, so overrunning it traps instead of reaching data. Emscripten renamed
# TOTAL_STACK to STACK_SIZE in 3.1.25 and still takes the old name.
LINK_emscripten = $(EMCC) $(FEATURES) -matomics -O1 --no-entry -sSTANDALONE_WASM -sALLOW_MEMORY_GROWTH=1 \
  -sABORTING_MALLOC=0 -sINITIAL_MEMORY=16MB -sMAXIMUM_MEMORY=4GB -sTOTAL_STACK=$(STACK_BYTES) -sMALLOC=emmalloc \
  -sFILESYSTEM=0 -Wl,--stack-first -Wl,--shared-memory,--import-memory \
  -sEXPORTED_FUNCTIONS=$(subst $(space),$(comma),$(strip $(addprefix _,$(EXPORTS))))
# Emscripten would tell wasm-opt that the memory is zero at first, and so have it cut the data at each run of zeros: 51
# pieces, whose copying takes more bytes of gzip than the zeros (700). So it links without wasm-opt (-O1), which then runs.
WASM_OPT = $(or $(EMSDK:%=%/upstream),$$(em-config BINARYEN_ROOT))/bin/wasm-opt --mvp-features --enable-simd --enable-bulk-memory \
  --enable-nontrapping-float-to-int --enable-sign-ext --enable-threads --post-emscripten -Oz --low-memory-unused \
  --converge --strip-debug --strip-producers
# The published module's memory is not shared, so that it loads everywhere.
UNSHARE := node src/npm/unshare.mjs
# No -O here: it would make clang run any wasm-opt it finds, and clang 14 does so without SIMD.
LINK_reactor = $(WASI_CC) -mexec-model=reactor -Wl,--strip-all -Wl,--stack-first \
  -Wl,-z,stack-size=$(STACK_BYTES) $(addprefix -Wl$(comma)--export=,$(EXPORTS))
LINK_wasi = $(WASI_CC) -Wl,--stack-first -Wl,-z,stack-size=1048576
LINK_native = $(CC_native) -pthread
LINK_double = $(CC_double) -pthread
LINK_coverage = $(CC_coverage) -pthread
LINK_races = $(CC_races) -pthread

TEST := node tests/run.mjs
CHROME = CHROME_SHELL_PATH="$$(sh .ci/setup.sh shell)" CHROME_PATH="$$(sh .ci/setup.sh chrome)"
BROWSERS = $(CHROME) FIREFOX_PATH="$$(sh .ci/setup.sh firefox)"

# -------------------------------------------------------------------------------------------- files
SOURCES := $(sort $(wildcard src/c/*/*.c))
# The same files as they are linked: like beside like, which compresses by half a percent better.
ALIKE := $(foreach like,src/c/optim/rule_% src/c/kernels/% src/c/ops/%,$(filter $(like),$(SOURCES))) \
  $(filter-out src/c/optim/rule_% src/c/kernels/% src/c/ops/%,$(SOURCES))
PROGRAMS := $(patsubst tests/c/%.c,%,$(sort $(wildcard tests/c/test_*.c)))
LIBRARY_JS := $(shell find src/js src/npm -type f)
WEB := $(shell find web -type f 2>/dev/null)
WASM := build/wasm/gradlock.wasm build/wasm/gradlock.double.wasm
REACTOR := build/wasm/gradlock.wasi.wasm
REFERENCE := $(wildcard docs/*.* docs/decisions/* docs/examples/*.* docs/reference/*.*)
FUZZERS := $(patsubst tests/fuzz/fuzz_%.c,%,$(sort $(wildcard tests/fuzz/fuzz_*.c)))
# Those that are built for f64, too, as tests/fuzz/corpora.js has them.
DOUBLE_FUZZERS := solve
LIBRARY_C := $(addprefix build/lib/,libgradlock.a libgradlock.so gradlock.pc gradlock.h)
PYTHON := build/python/ready
NOTEBOOKS := build/notebooks/ready
REPLAYERS := $(FUZZERS:%=build/tests/fuzz/replay_%) $(DOUBLE_FUZZERS:%=build/tests/double/replay_%) \
  $(FUZZERS:%=build/tests/coverage/replay_%)
WASI_PROGRAMS := $(PROGRAMS:%=build/tests/wasi/%.wasm)
TEST_PROGRAMS := $(WASI_PROGRAMS) $(PROGRAMS:%=build/tests/native/%) $(PROGRAMS:%=build/tests/double/%) \
  $(REPLAYERS) build/tests/scarce.wasm $(REACTOR)
# Programs that take seconds are left to `make test`; what changed since the upstream branch runs there under the sanitizers.
QUICK_PROGRAMS := $(filter-out $(patsubst %,build/tests/wasi/test_%.wasm,image laws lockset_bytes many math random_programs),$(WASI_PROGRAMS))
CHANGED := $(shell git diff --name-only @{upstream} -- src/c tests/c 2>/dev/null)
CHANGED_PROGRAMS := $(patsubst %,build/tests/native/%,$(if $(filter src/% %.h,$(CHANGED)),$(PROGRAMS),$(filter $(PROGRAMS),$(basename $(notdir $(CHANGED))))))
# Compilers and flags of other people's projects; native processors mostly fuse multiply-adds.
PLAIN := $(patsubst %,build/plain/%.o,gcc+-O0 gcc+-O3+-march=native+-D_FORTIFY_SOURCE=2 clang+-O2+-march=native)
EXHAUSTIVE := $(patsubst tests/c/%.c,build/tests/exhaustive/%,$(wildcard tests/c/exhaustive_*.c))
C_FILES = $(wildcard docs/examples/*.c docs/examples/*/*.[ch] src/c/*/*.[ch] src/npm/*/*.c tests/c/*.[ch] tests/c/samples/*.h tests/fuzz/*.[ch] tests/hostile/*.c tests/bench/*.[ch])

# --------------------------------------------------------------------------------------- for people
.PHONY: help demo quick test test-all test-c test-js test-browsers nightly build lib install site docs check format format-check lint types lines \
  pack release publish setup test-programs consumers notebooks bench test-mpi bench-browser \
  coverage mutants soak digests hostile screenshots golden pretrained golden-pretrained \
  campaign campaign-all exhaustive races fuzz fuzz-regress fuzz-corpora clean distclean FORCE

help: ## Print this list
	@echo 'gradlock: lock any element of any variable, train the rest, exactly.'
	@echo 'Targets (what a machine lacks is installed by apt and npm first):'
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-18s %s\n", $$1, $$2 }'

demo: build/site/index.html ## Build the demo, serve it, print its address (PORT=5173)
	@echo 'The demo: http://127.0.0.1:$(PORT)/  (Ctrl+C stops it)'
	@$(BIN)/vite preview web --host 127.0.0.1 --port $(PORT) --strictPort </dev/null

quick: $(WASM) $(REACTOR) build/wasm/join.wasm $(QUICK_PROGRAMS) $(NPM_READY) ## Test the sources: C under WASI, JavaScript; no package, no browser
	$(BIN)/tsc --customConditions source --tsBuildInfoFile build/tsc-source.json
	$(Q)QUICK='$(basename $(notdir $(QUICK_PROGRAMS)))' $(TEST) quick

test: format-check lint types lines pack build/gradlock-demo.html build/site/index.html $(REACTOR) $(WASI_PROGRAMS) $(CHANGED_PROGRAMS) build/tests/scarce.wasm ## Test the package, its sources and the demo in Chromium (minutes)
	$(Q)CHANGED='$(notdir $(CHANGED_PROGRAMS))' $(CHROME) $(TEST) test

test-all: format-check lint types lines pack lib site test-programs $(PYTHON) ## All of `make test`, the sanitizers, f64, whole oracles, Firefox, WebKit, Bun, Deno, fuzzers' corpora, examples
	$(Q)$(BROWSERS) $(TEST) all

# The same in three, for machines that run them side by side.
test-c: test-programs
	$(Q)$(TEST) all c fuzz

test-js: format-check lint types lines pack lib site test-programs $(PYTHON)
	$(Q)$(BROWSERS) $(TEST) all js web hostile consumers examples notebooks port pretrained

test-browsers: site
	$(Q)$(BROWSERS) $(TEST) all browser engines

nightly: ## What takes hours: consumers, races, every f32, digests, mutants, soak, fuzzers, bench
	$(MAKE) consumers && $(MAKE) notebooks && $(MAKE) exhaustive && $(MAKE) races && $(MAKE) bench && $(MAKE) campaign-all

build: build/npm/package.json ## Build the npm package (build/npm)

lib: $(LIBRARY_C) ## Build the C library into build/lib: libgradlock.a, .so, gradlock.pc, gradlock.h (CC=cc)

install: lib ## Install the C library (PREFIX=/usr/local, DESTDIR=)
	install -d $(DESTDIR)$(PREFIX)/include $(DESTDIR)$(PREFIX)/lib/pkgconfig
	install -m 644 build/lib/gradlock.h $(DESTDIR)$(PREFIX)/include
	install -m 644 build/lib/libgradlock.a $(DESTDIR)$(PREFIX)/lib
	cp -P build/lib/libgradlock.so* $(DESTDIR)$(PREFIX)/lib
	$(call pkg_config,/..,/../../include) >$(DESTDIR)$(PREFIX)/lib/pkgconfig/gradlock.pc

check: test

format: setup $(NPM_READY) ## Format C and JavaScript in place
	$(CLANG_FORMAT) -i $(C_FILES)
	$(BIN)/biome format --write

pack: build ## Pack build/npm into build/gradlock-<version>.tgz, say what is in it, and check it as its users' tools would
	@rm -f build/gradlock-*.tgz
	npm pack ./build/npm --pack-destination build --silent
	$(BIN)/publint run build/npm --strict --pack false
	$(BIN)/attw build/gradlock-*.tgz --exclude-entrypoints gradlock.wasm
	$(BIN)/size-limit

release: build ## Check tag, changelog and version, build twice and compare, try the package, say what is left (VERSION=1.2.3)
	$(Q)node src/npm/release.mjs '$(VERSION)'

publish: ## Publish what `make release` packed, by trusted publishing, and the offline demo (in release.yml)
	npm publish --provenance --access public build/gradlock-$(VERSION).tgz
	gh release create v$(VERSION) --verify-tag --notes-from-tag build/gradlock-demo.html build/gradlock-check.html

consumers: build ## Run a little program in every place that imports the package: the table (ONLY='regexp', TARBALL=)
	CHROME_PATH="$$(sh .ci/setup.sh chrome)" FIREFOX_PATH="$$(sh .ci/setup.sh firefox)" \
	  node --single-threaded-gc tests/consumers/run.mjs

notebooks: build $(NOTEBOOKS) ## Run docs/notebooks in real JupyterLab, in Chromium
	CHROME_SHELL_PATH="$$(sh .ci/setup.sh shell)" CHROME_PATH="$$(sh .ci/setup.sh chrome)" \
	  $(TEST) $(sort $(wildcard tests/notebooks/live/*.test.js))

bench: build build/bench/limits.wasm ## Run the benchmarks (ROWS='names of rows')
	node tests/bench/run.mjs $(ROWS)

coverage: $(PROGRAMS:%=build/tests/coverage/%) $(FUZZERS:%=build/tests/coverage/replay_%) build ## Record what share of src/c's lines and branches, and of src/js's lines, the tests reach (minutes)
	node tests/reliability/coverage.mjs
	node tests/reliability/coverage-js.mjs

mutants: $(PROGRAMS:%=build/tests/coverage/%) $(PROGRAMS:%=build/tests/native/%) build ## Change a line of C or JavaScript at random, and see whether a test fails (hours; COUNT=500 SEED=1 JOBS=1)
	node tests/reliability/mutants.mjs

soak: build ## Take ten million steps with changes of locks, make and drop instances, fill 4 GB: memory stays flat (minutes)
	node --expose-gc tests/reliability/soak.mjs

digests: build build/tests/native/test_digest build/tests/wasi/test_digest.wasm ## Hold more compilers, processors and versions to the same bits, and write docs/reliability.md (minutes)
	node tests/reliability/digests.mjs

hostile: build ## Call every public method with hostile values, in f32 and in f64, and record what came of it (ONLY='regexp of methods')
	RECORD=gradlock node --expose-gc tests/hostile/run.mjs
	RECORD=gradlock/double node --expose-gc --conditions=double tests/hostile/run.mjs

golden: setup ## Write the golden files anew from Keras
	python3 -m venv build/golden
	build/golden/bin/pip install --quiet -r tests/golden/requirements.txt
	build/golden/bin/python tests/golden/generate.py

pretrained: build $(PYTHON) ## Fetch networks that others trained, and compare them with their own frameworks
	node tests/pretrained/fetch.mjs build/python/bin/python
	$(TEST) $(sort $(wildcard tests/pretrained/*.test.js tests/pretrained/large/*.test.js))

golden-pretrained: setup ## Write the golden files of these networks anew
	python3 -m venv build/pretrained/python
	build/pretrained/python/bin/pip install --quiet -r tests/pretrained/golden/requirements.txt -c tests/golden/requirements.txt
	node tests/pretrained/fetch.mjs build/pretrained/python/bin/python
	build/pretrained/python/bin/python tests/pretrained/golden/generate.py

campaign: build/tests/native/test_campaign build/tests/double/test_campaign ## Hold 1,000,000 random steps to the laws of locks (minutes; GLK_SEED=first)
	@for program in $^; do GLK_CAMPAIGN=1000000 $$program || exit 1; done

campaign-all: digests coverage soak hostile campaign fuzz-regress fuzz mutants ## Run the whole campaign, two at a time, and write docs/reliability.md (a night; MINUTES=60 for each kind of input, COUNT=500 mutants)

races: $(PROGRAMS:test_%=races/%) ## Look for data races: every C program on 2, 3 and 8 threads that share every job (minutes; THREADS='3')

# The sanitizer needs the addresses that it knows, so none are drawn by lot (setarch -R).
races/%: build/tests/races/test_%
	$(Q)for threads in $(or $(THREADS),2 3 8); do \
	  TSAN_OPTIONS=halt_on_error=1 GLK_THREADS=$$threads setarch -R $< >$<.log 2>&1 || { cat $<.log; exit 1; }; \
	done
	@echo '  no races: $<'

fuzz-regress: $(REPLAYERS) ## Replay every input that ever broke the C core, and the corpora of its fuzzers, which must reach 90 % of it
	node --test --test-reporter=spec tests/fuzz/replay.test.js tests/fuzz/reach.test.js

fuzz: $(FUZZERS:%=build/fuzz/%) $(DOUBLE_FUZZERS:%=build/fuzz/double/%) build ## Look for inputs that break the C core, and for files that break readers, and record how many were tried (MINUTES=10 for each kind)
	MINUTES=$(MINUTES) node tests/reliability/fuzz.mjs

fuzz-corpora: $(FUZZERS:%=build/fuzz/%) $(DOUBLE_FUZZERS:%=build/fuzz/double/%) ## Keep in tests/fuzz/corpora the fewest inputs that reach all that fuzzing has reached (minutes; ONLY='regexp' of fuzzers)
	node tests/fuzz/minimize.mjs

exhaustive: $(EXHAUSTIVE) ## Try the math functions on every f32 (minutes)
	@for program in $^; do $$program || exit 1; done

site: build/site/docs/index.html build/gradlock-demo.html ## Build the demo into build/site, and as offline files, build/gradlock-demo.html and gradlock-check.html

docs: build/site/docs/index.html ## Build the reference into build/site/docs: guides, JavaScript, a search

screenshots: site ## Take pictures of every scene into build/screenshots (WHICH='phone dark leak-lab')
	CHROME_PATH="$$(sh .ci/setup.sh chrome)" node tests/browser/screenshots.mjs $(WHICH)

test-mpi: setup lib ## Train on 1, 2 and 4 ranks of Open MPI: the same bits, bytes, a rank that dies, a restart (ONLY='regexp')
	node tests/mpi/run.mjs

bench-browser: build ## Time training steps in Chromium on one thread and on two
	CHROME_PATH="$$(sh .ci/setup.sh chrome)" node tests/bench/browser.mjs

clean: ## Delete everything that was built
	rm -rf build

distclean: clean ## Delete node_modules too
	rm -rf node_modules

# ------------------------------------------------------------------------------------------- checks
format-check: setup $(NPM_READY)
	$(Q)$(CLANG_FORMAT) --dry-run -Werror $(C_FILES)
	$(BIN)/biome format

lint: $(NPM_READY)
	$(BIN)/biome lint --error-on-warnings

types: build
	$(BIN)/tsc

lines: ## Print the lines of each folder beside its budget, and fail above one
	@node tests/lines.mjs

# ------------------------------------------------------------------------------------------ machine
# Everything that the goals need at once, so that apt runs once and a list of what to install is whole.
needs = $(if $(filter $(2),$(MAKECMDGOALS)),$(1))
setup:
	@CC='$(CC)' sh .ci/setup.sh \
  $(if $(filter-out lib install test-mpi golden golden-pretrained build/lib/% build/python/% build/notebooks/%,$(MAKECMDGOALS)),build) \
  $(call needs,lib,test-all test-js lib install test-mpi build/lib/%) \
  $(call needs,native,test test-all test-c test-js check test-programs campaign campaign-all exhaustive coverage mutants digests races fuzz fuzz-regress fuzz-corpora build/tests/% build/fuzz/% build/plain/%) \
  $(call needs,python,test-all test-js notebooks pretrained golden golden-pretrained build/python/% build/notebooks/%) \
  $(call needs,chrome,test check) \
  $(call needs,browsers,test-all test-js test-browsers consumers notebooks screenshots bench-browser) \
  $(call needs,examples,test-all test-js test-mpi) \
  $(call needs,mpi,test-mpi) \
  $(call needs,coverage,test-all test-c test-js test-programs coverage mutants campaign-all fuzz-regress build/tests/coverage/%) \
  $(call needs,emulators,digests campaign-all) \
  $(call needs,format,test test-all test-js check format format-check)

$(NPM_READY): package-lock.json | setup
	npm ci --no-audit --no-fund
	@touch $@

$(REFERENCE_READY): docs/reference/package-lock.json | setup
	@mkdir -p build/reference && cp docs/reference/package*.json build/reference
	npm ci --prefix build/reference --no-audit --no-fund
	@touch $@

# ---------------------------------------------------------------------------------------- C objects
$(EM_CLANG): $(wildcard $(or $(EMSDK:%=%/upstream/emscripten/emcc),/usr/bin/emcc)) | setup
	@mkdir -p $(@D)
	$(Q)flags=$$($(EMCC) --cflags) && echo "$(or $(EMSDK:%=%/upstream/bin),$$(em-config LLVM_ROOT))/clang $$flags" >$@

# build/obj/<way>/command holds the command line, rewritten only when it changes: other flags or
# another toolchain rebuild what they concern, and nothing else.
define compile
build/obj/$(1)/command: FORCE | setup
	@mkdir -p $$(@D)
	@echo '$$(CC_$(1)) $$(CFLAGS) $$(HOT_$(1)) $$(LAST_$(1)): $$(HOT)' | cmp -s - $$@ || \
	  echo '$$(CC_$(1)) $$(CFLAGS) $$(HOT_$(1)) $$(LAST_$(1)): $$(HOT)' >$$@

build/obj/$(1)/%.o: %.c build/obj/$(1)/command $$(NEEDS_$(1))
	@mkdir -p $$(@D) && echo '  $(1): $$<'
	$$(Q)$$(CC_$(1)) $$(CFLAGS) $$(if $$(filter $$(HOT),$$<),$$(HOT_$(1))) $$(LAST_$(1)) -c $$< -o $$@

OBJECTS_$(1) := $$(ALIKE:%.c=build/obj/$(1)/%.o)
-include $$(OBJECTS_$(1):.o=.d) $$(PROGRAMS:%=build/obj/$(1)/tests/c/%.d) $$(wildcard build/obj/$(1)/tests/fuzz/*.d)
endef
$(foreach way,$(WAYS),$(eval $(call compile,$(way))))

build/wasm/gradlock.wasm: $(OBJECTS_emscripten) src/c/bind/exports.txt Makefile src/npm/unshare.mjs src/js/wasm/shared.js
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_emscripten) $(OBJECTS_emscripten) -o $@
	$(Q)$(WASM_OPT) $@ -o $@
	$(Q)$(UNSHARE) $@

build/wasm/gradlock.double.wasm: $(OBJECTS_emdouble) src/c/bind/exports.txt Makefile src/npm/unshare.mjs src/js/wasm/shared.js
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_emscripten) $(OBJECTS_emdouble) -o $@
	$(Q)$(WASM_OPT) $@ -o $@
	$(Q)$(UNSHARE) $@

build/wasm/gradlock.wasi.wasm: $(OBJECTS_reactor) src/c/bind/exports.txt Makefile
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_reactor) $(OBJECTS_reactor) -o $@

# What puts gradlock.wasm together again where it travels inside JavaScript.
build/wasm/join.wasm: src/npm/inline/join.c | setup
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(WASI_CC) -Oz -nostdlib -Wall -Wextra $(WERROR) -Wl,--no-entry -Wl,--strip-all -Wl,-z,stack-size=1024 \
	  -Wl,--export=glk_join $< -o $@

# ---------------------------------------------------------------------------------------- C library
VERSION := $(shell sed -n 's/^  "version": "\(.*\)",$$/\1/p' package.json)
# Programs ask for the shared library by major and minor version: until 1.0 each minor one may change the interface.
SONAME := libgradlock.so.$(basename $(VERSION))
# src/c/bind is about WebAssembly.
OBJECTS_C := $(filter-out build/obj/lib/src/c/bind/%,$(OBJECTS_lib))

# gradlock.pc finds the library and the header from where it lies itself, so the folder may be moved.
pkg_config = printf '%s\n' 'libdir=$${pcfiledir}$(1)' 'includedir=$${pcfiledir}$(2)' '' 'Name: gradlock' \
  'Description: Lock any element of any variable, train the rest, exactly' 'Version: $(VERSION)' \
  'Libs: -L$${libdir} -lgradlock -pthread' 'Cflags: -I$${includedir}'

build/lib/libgradlock.a: $(OBJECTS_C)
	@mkdir -p $(@D) && rm -f $@ && echo '  archive: $@'
	$(Q)$(AR) rcs $@ $^

build/lib/libgradlock.so: $(OBJECTS_C) Makefile package.json
	@mkdir -p $(@D) && rm -f $@* && echo '  link: $@'
	$(Q)$(CC) -shared -pthread -Wl,-soname,$(SONAME) -Wl,-z,defs $(OBJECTS_C) -o $@.$(VERSION)
	$(Q)ln -s libgradlock.so.$(VERSION) build/lib/$(SONAME)
	$(Q)ln -s $(SONAME) $@

build/lib/gradlock.h: src/c/include/gradlock.h
	@mkdir -p $(@D) && cp $< $@

build/lib/gradlock.pc: Makefile package.json
	@mkdir -p $(@D) && $(call pkg_config,,) >$@

# --------------------------------------------------------------------------------------- C programs
test-programs: $(TEST_PROGRAMS) $(PLAIN)

# The library, whose memory ends when a test says so.
build/tests/scarce.wasm: $(OBJECTS_emscripten) build/obj/emscripten/tests/hostile/scarce.o src/c/bind/exports.txt Makefile
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(subst EXPORTED_FUNCTIONS=,EXPORTED_FUNCTIONS=_glk_test_allow$(comma),$(LINK_emscripten)) -Wl,--wrap=glk_default_allocate 	  $(filter %.o,$^) -o $@
	$(Q)$(UNSHARE) $@

# Intermediate to make, but kept: a changed source recompiles one file.
.SECONDARY: $(foreach way,$(WAYS),$(OBJECTS_$(way)) $(PROGRAMS:%=build/obj/$(way)/tests/c/%.o)) \
  $(FUZZERS:%=build/obj/native/tests/fuzz/fuzz_%.o) build/obj/native/tests/fuzz/replay.o \
  $(DOUBLE_FUZZERS:%=build/obj/double/tests/fuzz/fuzz_%.o) build/obj/double/tests/fuzz/replay.o

build/tests/wasi/%.wasm: build/obj/wasi/tests/c/%.o $(OBJECTS_wasi)
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_wasi) $^ -lm -o $@

build/tests/native/%: build/obj/native/tests/c/%.o $(OBJECTS_native)
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_native) $^ -lm -o $@

build/tests/double/%: build/obj/double/tests/c/%.o $(OBJECTS_double)
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_double) $^ -lm -o $@

build/tests/coverage/%: build/obj/coverage/tests/c/%.o $(OBJECTS_coverage)
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_coverage) $^ -lm -o $@

build/tests/coverage/replay_%: build/obj/coverage/tests/fuzz/fuzz_%.o build/obj/coverage/tests/fuzz/replay.o $(OBJECTS_coverage)
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_coverage) $^ -lm -o $@

build/tests/races/%: build/obj/races/tests/c/%.o $(OBJECTS_races)
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_races) $^ -lm -o $@

build/tests/exhaustive/%: tests/c/%.c $(SOURCES) $(wildcard src/c/*/*.h) \
  tests/c/harness.h tests/c/math_claims.h | setup
	@mkdir -p $(@D)
	$(CLANG) -O3 $(filter-out -M%,$(CFLAGS)) $< $(SOURCES) -lm -o $@

# A fuzzer on files, under the sanitizers; and with what looks for such files.
build/tests/fuzz/replay_%: build/obj/native/tests/fuzz/fuzz_%.o build/obj/native/tests/fuzz/replay.o $(OBJECTS_native)
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_native) $^ -lm -o $@

build/tests/double/replay_%: build/obj/double/tests/fuzz/fuzz_%.o build/obj/double/tests/fuzz/replay.o $(OBJECTS_double)
	@mkdir -p $(@D) && echo '  link: $@'
	$(Q)$(LINK_double) $^ -lm -o $@

build/fuzz/%: tests/fuzz/fuzz_%.c $(wildcard tests/fuzz/*.h) $(SOURCES) $(wildcard src/c/*/*.h) | setup
	@mkdir -p $(@D) && echo '  fuzzer: $@ (minutes)'
	$(Q)$(CLANG) -O1 -g $(SANITIZE) -fsanitize=fuzzer -DGLK_FUZZING -DGLK_DEBUG=1 $(filter-out -M%,$(CFLAGS)) $< $(SOURCES) -lm -o $@

build/fuzz/double/%: tests/fuzz/fuzz_%.c $(wildcard tests/fuzz/*.h) $(SOURCES) $(wildcard src/c/*/*.h) | setup
	@mkdir -p $(@D) && echo '  fuzzer: $@ (minutes)'
	$(Q)$(CLANG) -O1 -g $(SANITIZE) -fsanitize=fuzzer -DGLK_FUZZING -DGLK_DOUBLE -DGLK_DEBUG=1 $(filter-out -M%,$(CFLAGS)) $< $(SOURCES) -lm -o $@

# The library as those get it who compile its sources without our flags: a + in the name is a space in the command.
build/plain/%.o: $(SOURCES) $(wildcard src/c/*/*.h) | setup
	@mkdir -p $(@D) && echo '  $(subst +, ,$*)'
	$(Q)$(subst +, ,$*) -Wno-psabi -Isrc/c -Isrc/c/include -r -nostdlib $(SOURCES) -o $@

# The benchmark's limits, in the same engine.
build/bench/limits.wasm: tests/bench/limits.c $(wildcard src/c/kernels/*.h) | setup
	@mkdir -p $(@D)
	$(WASI_CC) $(FEATURES) -O2 -ffp-contract=off -Isrc/c -Isrc/c/include -Wno-psabi -nostartfiles -Wl,--no-entry $(filter %.c,$^) -o $@

# ------------------------------------------------------------------------------------------- Python
# What docs/examples/wasi.py runs on, in a folder of its own.
$(PYTHON): tests/examples/requirements.txt | setup
	@rm -rf build/python && python3 -m venv build/python
	build/python/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# JupyterLab, for `make notebooks`.
$(NOTEBOOKS): tests/notebooks/requirements.txt | setup
	@rm -rf build/notebooks && python3 -m venv build/notebooks
	build/notebooks/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

# ------------------------------------------------------------------------------ JavaScript and demo
build/npm/package.json: $(LIBRARY_JS) $(WASM) build/wasm/join.wasm package.json $(NPM_READY) CHANGELOG.md LICENSE $(wildcard docs/*.md docs/demo.png)
	node src/npm/main.mjs

build/site/index.html: $(WEB) build/npm/package.json
	$(BIN)/vite build web

# After the demo, whose build begins with an empty folder. TypeDoc needs TypeScript's old compiler interface, so it is
# installed in a folder of its own, and reads what lies there.
build/site/docs/index.html: build/site/index.html build/npm/package.json $(REFERENCE_READY) $(REFERENCE) README.md
	@cp docs/reference/*.* build/reference
	cd build/reference && node_modules/.bin/typedoc

build/gradlock-demo.html: $(WEB) build/npm/package.json
	node web/build/offline.mjs
