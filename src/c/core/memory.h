/* Memory through the context's allocator, counted, with every size computed by checked
 * arithmetic. */
#ifndef GLK_CORE_MEMORY_H
#define GLK_CORE_MEMORY_H

#include "core/context.h"

/** The C library's allocator, the default of a context. Returns NULL if there is no memory. */
void *glk_default_allocate(void *user, size_t bytes, size_t alignment);
void glk_default_release(void *user, void *memory);

/** *out = a * b; 0 if that overflows. */
int glk_size_multiply(size_t a, size_t b, size_t *out);

/** `count` zeroed items of `item_bytes`; 16-byte aligned, 64 from 1 kB up. 0 items give a block.
 *  out  the address of a pointer to the items, which changes on success only */
glk_status glk_allocate(glk_context *context, size_t count, size_t item_bytes, void *out);
/** The same, but the items are not initialised: use it if all are written before they are read. */
glk_status glk_allocate_uninitialized(glk_context *context, size_t count, size_t item_bytes,
                                      void *out);
/** Fill memory that is not written yet with signalling NaNs in a debug build, where arithmetic with
 *  them raises FE_INVALID (tests/c/test_unwritten.c). Elsewhere it stays as it is. */
void glk_poison(void *memory, size_t bytes);
/** Free the result of glk_allocate, with the same sizes. NULL is allowed. */
void glk_release(glk_context *context, void *memory, size_t count, size_t item_bytes);
/** glk_allocate_uninitialized of reals that count as one part of the memory, and back. */
glk_status glk_allocate_reals(glk_context *context, glk_part part, size_t count, glk_real **out);
void glk_release_reals(glk_context *context, glk_part part, glk_real *memory, size_t count);

/** Give blocks that wait for reuse back to the allocator; whether there were any. */
int glk_spares_drain(glk_context *context);

/** Make room for `needed` items in a growing array, in steps of half its capacity.
 *  items  the address of the array's pointer, which may change */
glk_status glk_reserve(glk_context *context, void *items, uint32_t *capacity, uint32_t needed,
                       size_t item_bytes);

#endif
