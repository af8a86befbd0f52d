/* Convolution windows as rows of a matrix and back (im2col, col2im), so that convolutions are
 * products of matrices. */
#ifndef GLK_KERNELS_CONV_H
#define GLK_KERNELS_CONV_H

#include "kernels/window.h"

/** Copy windows `first` to `first` + count - 1 into lines; zeros where a window overhangs its
 *  image.
 *  images  [images, height, width, depth] real
 *  lines   [count, taps of y, taps of x, depth] real out; behind the last line there is room for
 *          three reals more, which may be overwritten
 *  They must not overlap. */
void glk_kernel_im2col(const glk_windows *w, size_t first, size_t count, const glk_real *images,
                       glk_real *lines);
/** The reverse: add each line to the images where its window lies, in the order of lines.
 *  lines   [count, taps of y, taps of x, depth] real
 *  images  [images, height, width, depth] real in/out
 *  They must not overlap. */
void glk_kernel_col2im(const glk_windows *w, size_t first, size_t count, const glk_real *lines,
                       glk_real *images);

#endif
