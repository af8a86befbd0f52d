/* Windows of convolutions and pools from attributes; refuses windows of no size or no room. */
#include "ops/window.h"

static glk_window_axis axis_of(uint32_t size, uint32_t taps, double stride, double dilation,
                               int same) {
  glk_window_axis a = {
      .size = size, .taps = taps, .stride = (size_t)stride, .dilation = (size_t)dilation};
  const size_t reach = (a.taps - 1) * a.dilation + 1;
  if (same) {
    a.count = size ? (size - 1) / a.stride + 1 : 0;
    const size_t needed = a.count ? (a.count - 1) * a.stride + reach : 0;
    a.before = needed > size ? (needed - size) / 2 : 0;
  } else {
    a.count = (size - reach) / a.stride + 1;
  }
  return a;
}

glk_windows glk_windows_of(const glk_attributes *attributes, const glk_shape *x,
                           const uint32_t taps[2], const double *dilation) {
  const uint32_t rank = x->rank - 3, *dims = x->dims + rank;
  const double *given = attributes->values;
  const int same = given[GLK_WINDOW_SAME] != 0;
  glk_windows w = {.depth = dims[2], .images = glk_shape_product(x, 0, rank)};
  w.y = axis_of(dims[0], taps[0], given[GLK_WINDOW_STRIDE_Y], dilation ? dilation[0] : 1, same);
  w.x = axis_of(dims[1], taps[1], given[GLK_WINDOW_STRIDE_X], dilation ? dilation[1] : 1, same);
  return w;
}

glk_status glk_windows_infer(glk_context *context, const glk_op *op,
                             const glk_attributes *attributes, const glk_shape *x,
                             const uint32_t taps[2], const double *dilation, uint32_t depth,
                             glk_shape *out) {
  const int same = attributes->values[GLK_WINDOW_SAME] != 0;
  uint32_t strides[2], dims[GLK_MAX_RANK];
  GLK_TRY(glk_attribute_flag(context, op, attributes, GLK_WINDOW_SAME, "same"));
  GLK_TRY(
      glk_attribute_sizes(context, op, attributes, GLK_WINDOW_STRIDE_Y, 2, 1, "a stride", strides));
  if (x->rank < 3) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shape %S is not of images, expected (..., height, width, channels)",
                    op->name, x);
  }
  for (uint32_t i = 0; i < 2; i++) {
    const uint64_t step = dilation ? (uint64_t)dilation[i] : 1, reach = (taps[i] - 1) * step + 1;
    const uint32_t size = x->dims[x->rank - 3 + i], most = same ? GLK_MAX_ELEMENTS : size;
    if (!taps[i] || reach > most) {
      return glk_fail(context, GLK_ERROR_SHAPE,
                      "%s: windows of %u x %u%s do not fit into images of shape %S%s", op->name,
                      taps[0], taps[1], step > 1 ? ", dilated," : "", x,
                      same ? "" : ", unless padding is 'same'");
    }
  }
  memcpy(dims, x->dims, sizeof dims);
  const glk_windows w = glk_windows_of(attributes, x, taps, dilation);
  dims[x->rank - 3] = (uint32_t)w.y.count;
  dims[x->rank - 2] = (uint32_t)w.x.count;
  dims[x->rank - 1] = depth;
  return glk_shape_make(context, op->name, x->rank, dims, out);
}
