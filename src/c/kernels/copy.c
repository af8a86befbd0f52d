/* Copies of boxes: in runs where both arrays are contiguous along an axis, and by four-by-four
 * transposes where each is contiguous along another one. */
#include "kernels/copy.h"

/* from [n, from_stride], to [n, to_stride]: the first element of each row. */
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

/* to[j * to_stride + i] = from[i * from_stride + j] for `rows` i and `columns` j. Four by four
 * elements pass through registers, eight columns at a time, so that written lines stay in the cache
 * until they are complete. */
static void copy_turned(size_t rows, size_t columns, const glk_real *from, size_t from_stride,
                        glk_real *to, size_t to_stride) {
  enum { TOGETHER = 2 * GLK_LANES };
  const size_t whole_rows = rows - rows % GLK_LANES, whole_columns = columns - columns % GLK_LANES;
  for (size_t first = 0; first < whole_columns; first += TOGETHER) {
    for (size_t i = 0; i < whole_rows; i += GLK_LANES) {
      for (size_t j = first; j < first + TOGETHER && j < whole_columns; j += GLK_LANES) {
        vreal v[GLK_LANES];
        for (size_t k = 0; k < GLK_LANES; k++)
          v[k] = vload(&from[(ptrdiff_t)((i + k) * from_stride) + (ptrdiff_t)j]);
        vtranspose(v);
        for (size_t k = 0; k < GLK_LANES; k++) vstore(&to[(j + k) * to_stride + i], v[k]);
      }
    }
  }
  for (size_t j = 0; j < columns; j++) {
    const size_t i = j < whole_columns ? whole_rows : 0;
    copy_run(rows - i, from + (ptrdiff_t)(i * from_stride) + j, from_stride, to + j * to_stride + i,
             1);
  }
}

/* The same box with fewer axes: none of size 1, and neighbours joined that are one axis to both
 * arrays, so that runs are long. */
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
  /* If the target is contiguous along the last axis and the source along another one, these two
   * are walked together. */
  uint32_t turned = last;
  for (uint32_t a = 0; a < last && box.to[last] == 1; a++) {
    if (box.from[a] == 1) turned = a;
  }
  const uint32_t turned_size = box.dims[turned];
  if (turned != last) box.dims[turned] = 1;
  uint32_t at[GLK_MAX_RANK] = {0};
  for (;;) {
    size_t source = 0, target = 0;
    for (uint32_t a = 0; a < last; a++) {
      source += at[a] * box.from[a];
      target += at[a] * box.to[a];
    }
    if (turned == last) {
      copy_run(box.dims[last], from + (ptrdiff_t)source, box.from[last], to + (ptrdiff_t)target,
               box.to[last]);
    } else {
      copy_turned(box.dims[last], turned_size, from + (ptrdiff_t)source, box.from[last],
                  to + (ptrdiff_t)target, box.to[turned]);
    }
    uint32_t a = last;
    while (a > 0 && ++at[a - 1] == box.dims[a - 1]) at[--a] = 0;
    if (a == 0) return;
  }
}

void glk_kernel_copy_few(size_t n, const glk_real *from, glk_real *to) {
  for (size_t i = 0; i < n; i += GLK_LANES) {
    vstore_most(to + i, vload_most(from + i, n - i), n - i);
  }
}
