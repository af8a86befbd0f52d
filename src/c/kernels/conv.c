/* im2col and col2im: they copy every tap, or add it, for a tile of lines that fits into the cache
 * (ops/image_conv.c chooses its size). Forward, windows go to the packed panels of a product at
 * once; back, those of few channels come as columns, a row for each tap.
 *
 * Source: Chellapilla, Puri & Simard 2006, "High performance convolutional neural networks for
 * document processing". */
#include "kernels/conv.h"

#include "kernels/copy.h"

GLK_SHARED void add(size_t n, const glk_real *from, glk_real *to) {
  const glk_real *end = from + n;
  GLK_NO_UNROLL
  for (; end - from >= GLK_LANES; from += GLK_LANES, to += GLK_LANES) {
    vstore(to, vload(to) + vload(from));
  }
  GLK_NO_VECTORS
  for (; from < end; from++, to++) *to += *from;
}

/* The same to elements `step` apart. */
GLK_SHARED void add_apart(size_t n, const glk_real *from, glk_real *to, size_t step) {
  if (step == 1) {
    add(n, from, to);
  } else {
    for (const glk_real *end = from + n; from < end; from++, to += step) *to += *from;
  }
}

static void clear(size_t n, glk_real *to) {
  GLK_NO_VECTORS
  for (size_t j = 0; j < n; j++) to[j] = 0;
}

/* Move one row of taps. row [width, depth] is the image's, `s` their span in it; line [taps,
 * depth]. */
GLK_SHARED void move_row(const glk_windows *w, glk_span s, glk_real *row, glk_real *line,
                         int is_back) {
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
      glk_kernel_copy_few(together * depth, at, line + t * depth);
    }
  }
}

/* Move a window that may overhang. image [height, width, depth], line [y taps, x taps, depth]. */
GLK_SHARED void move_window(const glk_windows *w, const glk_window *c, glk_real *images,
                            glk_real *line, int is_back) {
  const size_t taps = w->x.taps * w->depth, width = w->x.size * w->depth;
  const glk_span y = glk_span_of(&w->y, c->y), x = glk_span_of(&w->x, c->x);
  for (size_t t = 0; t < w->y.taps; t++, line += taps) {
    if (t >= y.from && t < y.to) {
      const size_t row = (size_t)(y.at + (ptrdiff_t)(t * w->y.dilation));
      move_row(w, x, images + c->image + row * width, line, is_back);
    } else if (!is_back) {
      clear(taps, line);
    }
  }
}

/* Number of windows from c on that are inside of the image, have adjacent taps, and room after
 * them. At most `most`, all of one row; *at is the start of the first. */
GLK_SHARED size_t count_whole(const glk_windows *w, const glk_window *c, size_t most, size_t room,
                              size_t *at) {
  const size_t width = w->x.size * w->depth, step = w->x.stride, x = c->x * step;
  const size_t reach = (w->y.taps - 1) * w->y.dilation * width + w->x.taps * w->depth;
  const size_t right = w->x.size + w->x.before; /* where windows have to end */
  const glk_span y = glk_span_of(&w->y, c->y);
  if (y.from || y.to < w->y.taps || w->x.dilation > 1 || x < w->x.before || x + w->x.taps > right) {
    return 0;
  }
  size_t n = (right - w->x.taps - x) / step + 1;
  n = glk_min_size(glk_min_size(n, w->x.count - c->x), most);
  *at = c->image + (size_t)y.at * width + (x - w->x.before) * w->depth;
  const size_t end = *at + reach + (n - 1) * step * w->depth + room;
  return n && end <= w->images * w->y.size * width ? n : 0;
}

/* Transpose four windows, each with `rows` rows of taps at distance `below`, into `to` [rows *
 * taps, 4] with room after it. Taps are read in fours, and the last four may overhang: the memory
 * after it exists, and the next row or windows overwrite it. */
GLK_SHARED void turn_four(size_t rows, size_t taps, const glk_real *from[GLK_LANES],
                          const size_t below[GLK_LANES], glk_real *to) {
  for (; rows; rows--, to += GLK_LANES * taps) {
    const glk_real *a = from[0], *b = from[1], *c = from[2], *d = from[3];
    from[0] += below[0], from[1] += below[1], from[2] += below[2], from[3] += below[3];
    GLK_NO_UNROLL
    for (glk_real *at = to, *end = to + GLK_LANES * taps; at < end; at += GLK_LANES * GLK_LANES) {
      vreal v[GLK_LANES] = {vload(a), vload(b), vload(c), vload(d)};
      vtranspose(v);
      for (size_t i = 0; i < GLK_LANES; i++) vstore(at + GLK_LANES * i, v[i]);
      a += GLK_LANES, b += GLK_LANES, c += GLK_LANES, d += GLK_LANES;
    }
  }
}

