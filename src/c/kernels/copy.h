/* Copies of boxes between strided arrays; without arithmetic, so that every bit pattern passes. */
#ifndef GLK_KERNELS_COPY_H
#define GLK_KERNELS_COPY_H

#include "kernels/vec.h"

/** A box of elements inside two arrays, with its strides in each, in elements. A stride of 0
 *  repeats an element of the source; a negative one, such as (size_t)-1, steps backwards. */
typedef struct glk_box {
  /** 0 .. GLK_MAX_RANK */
  uint32_t rank;
  uint32_t dims[GLK_MAX_RANK];
  size_t from[GLK_MAX_RANK], to[GLK_MAX_RANK];
} glk_box;

/** Copy a box.
 *  from  real      its first element; reaches as far as box->from says
 *  to    real out  likewise; must not overlap `from` */
void glk_kernel_copy_box(const glk_box *box, const glk_real *from, glk_real *to);
/** Copy a few reals, by vectors: for memory.copy engines leave compiled code.
 *  from, to  [n] real; must not overlap */
void glk_kernel_copy_few(size_t n, const glk_real *from, glk_real *to);

#endif
