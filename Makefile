# gradlock: how everything is built, tested and served. `make` alone prints what there is.
# All output goes to build/ (and node_modules/); .ci/setup.sh installs what a machine lacks.

MAKEFLAGS += --no-builtin-rules
.SUFFIXES:
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help

PORT ?= 5173
# Compiling says what, not how; `make V=1` shows the commands.
Q := $(if $(V),,@)
BIN := node_modules/.bin
NPM_READY := node_modules/.package-lock.json

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
CFLAGS := -std=c11 -Isrc -ffp-contract=off -fno-math-errno -Wall -Wextra -Wno-psabi $(WERROR) -MMD -MP
SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
STACK_BYTES := 262144

# Every engine with SIMD has memory.copy and memory.fill, which beat libc's loops in size and speed, and conversions to
# integers that do not trap, which need no branches around them.
FEATURES := -msimd128 -mbulk-memory -mnontrapping-fptoint -msign-ext

# A way is a compiler with flags; each has its own objects. The first two make the library.
CC_emscripten = $(EMCC) $(FEATURES) -Oz -fno-jump-tables -DGLK_TINY
CC_reactor = $(WASI_CC) $(FEATURES) -Os
CC_wasi = $(WASI_CC) $(FEATURES) -O3 -g -DGLK_DEBUG=1
CC_native = $(CLANG) -O1 -g $(SANITIZE) -DGLK_DEBUG=1
CC_double = $(CLANG) -O2 -g $(SANITIZE) -DGLK_DEBUG=1 -DGLK_DOUBLE
# Arithmetic in inner loops is built for speed, and so is what every call asks for; all else for size.
