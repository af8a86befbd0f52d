/* Equality and strides of shapes. */
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
