/* Windows as the lines of a matrix and back (im2col, col2im), so that convolutions are products of
 * matrices. */
#ifndef GLK_KERNELS_CONV_H
#define GLK_KERNELS_CONV_H

#include "kernels/window.h"

/** Line i is window `first` + i: its taps, each with all of the depth, zeros where it overhangs.
 *  Behind the last line there is room for three reals more, whose values it may change. */
void glk_kernel_im2col(const glk_windows *w, size_t first, size_t count, const glk_real *images,
                       glk_real *lines);
/** The reverse: add each line to the images where its window lies, in the order of lines. */
void glk_kernel_col2im(const glk_windows *w, size_t first, size_t count, const glk_real *lines,
                       glk_real *images);

#endif
