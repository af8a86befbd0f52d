/* Checked shapes, made from callers' sizes or by broadcasting; refused with a message. */
#ifndef GLK_CORE_CHECKED_SHAPE_H
#define GLK_CORE_CHECKED_SHAPE_H

#include "core/shape.h"

/** Check rank, sizes and their product. `what` the shape is for begins the message. */
glk_status glk_shape_make(glk_context *context, const char *what, uint32_t rank,
                          const uint32_t *dims, glk_shape *out);
/** The shape both broadcast to, by NumPy's rules; `op` is named in the message. */
glk_status glk_shape_broadcast(glk_context *context, const char *op, const glk_shape *a,
                               const glk_shape *b, glk_shape *out);

#endif
