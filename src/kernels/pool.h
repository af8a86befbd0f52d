/* Pools: one value for each window and channel. */
#ifndef GLK_KERNELS_POOL_H
#define GLK_KERNELS_POOL_H

#include "kernels/window.h"

/** What becomes of the windows of x in each channel. `to` or `from` has a value for each window,
 *  the other one lies as x does. The largest of several is the first, and the first NaN if there is
 *  one. */
typedef enum glk_pool {
  GLK_POOL_MAX,      /* to[window] = the largest */
  GLK_POOL_MAX_PICK, /* to[window] = from, where x is largest */
  GLK_POOL_MAX_GIVE, /* to, of zeros, where x is largest, += from[window] */
  GLK_POOL_MEAN,     /* to[window] = mean of from */
  /* to, of zeros, everywhere in the window, += from[window] / how many there are */
  GLK_POOL_MEAN_GIVE
} glk_pool;

/** Reals of scratch. */
size_t glk_kernel_pool_scratch(glk_pool kind, const glk_windows *w);
/** All windows in order, of dilation 1 and with one tap or more inside of their image. What
 *  overhangs is left out. What is given is added tap by tap in every row of windows, and means are
 *  sums tap by tap; but where an element is in more than 256 windows on average, they are sums of
 *  sums along the axes. Only the kinds of max read x. */
void glk_kernel_pool(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                     glk_real *to, glk_real *scratch);

/* --------------------------------------------------------------- pools tap by tap (pool_rows.c) */

/** Reals of scratch. */
size_t glk_pool_rows_scratch(glk_pool kind, const glk_windows *w);
/** One image. */
void glk_pool_rows(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                   glk_real *to, glk_real *scratch);
/** Divide each value of a row by how many taps its window has inside of the image, which has so
 *  many rows of them. */
void glk_pool_divide(const glk_windows *w, size_t rows, const glk_real *from, glk_real *to);

#endif
