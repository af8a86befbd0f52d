/* Shared parts of the rows of convolutions. A convolution has three tensors: images x, a filter f
 * and the output y. Each kind has three rows, which compute one of the tensors from the other two;
 * so each row is a gradient of the others. The table lists the rows of a kind in the order y, x,
 * f. */
#ifndef GLK_OPS_IMAGE_CONV_SHAPES_H
#define GLK_OPS_IMAGE_CONV_SHAPES_H

#include "ops/window.h"

/** Attributes after those of windows. The last two, where a row has them: the height and width of
 *  the images or the filter. */
enum {
  GLK_CONV_DILATION = GLK_WINDOW_ATTRIBUTES,
  GLK_CONV_GIVEN = GLK_CONV_DILATION + 2,
  GLK_CONV_ALL = GLK_CONV_GIVEN + 2
};

/** The shape of y; in: x (..., height, width, channels), f (height, width, channels, outputs). With
 *  GLK_OP_DEPTHWISE, f has this number of outputs for each channel. */
glk_status glk_conv_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                          glk_attributes *attributes, glk_shape *out);
/** The shape of x; in: y, f. */
glk_status glk_conv_infer_images(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                 glk_attributes *attributes, glk_shape *out);
/** The shape of f; in: x, y. */
glk_status glk_conv_infer_filter(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                 glk_attributes *attributes, glk_shape *out);

/** The rows of one kind of convolution: of y from x and f, of x from y and f, of f from x and y. */
typedef struct glk_conv_rows {
  const glk_op *y, *images, *filter;
} glk_conv_rows;

/** Gradients of these rows. */
void glk_conv_gradient(glk_emitter *e, glk_gradient *g, const glk_conv_rows *rows);
void glk_conv_images_gradient(glk_emitter *e, glk_gradient *g, const glk_conv_rows *rows);
void glk_conv_filter_gradient(glk_emitter *e, glk_gradient *g, const glk_conv_rows *rows);

#endif
