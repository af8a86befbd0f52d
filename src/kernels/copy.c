#include "kernels/copy.h"

static void copy_run(size_t n, const glk_real *from, size_t from_stride, glk_real *to,
                     size_t to_stride) {
  if (from_stride == 1 && to_stride == 1) {
    memcpy(to, from, n * sizeof *to);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    memcpy(&to[(ptrdiff_t)(i * to_stride)], &from[(ptrdiff_t)(i * from_stride)], sizeof *to);
  }
}

/* Axes in fewer steps: none of size 1, and neighbours that both arrays walk as one joined, so that runs are long. */
static void join_axes(const glk_box *box, glk_box *out) {
  out->rank = 0;
  for (uint32_t a = 0; a < box->rank; a++) {
    if (box->dims[a] == 1) continue;
    const uint32_t last = out->rank - 1;
    if (out->rank && out->from[last] == box->from[a] * box->dims[a] &&
        out->to[last] == box->to[a] * box->dims[a]) {
      out->dims[last] *= box->dims[a];
    } else {
      out->dims[out->rank++] = box->dims[a];
    }
    out->from[out->rank - 1] = box->from[a];
    out->to[out->rank - 1] = box->to[a];
  }
}

void glk_kernel_copy_box(const glk_box *given, const glk_real *from, glk_real *to) {
  glk_box box;
  for (uint32_t a = 0; a < given->rank; a++) {
    if (!given->dims[a]) return;
  }
  join_axes(given, &box);
  if (box.rank == 0) {
    memcpy(to, from, sizeof *to);
    return;
  }
  const uint32_t last = box.rank - 1;
  uint32_t at[GLK_MAX_RANK] = {0};
  for (;;) {
    size_t source = 0, target = 0;
    for (uint32_t a = 0; a < last; a++) {
      source += at[a] * box.from[a];
      target += at[a] * box.to[a];
    }
    copy_run(box.dims[last], from + (ptrdiff_t)source, box.from[last], to + (ptrdiff_t)target,
             box.to[last]);
    uint32_t a = last;
    while (a > 0 && ++at[a - 1] == box.dims[a - 1]) at[--a] = 0;
    if (a == 0) return;
  }
}
