/* Orthonormal columns that span what the columns of a matrix span. */
#ifndef GLK_KERNELS_ORTHOGONALIZE_H
#define GLK_KERNELS_ORTHOGONALIZE_H

#include <stddef.h>

#include "gradlock.h"

/** Q of x = Q R, where Q has orthonormal columns and R, upper triangular, nothing negative on its
 *  diagonal: so Q is the only one. Computed in f64, rounded once. Columns that depend on others
 *  give orthonormal ones all the same. x, out   [rows, columns], rows >= columns; out may be x
 *  scratch  [columns, rows]
 *  Source: Householder 1958; kept in place as in LAPACK's dgeqr2 and dorg2r. */
void glk_kernel_orthogonalize(size_t rows, size_t columns, const glk_real *x, double *scratch,
                              glk_real *out);

#endif
