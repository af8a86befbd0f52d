/* Pools whose windows overlap hundredfold: one axis after the other, at a cost that does not depend
 * on their size. Few use them, so they are plain loops, built for size. All other
 * pools are passed on to pool_rows.c, image by image. */
#include <string.h>

#include "kernels/elementwise.h"
#include "kernels/pool.h"

/* One axis of the way from images to windows, or back: from `n` cells to `m`. Each of the m joins
 * up to `block` neighbours among the n, and at least block - 1 unless they include the first or the
 * last of all. */
typedef struct passage {
  size_t n, m, block;
  const glk_window_axis *axis;
  int is_back;
} passage;

static passage to_windows(const glk_window_axis *a) {
  return (passage){a->size, a->count, glk_min_size(a->taps, a->size), a, 0};
}

static passage to_image(const glk_window_axis *a) {
  return (passage){a->count, a->size, glk_min_size((a->taps - 1) / a->stride + 1, a->count), a, 1};
}

/* Cell i of the m is made of cells *from to *to - 1 of the n. */
static void find_range(const passage *p, size_t i, size_t *from, size_t *to) {
  const glk_window_axis *a = p->axis;
  if (p->is_back) {
    const size_t at = i + a->before;
    *to = glk_min_size(at / a->stride + 1, a->count);
    *from = at < a->taps ? 0 : glk_min_size((at - a->taps) / a->stride + 1, *to);
  } else {
    const glk_span s = glk_span_of(a, i);
    *from = (size_t)(s.at + (ptrdiff_t)s.from);
    *to = (size_t)(s.at + (ptrdiff_t)s.to);
  }
}

/* An index into an image in the bits of a real. */
static glk_real index_to_cell(size_t index) {
  const glk_ubits bits = (glk_ubits)index;
  glk_real cell;
  memcpy(&cell, &bits, sizeof cell);
  return cell;
}

static size_t index_of(const glk_real *cell) {
  glk_ubits bits;
  memcpy(&bits, cell, sizeof bits);
  return (size_t)bits;
}

/* out = a + b; or with x, where a and b are indices into it, the index of the larger, `a` of
 * equals. */
static void join(const glk_real *x, const glk_real *a, const glk_real *b, glk_real *out) {
  if (!x) {
    *out = *a + *b;
    return;
  }
  const glk_real best = x[index_of(a)], v = x[index_of(b)];
  const int is_next = v > best || (v != v && best == best);
  memcpy(out, is_next ? b : a, sizeof *out);
}

/* to [outer, m, inner] from from [outer, n, inner]; scratch [2, n, inner]. With blocks as long as
 * the longest range, each range is the tail of a block and the head of the next one. This takes two
 * joins for each element, and one for each result. No sum is ever taken back, so nothing cancels.
 * Source: van Herk 1992, Pattern Recognition Letters 13; Gil & Werman 1993. */
static void pass_over(const passage *p, size_t outer, size_t inner, const glk_real *x,
                      const glk_real *from, glk_real *to, glk_real *scratch) {
  const size_t all = p->n * inner;
  glk_real *heads = scratch, *tails = scratch + all;
  for (size_t o = 0; o < outer; o++, from += all) {
    memcpy(heads, from, all * sizeof *heads);
    memcpy(tails, from, all * sizeof *tails);
    for (size_t i = 1; i < p->n; i++) {
      const size_t at = i * inner, mirrored = (p->n - 1 - i) * inner;
      for (size_t c = 0; c < inner && i % p->block; c++) {
        join(x, &heads[at - inner + c], &from[at + c], &heads[at + c]);
      }
      for (size_t c = 0; c < inner && (p->n - i) % p->block; c++) {
        join(x, &from[mirrored + c], &tails[mirrored + inner + c], &tails[mirrored + c]);
      }
    }
    for (size_t i = 0; i < p->m; i++, to += inner) {
      size_t first, end;
      find_range(p, i, &first, &end);
      const glk_real *tail = tails + first * inner, *head = heads + (end - 1) * inner;
      const int is_head = first % p->block == 0, is_tail = first / p->block == (end - 1) / p->block;
      if (first == end) {
        glk_kernel_fill(inner, 0, to);
      } else if (is_head || is_tail) {
        memcpy(to, is_head ? head : tail, inner * sizeof *to);
      } else {
        for (size_t c = 0; c < inner; c++) join(x, &tail[c], &head[c], &to[c]);
      }
      for (size_t c = 0; c < inner && !x; c++) to[c] += 0; /* a sum begins at +0: it is never -0 */
    }
  }
}

/* Windows that an element must be in, on average, before this pays. For means, whose bits depend on
 * the order of sums, the limit is more than ordinary windows ever reach. */
enum { MANY_WINDOWS = 64, MANY_WINDOWS_OF_MEANS = 256 };

