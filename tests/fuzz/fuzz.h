/* What the fuzzers share: reading their input, memory that is counted and can run out, and how they say that a promise was
 * broken. A fuzzer is a function of bytes; libFuzzer finds bytes (make fuzz), replay.c reads them from files (make
 * fuzz-regress). What bytes mean must not change: inputs/ keeps those that once failed. */
#ifndef GLK_TESTS_FUZZ_H
#define GLK_TESTS_FUZZ_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gradlock.h"

/** The fuzzer: 0, or -1 for an input that is not worth keeping. It aborts where a promise is broken. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Say which promise was broken, and abort. */
#define BROKEN(...)               \
  do {                            \
    fprintf(stderr, "BROKEN: ");  \
    fprintf(stderr, __VA_ARGS__); \
    fprintf(stderr, "\n");        \
    abort();                      \
  } while (0)

/* ---------------------------------------------------------------------------------------------- bytes */

/** What is left of the input. Behind its end there are zeros. */
typedef struct bytes {
  const uint8_t *at;
  size_t left;
} bytes;

static inline uint32_t next_u8(bytes *b) {
  if (!b->left) return 0;
  b->left--;
  return *b->at++;
}

static inline uint32_t next_u16(bytes *b) {
  const uint32_t low = next_u8(b);
  return low | next_u8(b) << 8;
}

static inline uint32_t next_u32(bytes *b) {
  const uint32_t low = next_u16(b);
  return low | next_u16(b) << 16;
}

/** Below n, from one byte; 0 for none. */
static inline uint32_t next_below(bytes *b, uint32_t n) { return n ? next_u8(b) % n : 0; }

/** FNV-1a, by which lock sets and states are sealed. */
static inline uint32_t checksum(const uint8_t *data, size_t size) {
  uint32_t hash = 2166136261u;
  for (size_t i = 0; i < size; i++) hash = (hash ^ data[i]) * 16777619u;
  return hash;
}

/* --------------------------------------------------------------------------------------------- memory */

/** The memory of one context. */
typedef struct heap {
  size_t live, blocks; /* held now */
  size_t most;         /* that may be held */
  size_t largest;      /* block that was asked for */
  long countdown;      /* fails the countdown-th request from now; negative: never */
} heap;

/* Before each block; as large as any alignment. */
enum { HEAD = 64 };

static inline void *heap_allocate(void *user, size_t size, size_t alignment) {
  heap *h = user;
  if (size > h->largest) h->largest = size;
  if (h->countdown > 0 && --h->countdown == 0) {
    h->countdown = -1;
    return NULL;
  }
  if (size > h->most || h->live + size > h->most || alignment > HEAD) return NULL;
  uint8_t *block = aligned_alloc(HEAD, HEAD + (size + HEAD - 1) / HEAD * HEAD);
  if (!block) return NULL;
  memcpy(block, &size, sizeof size);
  h->live += size;
  h->blocks++;
  return block + HEAD;
}

static inline void heap_release(void *user, void *memory) {
  heap *h = user;
  size_t size;
  if (!memory) return;
  memcpy(&size, (uint8_t *)memory - HEAD, sizeof size);
  h->live -= size;
  h->blocks--;
  free((uint8_t *)memory - HEAD);
}

static inline glk_context *context_on(heap *h) {
  const glk_allocator allocator = {heap_allocate, heap_release, h};
  glk_context *context = NULL;
  if (glk_context_create(&allocator, &context) != GLK_OK) BROKEN("there is no context");
  return context;
}

static inline void dispose_all(glk_context *context, const heap *h) {
  glk_context_dispose(context);
  if (h->blocks || h->live) BROKEN("%zu blocks, %zu bytes leak", h->blocks, h->live);
}

/** Elements of a shape, as far as 2^40. */
static inline size_t product(uint32_t rank, const uint32_t *dims) {
  const size_t most = (size_t)1 << 40;
  size_t count = 1;
  for (uint32_t a = 0; a < rank && a < GLK_MAX_RANK; a++) {
    if (dims[a] && count > most / dims[a]) return most;
    count *= dims[a];
  }
  return count;
}

#endif
