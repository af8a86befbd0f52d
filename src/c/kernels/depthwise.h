/* Convolutions of each channel separately, and their gradients. */
#ifndef GLK_KERNELS_DEPTHWISE_H
#define GLK_KERNELS_DEPTHWISE_H

#include "kernels/window.h"

/** Which of the three tensors is computed from the other two. */
typedef enum glk_depthwise {
  /** y[window, o] = sum over taps: x[tap, o / multiplier] f[tap, o] */
  GLK_DEPTHWISE_Y,
  /** x[tap, o / multiplier] = sum over windows: y[window, o] f[tap, o] */
  GLK_DEPTHWISE_X,
  /** f[tap, o] = sum over windows: x[tap, o / multiplier] y[window, o] */
  GLK_DEPTHWISE_F
} glk_depthwise;

/** Every sum begins at +0. An element of Y is a sum over the taps of a window, row by row, one of X
 *  or F over windows, in order. Taps outside of the image are skipped.
 *  x       [images, height, width, depth] real
 *  f       [taps of y, taps of x, depth, multiplier] real
 *  y       [images, windows of y, windows of x, depth, multiplier] real
 *  unread  bits  bit i is 1 where element i of F is not needed; NULL: all are
 *  The tensor of `kind` is out, the others are in. They must not overlap. */
void glk_kernel_depthwise(glk_depthwise kind, const glk_windows *w, size_t multiplier, glk_real *x,
                          glk_real *f, glk_real *y, const uint32_t *unread);

#endif
