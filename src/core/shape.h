/* Shapes: up to six axes, row-major, and the arithmetic of broadcasting (NumPy's rules). */
#ifndef GLK_CORE_SHAPE_H
#define GLK_CORE_SHAPE_H

#include "core/context.h"

typedef struct glk_shape {
  uint32_t rank;
  uint32_t dims[GLK_MAX_RANK];
  uint32_t count; /* product of dims; 1 for rank 0 */
} glk_shape;

/** Check rank, sizes and their product. `what` the shape is for begins the message. */
glk_status glk_shape_make(glk_context *context, const char *what, uint32_t rank,
                          const uint32_t *dims, glk_shape *out);
int glk_shape_equal(const glk_shape *a, const glk_shape *b);
/** The shape both broadcast to; `op` is named in the message. */
glk_status glk_shape_broadcast(glk_context *context, const char *op, const glk_shape *a,
                               const glk_shape *b, glk_shape *out);
/** Row-major strides in elements; 0 along axes of size 1. */
void glk_shape_strides(const glk_shape *shape, size_t strides[GLK_MAX_RANK]);

#endif
