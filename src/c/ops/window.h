/* Windows of convolutions and pools: their positions in images, and checks of their attributes. */
#ifndef GLK_OPS_WINDOW_H
#define GLK_OPS_WINDOW_H

#include "kernels/window.h"
#include "ops/op.h"

/** The first attributes of each such op: 1 for padding `same`, 0 for `valid`, and the strides. */
enum { GLK_WINDOW_SAME, GLK_WINDOW_STRIDE_Y, GLK_WINDOW_STRIDE_X, GLK_WINDOW_ATTRIBUTES };

/** Check these attributes, and that windows of `taps` fit into images x, (..., height, width,
 *  depth); `dilation` NULL means 1 and 1. out = (..., windows in y, windows in x, `depth`). */
glk_status glk_windows_infer(glk_context *context, const glk_op *op,
                             const glk_attributes *attributes, const glk_shape *x,
                             const uint32_t taps[2], const double *dilation, uint32_t depth,
                             glk_shape *out);
/** Positions of the windows, after that check. As in TensorFlow, `same` pads so that ceil(size /
 *  stride) windows fit; if the padding is odd, one more is added after than before. */
glk_windows glk_windows_of(const glk_attributes *attributes, const glk_shape *x,
                           const uint32_t taps[2], const double *dilation);
/** All windows of all images. */
static inline size_t glk_windows_count(const glk_windows *w) {
  return w->images * w->y.count * w->x.count;
}

#endif
