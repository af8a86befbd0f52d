/* Shapes and gradients of convolutions, which all rows of image_conv_shapes.h share. Take a loss
 * that is linear in each of x, f and y. Its derivatives are the three rows, so each row's gradients
 * are the other two. */
#include "ops/image_conv_shapes.h"

enum { DILATION_Y = GLK_CONV_DILATION, GIVEN = GLK_CONV_GIVEN, ALL = GLK_CONV_ALL };

/* The shape of y, from those of x and the filter's window. */
static glk_status infer_y(glk_context *context, const glk_op *op, const glk_attributes *attributes,
                          const glk_shape *x, const uint32_t taps[2], uint32_t outputs,
                          glk_shape *out) {
  uint32_t dilation[2];
  GLK_TRY(glk_attribute_sizes(context, op, attributes, DILATION_Y, 2, 1, "a dilation", dilation));
  return glk_windows_infer(context, op, attributes, x, taps, attributes->values + DILATION_Y,
                           outputs, out);
}

/* Check that y has the shape of the output for x. */
static glk_status expect_y(glk_context *context, const glk_op *op, const glk_attributes *attributes,
                           const glk_shape *x, const uint32_t taps[2], const glk_shape *y) {
  glk_shape expected;
  const uint32_t outputs = y->rank ? y->dims[y->rank - 1] : 0;
  GLK_TRY(infer_y(context, op, attributes, x, taps, outputs, &expected));
  if (glk_shape_equal(&expected, y)) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE,
                  "%s: got shape %S, but windows of %u x %u in images of shape %S give %S",
                  op->name, y, taps[0], taps[1], x, &expected);
}

static glk_status expect_filter(glk_context *context, const glk_op *op, const glk_shape *filter) {
  if (filter->rank == 4) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE,
                  "%s: the filter has shape %S, expected (height, width, inputs, outputs)",
                  op->name, filter);
}

static glk_status refuse_channels(glk_context *context, const glk_op *op, const glk_shape *x,
                                  const glk_shape *filter, uint32_t channels) {
  return glk_fail(context, GLK_ERROR_SHAPE,
                  "%s: images of shape %S do not have the %u channels of the filter's shape %S",
                  op->name, x, channels, filter);
}

/* Without channels, the number of outputs of each is undefined. */
static glk_status refuse_outputs(glk_context *context, const glk_op *op, const glk_shape *x,
                                 const glk_shape *other) {
  return glk_fail(context, GLK_ERROR_SHAPE,
                  "%s: images of shape %S do not fit shape %S: there must be channels, "
                  "and equally many outputs for each",
                  op->name, x, other);
}

static int has_channels(const glk_shape *x, uint32_t channels) {
  return x->rank && x->dims[x->rank - 1] == channels;
}

static int is_depthwise(const glk_op *op) { return (op->flags & GLK_OP_DEPTHWISE) != 0; }

/* Too many outputs for 32 bits are none that an image has. */
static uint32_t outputs_of(const glk_op *op, const glk_shape *filter) {
  const uint64_t outputs = (uint64_t)filter->dims[3] * (is_depthwise(op) ? filter->dims[2] : 1);
  return outputs > UINT32_MAX ? UINT32_MAX : (uint32_t)outputs;
}

glk_status glk_conv_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                          glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0], *filter = in[1];
  GLK_TRY(glk_attribute_count(context, op, attributes, GIVEN, GIVEN));
  GLK_TRY(expect_filter(context, op, filter));
  if (!has_channels(x, filter->dims[2]))
    return refuse_channels(context, op, x, filter, filter->dims[2]);
  if (is_depthwise(op) && !filter->dims[2]) return refuse_outputs(context, op, x, filter);
  return infer_y(context, op, attributes, x, filter->dims, outputs_of(op, filter), out);
}

