/* im2col and col2im: a copy of every tap, or its addition, for a tile of lines that fits the cache
 * (ops/image_conv.c says how many).
 *
 * Source: Chellapilla, Puri & Simard 2006, "High performance convolutional neural networks for
 * document processing". */
#include "kernels/conv.h"

GLK_SHARED void copy(size_t n, const glk_real *from, glk_real *to) {
  for (size_t j = 0; j < n; j += GLK_LANES) {
    vstore_most(to + j, vload_most(from + j, n - j), n - j);
  }
}

GLK_SHARED void add(size_t n, const glk_real *from, glk_real *to) {
  const glk_real *end = from + n;
  GLK_NO_UNROLL
  for (; end - from >= GLK_LANES; from += GLK_LANES, to += GLK_LANES) {
    vstore(to, vload(to) + vload(from));
  }
  GLK_NO_UNROLL
  for (; from < end; from++, to++) *to += *from;
}

static void clear(size_t n, glk_real *to) {
  GLK_NO_UNROLL
  for (size_t j = 0; j < n; j++) to[j] = 0;
}

/* Move one row of taps. row [width, depth] is the image's, `s` where the taps lie in it; line
 * [taps, depth]. */
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

/* Move a window that may overhang. image [height, width, depth], line [y taps, x taps, depth]. */
static void move_window(const glk_windows *w, glk_span y, glk_span x, glk_real *image,
                        glk_real *line, int is_back) {
  const size_t taps = w->x.taps * w->depth, width = w->x.size * w->depth;
  for (size_t t = 0; t < w->y.taps; t++, line += taps) {
    if (t >= y.from && t < y.to) {
      const size_t row = (size_t)(y.at + (ptrdiff_t)(t * w->y.dilation));
      move_row(w, x, image + row * width, line, is_back);
    } else if (!is_back) {
      clear(taps, line);
    }
  }
}

/* Move `n` windows beside each other that do not overhang, the first of which begins at `at`. They
 * are copied as whole vectors: what is read behind a row of taps exists, and what is written behind
 * it is written again by the next row or window. */
static void move_whole(const glk_windows *w, size_t n, glk_real *at, glk_real *line, int is_back) {
  const size_t taps = w->x.taps * w->depth, rows = w->y.taps, step = w->x.stride * w->depth;
  const size_t below = w->y.dilation * w->x.size * w->depth;
  for (; n; n--, at += step) {
    const glk_real *row = at;
    if (is_back) {
      for (size_t t = 0; t < rows; t++, line += taps) add(taps, line, at + t * below);
      continue;
    }
    for (size_t t = rows; t; t--, row += below) {
      const glk_real *from = row;
      glk_real *to = line;
      line += taps;
      do { /* once or more often */
        vstore(to, vload(from));
        to += GLK_LANES, from += GLK_LANES;
      } while (to < line);
    }
  }
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

/* Number of windows from c on, at most `most` and all of one row, that lie inside of the image with
 * their taps side by side and with room behind them; *at is where the first one begins. */
static size_t count_whole(const glk_windows *w, const glk_window *c, size_t most, size_t room,
                          size_t *at) {
  const size_t width = w->x.size * w->depth, step = w->x.stride, x = c->x * step;
  const size_t reach = (w->y.taps - 1) * w->y.dilation * width + w->x.taps * w->depth;
  const size_t right = w->x.size + w->x.before; /* where windows have to end */
  const glk_span y = glk_span_of(&w->y, c->y);
  if (y.from || y.to < w->y.taps || w->x.dilation > 1 || x < w->x.before || x + w->x.taps > right) {
    return 0;
  }
  size_t n = (right - w->x.taps - x) / step + 1;
  n = least(least(n, w->x.count - c->x), most);
  *at = c->image + (size_t)y.at * width + (x - w->x.before) * w->depth;
  const size_t end = *at + reach + (n - 1) * step * w->depth + room;
  return n && end <= w->images * w->y.size * width ? n : 0;
}

static void move(const glk_windows *w, size_t first, size_t count, glk_real *images,
                 glk_real *lines, int is_back) {
  const size_t length = w->y.taps * w->x.taps * w->depth;
  glk_window c = glk_window_at(w, first);
  for (size_t n, at = 0; count; count -= n, lines += n * length) {
    n = is_back ? count_whole(w, &c, count, 0, &at) : count_whole(w, &c, count - 1, GLK_LANES, &at);
    if (n) {
      move_whole(w, n, images + at, lines, is_back);
    } else {
      n = 1;
      move_window(w, glk_span_of(&w->y, c.y), glk_span_of(&w->x, c.x), images + c.image, lines,
                  is_back);
    }
    c.x += n - 1;
    glk_window_advance(w, &c);
  }
}

void glk_kernel_im2col(const glk_windows *w, size_t first, size_t count, const glk_real *images,
                       glk_real *lines) {
  /* images [images, height, width, depth], lines [count, y taps, x taps, depth] + 3 */
  move(w, first, count, (glk_real *)images, lines, 0); /* which it only reads */
}

void glk_kernel_col2im(const glk_windows *w, size_t first, size_t count, const glk_real *lines,
                       glk_real *images) {
  /* lines [count, y taps, x taps, depth], images [images, height, width, depth] */
  move(w, first, count, images, (glk_real *)lines, 1);
}