void glk_kernel_window_panels(const glk_windows *w, size_t first, size_t count,
                              const glk_real *images, glk_real *panels, glk_real *lines) {
  /* images [images, height, width, depth], panels [ceil(count / 4), taps, 4] + 12,
   * lines [4, taps] + 12 */
  const size_t taps = w->x.taps * w->depth, length = w->y.taps * taps;
  const size_t row = w->y.dilation * w->x.size * w->depth, step = w->x.stride * w->depth;
  const glk_real *from[GLK_LANES];
  size_t below[GLK_LANES], held = 0, n, at = 0;
  glk_window c = glk_window_at(w, first);
  for (; count; count -= n) {
    n = count_whole(w, &c, count, GLK_LANES - 1, &at);
    const int is_whole = n != 0;
    if (!is_whole) {
      n = 1;
      move_window(w, &c, (glk_real *)images, lines + held * (length + GLK_LANES - 1),
                  0); /* which it only reads */
    }
    for (size_t left = n; left; left--, at += step) {
      from[held] = is_whole ? images + at : lines + held * (length + GLK_LANES - 1);
      below[held++] = is_whole ? row : taps;
      if (left == 1 && n == count) {
        for (; held < GLK_LANES; held++) from[held] = from[0], below[held] = below[0];
      }
      if (held < GLK_LANES) continue;
      turn_four(w->y.taps, taps, from, below, panels);
      panels += GLK_LANES * length;
      held = 0;
    }
    c.x += n - 1;
    glk_window_advance(w, &c);
  }
}

void glk_kernel_pad(const glk_windows *w, ptrdiff_t top, const glk_windows *padded,
                    const glk_real *image, glk_real *to) {
  /* image [height, width, depth], to [padded height, padded width, depth] */
  const size_t before = w->x.before * w->depth, width = padded->x.size * w->depth;
  const size_t own = w->x.size * w->depth;
  for (size_t r = 0; r < padded->y.size; r++, to += width) {
    const size_t y = (size_t)(top + (ptrdiff_t)r);
    clear(width, to);
    if (y < w->y.size)
      glk_kernel_copy_few(glk_min_size(own, width - before), image + y * own, to + before);
  }
}

GLK_SHARED void move(const glk_windows *w, size_t first, size_t count, glk_real *images,
                     glk_real *lines, int is_back) {
  const size_t taps = w->x.taps * w->depth, row = w->y.dilation * w->x.size * w->depth;
  glk_window c = glk_window_at(w, first);
  for (size_t n, at = 0; count; count -= n) {
    n = count_whole(w, &c, count, 0, &at);
    for (size_t left = n; left; left--, at += w->x.stride * w->depth) {
      for (size_t t = 0; t < w->y.taps; t++, lines += taps) {
        if (is_back) {
          add(taps, lines, images + at + t * row);
        } else {
          glk_kernel_copy_few(taps, images + at + t * row, lines);
        }
      }
    }
    if (!n) {
      n = 1;
      move_window(w, &c, images, lines, is_back);
      lines += w->y.taps * taps;
    }
    c.x += n - 1;
    glk_window_advance(w, &c);
  }
}

void glk_kernel_im2col(const glk_windows *w, size_t first, size_t count, const glk_real *images,
                       glk_real *lines) {
  /* images [images, height, width, depth], lines [count, y taps, x taps, depth] */
  move(w, first, count, (glk_real *)images, lines, 0); /* which it only reads */
}

void glk_kernel_col2im(const glk_windows *w, size_t first, size_t count, const glk_real *lines,
                       glk_real *images) {
  /* lines [count, y taps, x taps, depth], images [images, height, width, depth] */
  move(w, first, count, images, (glk_real *)lines, 1); /* which it only reads */
}

void glk_kernel_col2im_turned(const glk_windows *w, size_t first, size_t count,
                              const glk_real *lines, glk_real *images) {
  /* lines [y taps, x taps, depth, count], images [images, height, width, depth] */
  const size_t depth = w->depth, width = w->x.size * depth;
  glk_window c = glk_window_at(w, first);
  glk_window_axis x = w->x; /* as a tap sees it: what it meets are n windows, strides apart */
  x.dilation = w->x.stride, x.stride = w->x.dilation;
  for (size_t left = count; left; left -= x.taps, lines += x.taps) {
    x.taps = glk_min_size(left, w->x.count - c.x), x.before = w->x.before - c.x * w->x.stride;
    const glk_span y = glk_span_of(&w->y, c.y);
    for (size_t k = w->x.taps; k--;) { /* from the last: an element meets windows in order */
      const glk_span s = glk_span_of(&x, k);
      const size_t n = s.to - s.from;
      const ptrdiff_t at = s.at + (ptrdiff_t)(s.from * x.dilation);
      for (size_t t = y.from; n && t < y.to; t++) {
        const glk_real *line = lines + (t * w->x.taps + k) * depth * count + s.from;
        glk_real *to = images + c.image + (size_t)(y.at + (ptrdiff_t)(t * w->y.dilation)) * width +
                       (size_t)at * depth;
        for (size_t i = 0; i < depth; i++, line += count) {
          add_apart(n, line, to + i, x.dilation * depth);
        }
      }
    }
    c.x += x.taps - 1;
    glk_window_advance(w, &c);
  }
}
