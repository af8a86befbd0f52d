/* Pools of images and their gradients: one value for each window and channel. */
#ifndef GLK_KERNELS_POOL_H
#define GLK_KERNELS_POOL_H

#include "kernels/window.h"

/** Computations of a pool, for each window and channel. With images [images, height, width, depth]
 *  and windows [images, windows of y, windows of x, depth], the *_GIVE kinds have `from` like
 *  windows and `to` like images, the others `from` like images and `to` like windows. The largest
 *  element of a window is the first of equals, and the first NaN if there is one. */
typedef enum glk_pool {
  /** to[window] = the largest of x in it */
  GLK_POOL_MAX,
  /** to[window] = from, where x is largest in it */
  GLK_POOL_MAX_PICK,
  /** to += from[window], where x is largest in it */
  GLK_POOL_MAX_GIVE,
  /** to[window] = mean of from in it */
  GLK_POOL_MEAN,
  /** to += from[window] / taps inside of the image, everywhere in it */
  GLK_POOL_MEAN_GIVE
} glk_pool;

/** Reals of scratch. */
size_t glk_kernel_pool_scratch(glk_pool kind, const glk_windows *w);
/** Compute a kind of pool over all windows, which have dilation 1 and at least one tap inside of
 *  their image; taps that overhang are skipped.
 *  x        [images, height, width, depth] real; read by the kinds of max only, else NULL
 *  from     real, like images or like windows, see glk_pool
 *  to       real out, likewise; zeros at first for the *_GIVE kinds; overlaps nothing
 *  scratch  [glk_kernel_pool_scratch()]
 *  Means and what is given are summed tap by tap in each row of windows; but where an element is in
 *  more than 256 windows on average, they are sums of sums along the axes. */
void glk_kernel_pool(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                     glk_real *to, glk_real *scratch);

/* Pools tap by tap (pool_rows.c). */

/** Reals of scratch. */
size_t glk_pool_rows_scratch(glk_pool kind, const glk_windows *w);
/** glk_kernel_pool for one image. */
void glk_pool_rows(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                   glk_real *to, glk_real *scratch);
/** to = from / taps inside of the image, for a row of windows that have `rows` rows of taps inside:
 *  to, from [windows of x, depth]; they may be the same. */
void glk_pool_divide(const glk_windows *w, size_t rows, const glk_real *from, glk_real *to);

#endif
