/* Helpers of reductions over axes. Attributes as given: keepDims (0 or 1), then axes in any order,
 * negative ones counted from the end. No axes mean all of them, or none if 2 is added to keepDims
 * (TensorFlow's empty list). Attributes in a node: keepDims, then one flag for each axis, 1 =
 * reduced. */
#ifndef GLK_OPS_REDUCE_H
#define GLK_OPS_REDUCE_H

#include "ops/op.h"

/** How a reduction folds: n values in a row, and (rows, columns), with rows `stride` apart, to
 *  columns. `run(0, NULL)` is the fold of nothing. */
typedef struct glk_fold {
  glk_real (*run)(size_t n, const glk_real *x);
  void (*rows)(size_t rows, size_t columns, size_t stride, const glk_real *x, glk_real *out);
  int is_sum;
} glk_fold;

glk_status glk_reduce_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                            glk_attributes *attributes, glk_shape *out);
size_t glk_reduce_scratch(const glk_shape *const *in, const glk_attributes *attributes);
void glk_reduce_run(const glk_call *call, const glk_fold *fold);

/** The reduced shape, by a node's attributes. */
glk_shape glk_reduce_shape(const glk_shape *x, const glk_attributes *attributes, int keep_dims);
/** True if a node's attributes reduce an axis. */
int glk_reduce_has(const glk_attributes *attributes, uint32_t axis);
/** A reduced value with axes of size 1 where `like` was reduced, so that the two broadcast. */
glk_ref glk_reduce_kept(glk_emitter *e, glk_ref value, glk_ref like,
                        const glk_attributes *attributes);
/** Apply a reduction over the same axes as a node's attributes. */
glk_ref glk_reduce_emit(glk_emitter *e, const glk_op *op, glk_ref x, int keep_dims,
                        const glk_attributes *attributes);

#endif
