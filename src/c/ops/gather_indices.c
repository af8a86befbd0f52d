/* Shapes of indexed blocks, and checks of indices: refuses indices that are not whole numbers in
 * range. */
#include "ops/gather_indices.h"

#include <string.h>

static glk_status refuse_long_axis(glk_context *context, const char *op, const glk_shape *x,
                                   uint32_t axis) {
  if (x->dims[axis] <= GLK_MAX_INDEXED) return GLK_OK;
  return glk_fail(context, GLK_ERROR_LIMIT,
                  "%s: axis %u of shape %S is longer than %u, the highest index", op, axis, x,
                  GLK_MAX_INDEXED);
}

glk_status glk_indexed_axis(glk_context *context, const glk_op *op, glk_attributes *attributes,
                            uint32_t index, const glk_shape *x, uint32_t *out) {
  GLK_TRY(glk_attribute_axis(context, op, attributes, index, "the axis", x->rank, out));
  return refuse_long_axis(context, op->name, x, *out);
}

glk_status glk_check_indices(glk_context *context, const char *op, const char *what,
                             const glk_shape *indices, const glk_real *values, const uint32_t *dims,
                             uint32_t depth) {
  for (uint32_t i = 0; i < indices->count; i++) {
    const glk_real value = values[i];
    const uint32_t size = dims[i % depth];
    if (value >= 0 && value < (glk_real)size && value == (glk_real)(uint32_t)value) continue;
    glk_shape at = {.rank = indices->rank};
    for (uint32_t a = at.rank, rest = i; a-- > 0; rest /= indices->dims[a]) {
      at.dims[a] = rest % indices->dims[a];
    }
    return glk_fail(context, GLK_ERROR_INDEX,
                    "%s: %s%S is %g, expected a whole number, at least 0 and below %u", op, what,
                    &at, (double)value, size);
  }
  return GLK_OK;
}

glk_status glk_gather_infer(glk_context *context, const char *op, const glk_shape *x,
                            const glk_shape *indices, glk_shape *out) {
  uint32_t dims[2 * GLK_MAX_RANK];
  if (!indices->rank) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: indices of rank 0; their last axis must hold one number for each axis",
                    op);
  }
  const uint32_t rows = indices->rank - 1, depth = indices->dims[rows];
  if (depth > x->rank) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: indices of shape %S name %u axes, but shape %S has %u", op, indices, depth,
                    x, x->rank);
  }
  for (uint32_t k = 0; k < depth; k++) GLK_TRY(refuse_long_axis(context, op, x, k));
  memcpy(dims, indices->dims, rows * sizeof *dims);
  memcpy(dims + rows, x->dims + depth, (x->rank - depth) * sizeof *dims);
  return glk_shape_make(context, op, rows + x->rank - depth, dims, out);
}

glk_gather_indices glk_gather_indices_of(const glk_shape *x, const glk_shape *indices,
                                         const glk_real *values) {
  const uint32_t last = indices->rank - 1, depth = indices->dims[last];
  glk_gather_indices p = {.count = glk_shape_product(indices, 0, last),
                          .block = glk_shape_product(x, depth, x->rank),
                          .depth = depth,
                          .indices = values};
  memcpy(p.dims, x->dims, depth * sizeof *p.dims);
  return p;
}

glk_status glk_scatter_infer(glk_context *context, const char *op, const glk_shape *x,
                             const glk_shape *indices, const glk_shape *updates) {
  glk_shape expected;
  GLK_TRY(glk_gather_infer(context, op, x, indices, &expected));
  if (glk_shape_equal(updates, &expected)) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE,
                  "%s: updates of shape %S do not fit indices of shape %S into shape %S, "
                  "expected %S",
                  op, updates, indices, x, &expected);
}

glk_status glk_check_no_repeats(glk_context *context, const char *op, const glk_gather_indices *p,
                                uint32_t *marks) {
  const size_t row = glk_kernel_find_repeat(p, marks);
  if (row == p->count) return GLK_OK;
  glk_shape index = {.rank = p->depth};
  for (uint32_t k = 0; k < p->depth; k++) {
    index.dims[k] = (uint32_t)p->indices[row * p->depth + k];
  }
  return glk_fail(context, GLK_ERROR_ARGUMENT,
                  "%s: index %S appears again at number %z of the indices; say whether the last "
                  "duplicate or the sum counts",
                  op, &index, row);
}
