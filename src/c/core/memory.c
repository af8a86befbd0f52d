/* Memory of a context: counted, zeroed on request, with checked sizes; small blocks are kept for
 * reuse. */
#include "core/memory.h"

#include <stdlib.h>
#include <string.h>

#ifdef __EMSCRIPTEN__
#include <malloc.h>
#endif

enum {
  SMALL_ALIGNMENT = 16,
  LARGE_ALIGNMENT = 64,
  LARGE_BYTES = GLK_SPARE_SIZES * SMALL_ALIGNMENT
};

void *glk_default_allocate(void *user, size_t bytes, size_t alignment) {
  (void)user;
  void *memory = aligned_alloc(alignment, bytes);
#ifdef __EMSCRIPTEN__
  /* Near 4 GB emmalloc's sums wrap and it hands out less than was asked (Emscripten 3.1.6,
   * emmalloc.c, attempt_allocate). */
  if (memory && malloc_usable_size(memory) < bytes) {
    free(memory);
    return NULL;
  }
#endif
  return memory;
}

void glk_default_release(void *user, void *memory) {
  (void)user;
  free(memory);
}

int glk_size_multiply(size_t a, size_t b, size_t *out) {
  return !__builtin_mul_overflow(a, b, out);
}

/* The spare blocks with room for `bytes` bytes; NULL for large ones. */
static glk_spares *spares_for(glk_context *context, size_t bytes) {
  const size_t size = (bytes + SMALL_ALIGNMENT - 1) / SMALL_ALIGNMENT;
  return size < GLK_SPARE_SIZES ? &context->spares[size] : NULL;
}

static void *take_spare(glk_spares *spares) {
  void **block = spares->first;
  spares->first = *block;
  spares->count--;
  return block;
}

int glk_spares_drain(glk_context *context) {
  int found = 0;
  for (uint32_t i = 0; i < GLK_SPARE_SIZES; i++) {
    for (; context->spares[i].count; found = 1) {
      context->allocator.release(context->allocator.user, take_spare(&context->spares[i]));
    }
  }
  return found;
}

static void *ask(glk_context *context, size_t bytes) {
  const glk_allocator *allocator = &context->allocator;
  const size_t alignment = bytes >= LARGE_BYTES ? LARGE_ALIGNMENT : SMALL_ALIGNMENT;
  const size_t asked = bytes ? (bytes + alignment - 1) & ~(alignment - 1) : alignment;
  void *block = allocator->allocate(allocator->user, asked, alignment);
  if (block || !glk_spares_drain(context)) return block;
  return allocator->allocate(allocator->user, asked, alignment);
}

void glk_poison(void *memory, size_t bytes) {
#ifdef GLK_DEBUG
  const uint64_t nans = sizeof(glk_real) == 8 ? 0x7ff5a5a5a5a5a5a5u : 0x7fa5a5a57fa5a5a5u;
  for (size_t i = 0; i < bytes; i++) ((uint8_t *)memory)[i] = (uint8_t)(nans >> i % 8 * 8);
#else
  (void)memory, (void)bytes;
#endif
}

/* The pointer is copied by memcpy: writing it through a void ** would break strict aliasing. */
glk_status glk_allocate_uninitialized(glk_context *context, size_t count, size_t item_bytes,
                                      void *out) {
  size_t bytes;
  if (!glk_size_multiply(count, item_bytes, &bytes) || bytes > SIZE_MAX - LARGE_ALIGNMENT) {
    return glk_fail(context, GLK_ERROR_OUT_OF_MEMORY, "%z items of %z bytes do not fit any memory",
                    count, item_bytes);
  }
  glk_spares *spares = spares_for(context, bytes);
  void *memory = spares && spares->count ? take_spare(spares) : ask(context, bytes);
  if (!memory) {
    return glk_fail(context, GLK_ERROR_OUT_OF_MEMORY,
                    "%z bytes could not be allocated (%z bytes are in use)", bytes, context->bytes);
  }
  glk_poison(memory, bytes);
  context->bytes += bytes;
  context->allocations++;
  if (context->bytes > context->peak_bytes) context->peak_bytes = context->bytes;
  memcpy(out, &memory, sizeof memory);
  return GLK_OK;
}

glk_status glk_allocate(glk_context *context, size_t count, size_t item_bytes, void *out) {
  void *memory;
  GLK_TRY(glk_allocate_uninitialized(context, count, item_bytes, &memory));
  memset(memory, 0, count * item_bytes);
  memcpy(out, &memory, sizeof memory);
  return GLK_OK;
}

void glk_release(glk_context *context, void *memory, size_t count, size_t item_bytes) {
  if (!memory) return;
  context->bytes -= count * item_bytes;
  context->allocations--;
  glk_spares *spares = spares_for(context, count * item_bytes);
  if (!spares || spares->count >= context->most_spares) {
    context->allocator.release(context->allocator.user, memory);
    return;
  }
  *(void **)memory = spares->first;
  spares->first = memory;
  spares->count++;
}

glk_status glk_allocate_reals(glk_context *context, glk_part part, size_t count, glk_real **out) {
  GLK_TRY(glk_allocate_uninitialized(context, count, sizeof **out, out));
  context->part_bytes[part] += count * sizeof **out;
  return GLK_OK;
}

void glk_release_reals(glk_context *context, glk_part part, glk_real *memory, size_t count) {
  if (memory) context->part_bytes[part] -= count * sizeof *memory;
  glk_release(context, memory, count, sizeof *memory);
}

glk_status glk_reserve(glk_context *context, void *items, uint32_t *capacity, uint32_t needed,
                       size_t item_bytes) {
  if (needed <= *capacity) return GLK_OK;
  uint32_t grown = *capacity + *capacity / 2;
  if (grown < 16) grown = 16;
  if (grown < needed) grown = needed;
  void *old, *bigger;
  memcpy(&old, items, sizeof old);
  GLK_TRY(glk_allocate(context, grown, item_bytes, &bigger));
  if (old) memcpy(bigger, old, *capacity * item_bytes);
  glk_release(context, old, *capacity, item_bytes);
  memcpy(items, &bigger, sizeof bigger);
  *capacity = grown;
  return GLK_OK;
}
