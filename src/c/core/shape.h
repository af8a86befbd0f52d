/* Shapes: up to GLK_MAX_RANK axes, row-major. */
#ifndef GLK_CORE_SHAPE_H
#define GLK_CORE_SHAPE_H

#include "core/context.h"

int glk_shape_equal(const glk_shape *a, const glk_shape *b);
/** Row-major strides in elements; 0 along axes of size 1. */
void glk_shape_strides(const glk_shape *shape, size_t strides[GLK_MAX_RANK]);
/** Product of the sizes along axes from..to - 1; 1 for none. */
size_t glk_shape_product(const glk_shape *shape, uint32_t from, uint32_t to);

/** Check rank, sizes and their product. The message begins with `what`, the shape's use. */
glk_status glk_shape_make(glk_context *context, const char *what, uint32_t rank,
                          const uint32_t *dims, glk_shape *out);
/** The shape both broadcast to, by NumPy's rules; `op` is named in the message. */
glk_status glk_shape_broadcast(glk_context *context, const char *op, const glk_shape *a,
                               const glk_shape *b, glk_shape *out);

#endif
