#include "kernels/copy.h"

static void copy_run(size_t n, const glk_real *from, size_t from_stride, glk_real *to,
                     size_t to_stride) {
  if (from_stride == 1 && to_stride == 1) {
    memcpy(to, from, n * sizeof *to);
    return;
  }
  for (size_t i = 0; i < n; i++) memcpy(&to[i * to_stride], &from[i * from_stride], sizeof *to);
}

void glk_kernel_copy_box(const glk_box *box, const glk_real *from, glk_real *to) {
  for (uint32_t a = 0; a < box->rank; a++) {
    if (!box->dims[a]) return;
  }
  if (box->rank == 0) {
    memcpy(to, from, sizeof *to);
    return;
  }
  const uint32_t last = box->rank - 1;
  uint32_t at[GLK_MAX_RANK] = {0};
  for (;;) {
    size_t source = 0, target = 0;
    for (uint32_t a = 0; a < last; a++) {
      source += at[a] * box->from[a];
      target += at[a] * box->to[a];
    }
    copy_run(box->dims[last], from + source, box->from[last], to + target, box->to[last]);
    uint32_t a = last;
    while (a > 0 && ++at[a - 1] == box->dims[a - 1]) at[--a] = 0;
    if (a == 0) return;
  }
}
