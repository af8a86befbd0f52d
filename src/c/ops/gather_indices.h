/* Shapes and checks of ops that take indices; an index out of range is refused. Indices are whole
 * reals; f32 counts exactly up to 2^24, so longer axes are refused. Nothing ever wraps, clamps or
 * is dropped. */
#ifndef GLK_OPS_GATHER_INDICES_H
#define GLK_OPS_GATHER_INDICES_H

#include "kernels/index.h"
#include "ops/op.h"

#define GLK_MAX_INDEXED ((uint32_t)1 << 24)

/** Attribute `index` as an axis of x, made 0 or more. GLK_ERROR_LIMIT if it is too long to be
 *  indexed. */
glk_status glk_indexed_axis(glk_context *context, const glk_op *op, glk_attributes *attributes,
                            uint32_t index, const glk_shape *x, uint32_t *out);

/** Return GLK_ERROR_INDEX unless every value is a whole number below the size of its axis; value i
 *  of `indices` belongs to size i % depth. `what` is the operand's name. */
glk_status glk_check_indices(glk_context *context, const char *op, const char *what,
                             const glk_shape *indices, const glk_real *values, const uint32_t *dims,
                             uint32_t depth);

/** The last axis of `indices` has indices of the first axes of x. Check its size, and return the
 *  shape of the selected part, indices.shape[:-1] + x.shape[depth:]. */
glk_status glk_gather_infer(glk_context *context, const char *op, const glk_shape *x,
                            const glk_shape *indices, glk_shape *out);
/** The same, as kernels take it. */
glk_gather_indices glk_gather_indices_of(const glk_shape *x, const glk_shape *indices,
                                         const glk_real *values);

/** The same as glk_gather_infer for x, indices and updates; it checks the shape of updates, too. */
glk_status glk_scatter_infer(glk_context *context, const char *op, const glk_shape *x,
                             const glk_shape *indices, const glk_shape *updates);
/** Return GLK_ERROR_ARGUMENT if two rows of indices are equal. */
glk_status glk_check_no_repeats(glk_context *context, const char *op, const glk_gather_indices *p,
                                uint32_t *marks);

#endif
