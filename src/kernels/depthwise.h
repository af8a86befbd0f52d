/* Convolutions of each channel by itself, and their gradients: one loop over windows and taps. */
#ifndef GLK_KERNELS_DEPTHWISE_H
#define GLK_KERNELS_DEPTHWISE_H

#include "kernels/window.h"

/** Which of the three tensors is computed from the other two. */
typedef enum glk_depthwise {
  /** y[window, o] = sum over taps: x[tap, o / multiplier] f[tap, o] */
  GLK_DEPTHWISE_Y,
  /** x[tap, o / multiplier] += y[window, o] f[tap, o] */
  GLK_DEPTHWISE_X,
  /** f[tap, o] += x[tap, o / multiplier] y[window, o] */
  GLK_DEPTHWISE_F
} glk_depthwise;

/** Visit all windows in order, and in each the taps that lie inside of its image, row by row; what
 *  overhangs is left out.
 *  x  [images, height, width, depth] real
 *  f  [taps of y, taps of x, depth, multiplier] real
 *  y  [images, windows of y, windows of x, depth, multiplier] real
 *  One of them is out: Y is written, X and F are added to. They must not overlap. */
void glk_kernel_depthwise(glk_depthwise kind, const glk_windows *w, size_t multiplier, glk_real *x,
                          glk_real *f, glk_real *y);

#endif
