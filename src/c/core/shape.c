/* Shapes: equality, strides, checks of callers' sizes, and broadcasting by NumPy's rules. Refuses
 * shapes that are too large or do not fit. */
#include "core/shape.h"

#include <string.h>

int glk_shape_equal(const glk_shape *a, const glk_shape *b) {
  return a->rank == b->rank && memcmp(a->dims, b->dims, a->rank * sizeof a->dims[0]) == 0;
}

void glk_shape_strides(const glk_shape *shape, size_t strides[GLK_MAX_RANK]) {
  size_t stride = 1;
  for (uint32_t i = shape->rank; i-- > 0;) {
    strides[i] = shape->dims[i] == 1 ? 0 : stride;
    stride *= shape->dims[i];
  }
}

size_t glk_shape_product(const glk_shape *shape, uint32_t from, uint32_t to) {
  size_t product = 1;
  for (uint32_t a = from; a < to; a++) product *= shape->dims[a];
  return product;
}

glk_status glk_shape_make(glk_context *context, const char *what, uint32_t rank,
                          const uint32_t *dims, glk_shape *out) {
  if (rank > GLK_MAX_RANK) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: rank %u is above the highest, %u", what, rank,
                    (uint32_t)GLK_MAX_RANK);
  }
  if (rank && !dims)
    return glk_fail(context, GLK_ERROR_ARGUMENT, "%s: the sizes are missing", what);
  glk_shape shape = {.rank = rank, .count = 1};
  uint64_t nonzero = 1; /* so that [0, huge, huge] is refused too */
  for (uint32_t i = 0; i < rank; i++) {
    shape.dims[i] = dims[i];
    shape.count *= dims[i];
    if (dims[i] <= GLK_MAX_ELEMENTS) nonzero *= dims[i] ? dims[i] : 1;
    if (dims[i] > GLK_MAX_ELEMENTS || nonzero > GLK_MAX_ELEMENTS) {
      shape.rank = i + 1;
      return glk_fail(context, GLK_ERROR_SHAPE, "%s: shape %S%s holds more than %u elements", what,
                      &shape, i + 1 < rank ? " and on" : "", GLK_MAX_ELEMENTS);
    }
  }
  *out = shape;
  return GLK_OK;
}

glk_status glk_shape_broadcast(glk_context *context, const char *op, const glk_shape *a,
                               const glk_shape *b, glk_shape *out) {
  const uint32_t rank = a->rank > b->rank ? a->rank : b->rank;
  uint32_t dims[GLK_MAX_RANK];
  for (uint32_t i = 0; i < rank; i++) { /* i counts from the last axis */
    const uint32_t da = i < a->rank ? a->dims[a->rank - 1 - i] : 1;
    const uint32_t db = i < b->rank ? b->dims[b->rank - 1 - i] : 1;
    if (da != db && da != 1 && db != 1) {
      return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S do not broadcast", op, a, b);
    }
    dims[rank - 1 - i] = da == 1 ? db : da;
  }
  return glk_shape_make(context, op, rank, dims, out);
}
