/* QR decomposition, of which only Q is kept: orthonormal columns with the same span as the columns
 * of a matrix. */
#ifndef GLK_KERNELS_ORTHOGONALIZE_H
#define GLK_KERNELS_ORTHOGONALIZE_H

#include <stddef.h>

#include "gradlock.h"

/** Reals of f64 that orthogonalizing takes. */
size_t glk_kernel_orthogonalize_scratch(size_t rows, size_t columns);

/** out = Q of x = Q R, with Q's columns orthonormal, R upper triangular and nothing negative on R's
 *  diagonal, which makes Q unique. Computed in f64, rounded once. Linearly dependent columns give
 *  orthonormal ones, too.
 *  x        [rows, columns] real, rows >= columns
 *  scratch  [glk_kernel_orthogonalize_scratch()] f64, aligned to 16 bytes
 *  out      [rows, columns] real out; may be x
 *  Source: Householder 1958; the reflections are those of LAPACK's dgeqr2 and dorg2r. */
void glk_kernel_orthogonalize(size_t rows, size_t columns, const glk_real *x, double *scratch,
                              glk_real *out);

#endif
