/* Moving values without arithmetic: every bit pattern passes through. */
#ifndef GLK_KERNELS_COPY_H
#define GLK_KERNELS_COPY_H

#include "kernels/vec.h"

/** A box of elements inside two arrays; strides in elements. 0 repeats an element of the source,
 *  and the two's complement of a stride, (size_t)-1, steps backwards. */
typedef struct glk_box {
  uint32_t rank; /* 0..GLK_MAX_RANK */
  uint32_t dims[GLK_MAX_RANK];
  size_t from[GLK_MAX_RANK], to[GLK_MAX_RANK];
} glk_box;

/** Copy a box. Source and destination must not overlap. */
void glk_kernel_copy_box(const glk_box *box, const glk_real *from, glk_real *to);

#endif
