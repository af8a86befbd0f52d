/* Convolution windows as rows of a matrix and back (im2col, col2im), so that convolutions are
 * products of matrices. */
#ifndef GLK_KERNELS_CONV_H
#define GLK_KERNELS_CONV_H

#include "kernels/window.h"

/** Reals after panels and lines that may be overwritten. */
enum { GLK_PANEL_ROOM = 12 };

/** Copy rows of an image, with zeros around them, for windows that overhang it.
 *  top     the first row; those before 0 and after the image are zeros
 *  padded has the sizes of the copy
 *  image   [height, width, depth] real
 *  to      [padded height, padded width, depth] real out
 *  They must not overlap. */
void glk_kernel_pad(const glk_windows *w, ptrdiff_t top, const glk_windows *padded,
                    const glk_real *image, glk_real *to);
/** Copy windows `first` to `first` + count - 1 into lines; zeros where a window overhangs its
 *  image.
 *  images  [images, height, width, depth] real
 *  lines   [count, taps of y, taps of x, depth] real out
 *  They must not overlap. */
void glk_kernel_im2col(const glk_windows *w, size_t first, size_t count, const glk_real *images,
                       glk_real *lines);
/** The same as a product's packed left operand (glk_kernel_gemm_panels).
 *  panels  [ceil(count / 4), taps of y, taps of x, depth, 4] real out, and GLK_PANEL_ROOM more
 *  lines   [4, taps of y, taps of x, depth] real scratch, and as many more */
void glk_kernel_window_panels(const glk_windows *w, size_t first, size_t count,
                              const glk_real *images, glk_real *panels, glk_real *lines);
/** The reverse: add each line to the images at its window, in the order of lines.
 *  lines   [count, taps of y, taps of x, depth] real
 *  images  [images, height, width, depth] real in/out
 *  They must not overlap. */
void glk_kernel_col2im(const glk_windows *w, size_t first, size_t count, const glk_real *lines,
                       glk_real *images);
/** The same of windows that are columns; windows are added in order.
 *  lines   [taps of y, taps of x, depth, count] real
 *  images  [images, height, width, depth] real in/out
 *  They must not overlap. */
void glk_kernel_col2im_turned(const glk_windows *w, size_t first, size_t count,
                              const glk_real *lines, glk_real *images);

#endif
