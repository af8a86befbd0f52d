/* Moving blocks from and to places that a list of indices names, and sorting. Indices were checked
 * before (ops/places.h); nothing here looks again. Lists are walked in their order, so what is
 * named twice gives the same bits everywhere. */
#ifndef GLK_KERNELS_INDEX_H
#define GLK_KERNELS_INDEX_H

#include "kernels/vec.h"

/** `count` blocks of `block` neighbouring reals, each named by `depth` indices along the first axes
 *  of an array. */
typedef struct glk_places {
  size_t count, block;
  uint32_t depth, dims[GLK_MAX_RANK];
  const glk_real *indices; /* [count, depth] */
} glk_places;

/** Which block of the array the row-th one is. */
size_t glk_place(const glk_places *p, size_t row);
/** How many blocks the array has. */
size_t glk_place_count(const glk_places *p);

/** out[row] = x[place of row], blocks each. They must not overlap. */
void glk_kernel_gather(const glk_places *p, const glk_real *x, glk_real *out);
/** Write or combine updates[row] into x[place of row], in the order of rows. They must not
 *  overlap. */
void glk_kernel_scatter(glk_scatter mode, const glk_places *p, const glk_real *updates,
                        glk_real *x);

/** Words that note for each block of the array whether it was seen. */
size_t glk_mark_words(size_t places);
/** Note a place; whether it had been noted before. */
int glk_mark(uint32_t *marks, size_t place);
/** First row whose place an earlier row names too; p->count if there is none. marks[glk_mark_words]
 *  is written over. */
size_t glk_kernel_find_repeat(const glk_places *p, uint32_t *marks);

/** Reals of scratch to sort n. */
size_t glk_sort_scratch(size_t n);
/** out[k * stride] = index of the element that is k-th in order among n <= 2^24 that lie `stride`
 *  apart. Equal ones keep their order, -0 equals 0, and NaN comes last in either direction. */
void glk_kernel_arg_sort(size_t n, size_t stride, int descending, const glk_real *x,
                         glk_real *scratch, glk_real *out);

#endif
