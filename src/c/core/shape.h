/* Shapes: up to GLK_MAX_RANK axes, row-major. What is here cannot fail; see
 * core/checked_shape.h. */
#ifndef GLK_CORE_SHAPE_H
#define GLK_CORE_SHAPE_H

#include "core/exact.h"
#include "gradlock.h"

typedef struct glk_shape {
  uint32_t rank;
  uint32_t dims[GLK_MAX_RANK];
  /** Product of dims; 1 for rank 0. */
  uint32_t count;
} glk_shape;

int glk_shape_equal(const glk_shape *a, const glk_shape *b);
/** Row-major strides in elements; 0 along axes of size 1. */
void glk_shape_strides(const glk_shape *shape, size_t strides[GLK_MAX_RANK]);

#endif