glk_status glk_conv_infer_images(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                 glk_attributes *attributes, glk_shape *out) {
  const glk_shape *y = in[0], *filter = in[1];
  GLK_TRY(glk_attribute_count(context, op, attributes, ALL, ALL));
  GLK_TRY(expect_filter(context, op, filter));
  const uint32_t outputs = outputs_of(op, filter);
  if (y->rank < 3 || !has_channels(y, outputs)) {
    return refuse_channels(context, op, y, filter, outputs);
  }
  glk_shape x = *y;
  uint32_t *sizes = x.dims + x.rank - 3;
  GLK_TRY(glk_attribute_sizes(context, op, attributes, GIVEN, 2, 0, "a size", sizes));
  x.dims[x.rank - 1] = filter->dims[2];
  GLK_TRY(glk_shape_make(context, op->name, x.rank, x.dims, out));
  return expect_y(context, op, attributes, out, filter->dims, y);
}

glk_status glk_conv_infer_filter(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                 glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0], *y = in[1];
  uint32_t dims[4];
  GLK_TRY(glk_attribute_count(context, op, attributes, ALL, ALL));
  GLK_TRY(glk_attribute_sizes(context, op, attributes, GIVEN, 2, 1, "a size", dims));
  GLK_TRY(expect_y(context, op, attributes, x, dims, y));
  dims[2] = x->dims[x->rank - 1];
  dims[3] = y->dims[y->rank - 1];
  if (is_depthwise(op)) {
    if (!dims[2] || dims[3] % dims[2]) return refuse_outputs(context, op, x, y);
    dims[3] /= dims[2];
  }
  return glk_shape_make(context, op->name, 4, dims, out);
}

/* The attributes, with the height and width that some rows need. */
static glk_attributes with_sizes(const glk_attributes *attributes, const uint32_t *sizes) {
  glk_attributes all = *attributes;
  all.count = ALL;
  for (uint32_t i = 0; i < 2; i++) all.values[GIVEN + i] = sizes[i];
  return all;
}

static glk_ref emit_y(glk_emitter *e, const glk_conv_rows *rows, glk_ref x, glk_ref filter,
                      const glk_attributes *attributes) {
  glk_attributes own = *attributes;
  own.count = GIVEN;
  return e->apply(e, rows->y, (const glk_ref[]){x, filter}, &own);
}

/* The gradient by images of the shape of x. */
static glk_ref emit_x(glk_emitter *e, const glk_conv_rows *rows, glk_ref y, glk_ref filter,
                      glk_ref x, const glk_attributes *attributes) {
  const glk_shape images = e->shape(e, x);
  const glk_attributes all = with_sizes(attributes, images.dims + images.rank - 3);
  return e->apply(e, rows->images, (const glk_ref[]){y, filter}, &all);
}

/* The gradient by a filter of the shape of f. */
static glk_ref emit_filter(glk_emitter *e, const glk_conv_rows *rows, glk_ref x, glk_ref y,
                           glk_ref f, const glk_attributes *attributes) {
  const glk_shape filter = e->shape(e, f);
  const glk_attributes all = with_sizes(attributes, filter.dims);
  return e->apply(e, rows->filter, (const glk_ref[]){x, y}, &all);
}

void glk_conv_gradient(glk_emitter *e, glk_gradient *g, const glk_conv_rows *rows) {
  if (g->needs_gradient[0]) g->d[0] = emit_x(e, rows, g->dy, g->in[1], g->in[0], g->attributes);
  if (g->needs_gradient[1])
    g->d[1] = emit_filter(e, rows, g->in[0], g->dy, g->in[1], g->attributes);
}

void glk_conv_images_gradient(glk_emitter *e, glk_gradient *g, const glk_conv_rows *rows) {
  if (g->needs_gradient[0]) g->d[0] = emit_y(e, rows, g->dy, g->in[1], g->attributes);
  if (g->needs_gradient[1])
    g->d[1] = emit_filter(e, rows, g->dy, g->in[0], g->in[1], g->attributes);
}

void glk_conv_filter_gradient(glk_emitter *e, glk_gradient *g, const glk_conv_rows *rows) {
  if (g->needs_gradient[0]) g->d[0] = emit_x(e, rows, g->in[1], g->dy, g->in[0], g->attributes);
  if (g->needs_gradient[1]) g->d[1] = emit_y(e, rows, g->in[0], g->dy, g->attributes);
}
