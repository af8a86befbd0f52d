/* A copy of every tap, a tile of lines at a time that fits the cache (ops/conv.c says how many).
 *
 * Source: Chellapilla, Puri & Simard 2006, "High performance convolutional neural networks for document processing". */
#include "kernels/conv.h"

static void copy(size_t n, const glk_real *from, glk_real *to) {
  size_t j = 0;
  GLK_NO_UNROLL
  for (; j + GLK_LANES <= n; j += GLK_LANES) vstore(to + j, vload(from + j));
  GLK_NO_UNROLL
  for (; j < n; j++) store_bits(to + j, load_bits(from + j));
}

static void add(size_t n, const glk_real *from, glk_real *to) {
  size_t j = 0;
  GLK_NO_UNROLL
  for (; j + GLK_LANES <= n; j += GLK_LANES) vstore(to + j, vload(to + j) + vload(from + j));
  GLK_NO_UNROLL
  for (; j < n; j++) to[j] += from[j];
}

static void clear(size_t n, glk_real *to) {
  GLK_NO_UNROLL
  for (size_t j = 0; j < n; j++) to[j] = 0;
}

/* One row of taps; `row` is that of the image, and `s` where they lie in it. */
static void move_row(const glk_windows *w, glk_span s, glk_real *row, glk_real *line, int is_back) {
  const size_t depth = w->depth, step = w->x.dilation;
  const size_t together = step == 1 ? s.to - s.from : 1;
  if (!is_back) {
    clear(s.from * depth, line);
    clear((w->x.taps - s.to) * depth, line + s.to * depth);
  }
  for (size_t t = s.from; t < s.to; t += together) {
    glk_real *at = row + (s.at + (ptrdiff_t)(t * step)) * (ptrdiff_t)depth;
    if (is_back) {
      add(together * depth, line + t * depth, at);
    } else {
      copy(together * depth, at, line + t * depth);
    }
  }
}

static void move(const glk_windows *w, size_t first, size_t count, glk_real *images,
                 glk_real *lines, int is_back) {
  const size_t taps = w->x.taps * w->depth, width = w->x.size * w->depth;
  glk_window c = glk_window_at(w, first);
  for (size_t i = 0; i < count; i++, glk_window_advance(w, &c)) {
    const glk_span y = glk_span_of(&w->y, c.y), x = glk_span_of(&w->x, c.x);
    for (size_t t = 0; t < w->y.taps; t++, lines += taps) {
      if (t >= y.from && t < y.to) {
        const size_t row = (size_t)(y.at + (ptrdiff_t)(t * w->y.dilation));
        move_row(w, x, images + c.image + row * width, lines, is_back);
      } else if (!is_back) {
        clear(taps, lines);
      }
    }
  }
}

void glk_kernel_im2col(const glk_windows *w, size_t first, size_t count, const glk_real *images,
                       glk_real *lines) {
  move(w, first, count, (glk_real *)images, lines, 0); /* which it only reads */
}

void glk_kernel_col2im(const glk_windows *w, size_t first, size_t count, const glk_real *lines,
                       glk_real *images) {
  move(w, first, count, images, (glk_real *)lines, 1);
}
