/* Gather and scatter of blocks by lists of indices, and sorting. Indices are not checked here
 * (ops/gather_indices.h does). Lists are walked in their order, so blocks that are listed twice
 * give the same bits everywhere. */
#ifndef GLK_KERNELS_INDEX_H
#define GLK_KERNELS_INDEX_H

#include "kernels/vec.h"

/** A list of `count` blocks of an array [dims[0], ..., dims[depth - 1], block]. */
typedef struct glk_gather_indices {
  size_t count, block;
  uint32_t depth, dims[GLK_MAX_RANK];
  /** [count, depth] real: whole numbers, 0 <= indices[row, k] < dims[k]. */
  const glk_real *indices;
} glk_gather_indices;

/** Number of the block that row `row` of the list names. */
size_t glk_gather_index(const glk_gather_indices *p, size_t row);
/** Number of blocks of the array. */
size_t glk_gather_block_count(const glk_gather_indices *p);

/** out[row] = x[index of row]: out [count, block], x [blocks, block]. They must not overlap. */
void glk_kernel_gather(const glk_gather_indices *p, const glk_real *x, glk_real *out);
/** x[index of row] = or += (by mode) updates[row], in the order of rows: x [blocks, block] in/out,
 *  updates [count, block]. They must not overlap. */
void glk_kernel_scatter(glk_scatter mode, const glk_gather_indices *p, const glk_real *updates,
                        glk_real *x);

/** Words of a set of marks, one bit for each index. */
size_t glk_mark_words(size_t blocks);
/** Mark a index; returns 1 if it was marked before. */
int glk_mark(uint32_t *marks, size_t index);
/** First row whose index an earlier row names too; p->count if there is none. marks
 *  [glk_mark_words()] is overwritten. */
size_t glk_kernel_find_repeat(const glk_gather_indices *p, uint32_t *marks);

/** Reals of scratch to sort n. */
size_t glk_sort_scratch(size_t n);
/** out[k * stride] = index of the k-th in order among x[i * stride], for 0 <= i, k < n <= 2^24.
 *  Equal elements keep their order, -0 equals 0, and NaN comes last in either direction.
 *  x, out   [n, stride] real: the first element of each row
 *  scratch  [glk_sort_scratch(n)] */
void glk_kernel_arg_sort(size_t n, size_t stride, int descending, const glk_real *x,
                         glk_real *scratch, glk_real *out);

#endif