static int is_wide(glk_pool kind, const glk_windows *w) {
  const int is_mean = kind == GLK_POOL_MEAN || kind == GLK_POOL_MEAN_GIVE;
  const double taps = (double)glk_min_size(w->y.taps, w->y.size) * (double)w->y.count *
                      (double)glk_min_size(w->x.taps, w->x.size) * (double)w->x.count;
  const double elements =
      (double)w->y.size * (double)w->x.size + (double)w->y.count * (double)w->x.count;
  return taps > elements * (is_mean ? MANY_WINDOWS_OF_MEANS : MANY_WINDOWS);
}

/* Cells of an image, and of one that consists of windows along one axis. */
static size_t image_cells(const glk_windows *w) { return w->y.size * w->x.size * w->depth; }

static size_t half_cells(const glk_windows *w) {
  const size_t a = w->y.size * w->x.count, b = w->y.count * w->x.size;
  return (a > b ? a : b) * w->depth;
}

/* From images to windows: the sum of what is in each, or with x the index of the largest. */
static void join_windows(const glk_windows *w, const glk_real *x, const glk_real *from,
                         glk_real *to, glk_real *half, glk_real *scratch) {
  const passage along_x = to_windows(&w->x), along_y = to_windows(&w->y);
  pass_over(&along_x, w->y.size, w->depth, x, from, half, scratch);
  pass_over(&along_y, 1, w->x.count * w->depth, x, half, to, scratch);
}

static void find_largest(const glk_windows *w, const glk_real *x, glk_real *indices, glk_real *half,
                         glk_real *scratch) {
  for (size_t i = 0; i < image_cells(w); i++) indices[i] = index_to_cell(i);
  join_windows(w, x, indices, indices, half, scratch);
}

static void spread(const glk_windows *w, const glk_real *from, glk_real *to, glk_real *half,
                   glk_real *scratch) {
  const passage along_x = to_image(&w->x), along_y = to_image(&w->y);
  pass_over(&along_x, w->y.count, w->depth, NULL, from, half, scratch);
  pass_over(&along_y, 1, w->x.size * w->depth, NULL, half, to, scratch);
}

static size_t rows_inside(const glk_windows *w, size_t row) {
  const glk_span s = glk_span_of(&w->y, row);
  return s.to - s.from;
}

static size_t wide_scratch(const glk_windows *w) {
  const size_t here = w->x.size * w->depth, there = w->x.count * w->depth;
  return image_cells(w) + 3 * half_cells(w) + 2 * (here > there ? here : there);
}

static void pool_wide(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                      glk_real *to, glk_real *scratch) {
  const size_t row = w->x.count * w->depth, depth = w->depth;
  glk_real *cells = scratch, *half = cells + image_cells(w), *rest = half + half_cells(w);
  switch (kind) {
  case GLK_POOL_MAX:
  case GLK_POOL_MAX_PICK:
    find_largest(w, x, cells, half, rest);
    for (size_t i = 0; i < w->y.count * row; i++) {
      to[i] = (kind == GLK_POOL_MAX ? x : from)[index_of(&cells[i])];
    }
    break;
  case GLK_POOL_MAX_GIVE:
    /* In a row of windows the last first: an element's lower taps before its higher ones. */
    find_largest(w, x, cells, half, rest);
    for (size_t y = 0; y < w->y.count; y++) {
      for (size_t i = w->x.count; i-- > 0;) {
        const size_t at = y * row + i * depth;
        for (size_t c = 0; c < depth; c++) to[index_of(&cells[at + c])] += from[at + c];
      }
    }
    break;
  case GLK_POOL_MEAN:
    join_windows(w, NULL, from, to, half, rest);
    for (size_t y = 0; y < w->y.count; y++, to += row)
      glk_pool_divide(w, rows_inside(w, y), to, to);
    break;
  case GLK_POOL_MEAN_GIVE:
    for (size_t y = 0; y < w->y.count; y++) {
      glk_pool_divide(w, rows_inside(w, y), from + y * row, cells + y * row);
    }
    spread(w, cells, to, half, rest);
    break;
  }
}

size_t glk_kernel_pool_scratch(glk_pool kind, const glk_windows *w) {
  return is_wide(kind, w) ? wide_scratch(w) : glk_pool_rows_scratch(kind, w);
}

void glk_kernel_pool(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                     glk_real *to, glk_real *scratch) {
  /* x, from or to [images, height, width, depth]; to or from [images, y windows, x windows,
   * depth] */
  const size_t windows = w->y.count * w->x.count * w->depth;
  const size_t image = w->y.size * w->x.size * w->depth;
  const int gives = kind == GLK_POOL_MAX_GIVE || kind == GLK_POOL_MEAN_GIVE;
  const int wide = is_wide(kind, w);
  for (size_t i = 0; i < w->images && windows; i++) {
    (wide ? pool_wide : glk_pool_rows)(kind, w, x, from, to, scratch);
    if (x) x += image;
    from += gives ? windows : image;
    to += gives ? image : windows;
  }
}
