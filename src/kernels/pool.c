/* Row by row of windows, tap by tap: the same tap of all windows of a row is one plain loop. Where the largest are is
 * found again for the gradient, which reads less than places kept from the way forward would.
 *
 * Windows that overlap hundredfold are looked through one axis after the other, at a price that does not depend on their
 * size (decision 21). */
#include "kernels/pool.h"

#include <string.h>

#include "kernels/elementwise.h"

/* One tap of `n` windows beside each other: `x` is what the first has there, `step` reals before the next; their values lie
 * `depth` apart, and so do the numbers of taps that are noted. */
typedef struct tap {
  size_t n, depth, step;
  glk_bits number;
} tap;

/* For four channels of a window, or the last `lanes` of them, at i where x begins and at j where the row does. */
#define FOR_CHANNELS(t, ...)                                                                  \
  for (size_t n_ = (t)->n, depth_ = (t)->depth, skip_ = (t)->step - depth_, i = 0, j = 0; n_; \
       n_--, i += skip_) {                                                                    \
    size_t rest_ = depth_;                                                                    \
    GLK_NO_UNROLL                                                                             \
    for (; rest_ >= GLK_LANES; rest_ -= GLK_LANES, i += GLK_LANES, j += GLK_LANES) {          \
      enum { lanes = GLK_LANES };                                                             \
      __VA_ARGS__;                                                                            \
    }                                                                                         \
    if (rest_) {                                                                              \
      const size_t lanes = rest_;                                                             \
      __VA_ARGS__;                                                                            \
      i += lanes, j += lanes;                                                                 \
    }                                                                                         \
  }

/* One copy for all tails. */
GLK_SHARED vreal load_few(const glk_real *p, size_t lanes) { return vload_n(p, lanes); }
GLK_SHARED void store_few(glk_real *p, vreal v, size_t lanes) { vstore_n(p, v, lanes); }

GLK_INLINE vreal load(const glk_real *p, size_t lanes) {
  return lanes == GLK_LANES ? vload(p) : load_few(p, lanes);
}

GLK_INLINE void store(glk_real *p, vreal v, size_t lanes) {
  if (lanes == GLK_LANES) {
    vstore(p, v);
  } else {
    store_few(p, v, lanes);
  }
}

GLK_INLINE vbits is_better(vreal v, vreal best) { return (v > best) | ((v != v) & (best == best)); }

static void find(const tap *t, const glk_real *x, glk_real *best) {
  FOR_CHANNELS(t, {
    const vreal v = load(x + i, lanes), old = load(best + j, lanes);
    store(best + j, vselect(is_better(v, old), v, old), lanes);
  })
}

/* The same, and note at which tap; at first none is, which is -0. */
static void note(const tap *t, const glk_real *x, glk_real *best, glk_real *taps) {
  const vreal number = (vreal)vsplat_bits(t->number);
  FOR_CHANNELS(t, {
    const vreal v = load(x + i, lanes), old = load(best + j, lanes), noted = load(taps + j, lanes);
    const vbits better = is_better(v, old) | ((vbits)noted == vsplat_bits(GLK_SIGN_BIT));
    store(best + j, vselect(better, v, old), lanes);
    store(taps + j, vselect(better, number, noted), lanes);
  })
}

static void pick(const tap *t, const glk_real *from, const glk_real *taps, glk_real *to) {
  FOR_CHANNELS(t, {
    const vbits here = (vbits)load(taps + j, lanes) == vsplat_bits(t->number);
    store(to + j, vselect(here, load(from + i, lanes), load(to + j, lanes)), lanes);
  })
}

static void give(const tap *t, const glk_real *from, const glk_real *taps, glk_real *to) {
  FOR_CHANNELS(t, {
    const vbits here = (vbits)load(taps + j, lanes) == vsplat_bits(t->number);
    const vreal old = load(to + i, lanes);
    store(to + i, vselect(here, old + load(from + j, lanes), old), lanes);
  })
}

static void add(const tap *t, const glk_real *from, glk_real *to) {
  FOR_CHANNELS(t, store(to + j, load(to + j, lanes) + load(from + i, lanes), lanes))
}

static void share(const tap *t, const glk_real *from, glk_real *to) {
  FOR_CHANNELS(t, store(to + i, load(to + i, lanes) + load(from + j, lanes), lanes))
}

/* Divide each value of a row by how many taps its window has inside of the image. */
static void divide(const glk_windows *w, size_t rows, const glk_real *from, glk_real *to) {
  for (size_t x = 0; x < w->x.count; x++, from += w->depth, to += w->depth) {
    const glk_span s = glk_span_of(&w->x, x);
    const tap all = {1, w->depth, w->depth, 0};
    const vreal many = vsplat((glk_real)(rows * (s.to - s.from)));
    FOR_CHANNELS(&all, store(to + j, load(from + i, lanes) / many, lanes))
  }
}

/* What is done at each tap. */
typedef enum visit { FIND, NOTE, PICK, GIVE, ADD, SHARE } visit;

static void visit_taps(visit what, const glk_windows *w, glk_span y, const glk_real *x,
                       const glk_real *row, glk_real *out, glk_real *taps) {
  const size_t depth = w->depth, width = w->x.size * depth, step = w->x.stride * depth;
  /* Of all taps those that are inside in any window: a window may be far larger than its image. */
  const size_t reach = w->x.size + w->x.before, last = (w->x.count - 1) * w->x.stride;
  const size_t left = w->x.before > last ? w->x.before - last : 0;
  const size_t right = w->x.taps < reach ? w->x.taps : reach;
  tap t = {.depth = depth, .step = step};
  for (size_t ty = y.from; ty < y.to; ty++) {
    for (size_t tx = left; tx < right; tx++, t.number++) {
      /* windows from..to - 1 have this tap inside */
      const size_t from = tx < w->x.before ? (w->x.before - tx + w->x.stride - 1) / w->x.stride : 0;
      size_t to = (reach - tx - 1) / w->x.stride + 1;
      if (to > w->x.count) to = w->x.count;
      if (from >= to) continue;
      t.n = to - from;
      const size_t at =
          (size_t)(y.at + (ptrdiff_t)ty) * width + (from * w->x.stride + tx - w->x.before) * depth;
      const size_t first = from * depth;
      switch (what) {
      case FIND: find(&t, x + at, out + first); break;
      case NOTE: note(&t, x + at, out + first, taps + first); break;
      case PICK: pick(&t, x + at, taps + first, out + first); break;
      case GIVE: give(&t, row + first, taps + first, out + at); break;
      case ADD: add(&t, x + at, out + first); break;
      case SHARE: share(&t, row + first, out + at); break;
      }
    }
  }
}

/* ---------------------------------------------------------------------------------------- wide windows */

/* One axis of the way from images to windows, or back. Each of the `m` things there is made of neighbours among `n` here,
 * never of more than `block`; unless it is made of the first or the last of all, of one less at least. */
typedef struct passage {
  size_t n, m, block;
  const glk_window_axis *axis;
  int is_back;
} passage;

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

static passage to_windows(const glk_window_axis *a) {
  return (passage){a->size, a->count, least(a->taps, a->size), a, 0};
}

static passage to_image(const glk_window_axis *a) {
  return (passage){a->count, a->size, least((a->taps - 1) / a->stride + 1, a->count), a, 1};
}

/* from..to - 1 here are what i there is made of. */
static void find_range(const passage *p, size_t i, size_t *from, size_t *to) {
  const glk_window_axis *a = p->axis;
  if (p->is_back) {
    const size_t at = i + a->before;
    *to = least(at / a->stride + 1, a->count);
    *from = at < a->taps ? 0 : least((at - a->taps) / a->stride + 1, *to);
  } else {
    const glk_span s = glk_span_of(a, i);
    *from = (size_t)(s.at + (ptrdiff_t)s.from);
    *to = (size_t)(s.at + (ptrdiff_t)s.to);
  }
}

/* Places of an image as bits of reals. */
static glk_real place_to_cell(size_t place) {
  const glk_ubits bits = (glk_ubits)place;
  glk_real cell;
  memcpy(&cell, &bits, sizeof cell);
  return cell;
}

static size_t place_of(const glk_real *cell) {
  glk_ubits bits;
  memcpy(&bits, cell, sizeof bits);
  return (size_t)bits;
}

/* The sum of two cells, or, of places in x, the one of the larger, the first of equals. `a` comes before `b`. */
static void join(const glk_real *x, const glk_real *a, const glk_real *b, glk_real *out) {
  if (!x) {
    *out = *a + *b;
    return;
  }
  const glk_real best = x[place_of(a)], v = x[place_of(b)];
  const int is_next = v > best || (v != v && best == best);
  memcpy(out, is_next ? b : a, sizeof *out);
}

/* (outer, n, inner) to (outer, m, inner). In blocks as long as a range is at most, any range is the tail of a block and
 * the head of the next one: two joins an element, and one a result. No sum is ever taken back, so nothing cancels.
 * Source: van Herk 1992, Pattern Recognition Letters 13; Gil & Werman 1993. `scratch` has room for 2 n inner. */
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

/* How many windows an element must be in, on average, before this pays; of means, whose bits depend on the order of sums,
 * more than ordinary windows ever have. */
enum { MANY_WINDOWS = 64, MANY_WINDOWS_OF_MEANS = 256 };

static int is_wide(glk_pool kind, const glk_windows *w) {
  const int is_mean = kind == GLK_POOL_MEAN || kind == GLK_POOL_MEAN_GIVE;
  const double taps = (double)least(w->y.taps, w->y.size) * (double)w->y.count *
                      (double)least(w->x.taps, w->x.size) * (double)w->x.count;
  const double elements =
      (double)w->y.size * (double)w->x.size + (double)w->y.count * (double)w->x.count;
  return taps > elements * (is_mean ? MANY_WINDOWS_OF_MEANS : MANY_WINDOWS);
}

/* Cells of an image, and of one that has become windows along one axis. */
static size_t image_cells(const glk_windows *w) { return w->y.size * w->x.size * w->depth; }

static size_t half_cells(const glk_windows *w) {
  const size_t a = w->y.size * w->x.count, b = w->y.count * w->x.size;
  return (a > b ? a : b) * w->depth;
}

static void find_largest(const glk_windows *w, const glk_real *x, glk_real *places, glk_real *half,
                         glk_real *scratch) {
  const passage along_x = to_windows(&w->x), along_y = to_windows(&w->y);
  for (size_t i = 0; i < image_cells(w); i++) places[i] = place_to_cell(i);
  pass_over(&along_x, w->y.size, w->depth, x, places, half, scratch);
  pass_over(&along_y, 1, w->x.count * w->depth, x, half, places, scratch);
}

static void add_up(const glk_windows *w, const glk_real *from, glk_real *to, glk_real *half,
                   glk_real *scratch) {
  const passage along_x = to_windows(&w->x), along_y = to_windows(&w->y);
  pass_over(&along_x, w->y.size, w->depth, NULL, from, half, scratch);
  pass_over(&along_y, 1, w->x.count * w->depth, NULL, half, to, scratch);
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

/* One image. */
static void pool_wide(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                      glk_real *to, glk_real *scratch) {
  const size_t row = w->x.count * w->depth, depth = w->depth;
  glk_real *cells = scratch, *half = cells + image_cells(w), *rest = half + half_cells(w);
  switch (kind) {
  case GLK_POOL_MAX:
  case GLK_POOL_MAX_PICK:
    find_largest(w, x, cells, half, rest);
    for (size_t i = 0; i < w->y.count * row; i++) {
      to[i] = (kind == GLK_POOL_MAX ? x : from)[place_of(&cells[i])];
    }
    break;
  case GLK_POOL_MAX_GIVE: /* in a row of windows the last first: an element's lower taps before its higher ones */
    find_largest(w, x, cells, half, rest);
    for (size_t y = 0; y < w->y.count; y++) {
      for (size_t i = w->x.count; i-- > 0;) {
        const size_t at = y * row + i * depth;
        for (size_t c = 0; c < depth; c++) to[place_of(&cells[at + c])] += from[at + c];
      }
    }
    break;
  case GLK_POOL_MEAN:
    add_up(w, from, to, half, rest);
    for (size_t y = 0; y < w->y.count; y++, to += row) divide(w, rows_inside(w, y), to, to);
    break;
  case GLK_POOL_MEAN_GIVE:
    for (size_t y = 0; y < w->y.count; y++) {
      divide(w, rows_inside(w, y), from + y * row, cells + y * row);
    }
    spread(w, cells, to, half, rest);
    break;
  }
}

/* ------------------------------------------------------------------------------------------- any windows */

size_t glk_kernel_pool_scratch(glk_pool kind, const glk_windows *w) {
  const size_t row = w->x.count * w->depth, line = w->x.size * w->depth;
  if (is_wide(kind, w)) return image_cells(w) + 3 * half_cells(w) + 2 * (line > row ? line : row);
  return kind == GLK_POOL_MAX || kind == GLK_POOL_MEAN ? 0 : 2 * row;
}

/* One image, tap by tap. */
static void pool_rows(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                      glk_real *to, glk_real *scratch) {
  const size_t row = w->x.count * w->depth;
  const int into_rows = kind != GLK_POOL_MAX_GIVE && kind != GLK_POOL_MEAN_GIVE;
  const glk_real lowest = (glk_real)-__builtin_inf();
  glk_real *best = scratch, *taps = scratch ? scratch + row : NULL;
  for (size_t i = 0; i < w->y.count; i++) {
    const glk_span y = glk_span_of(&w->y, i);
    if (kind == GLK_POOL_MAX_PICK || kind == GLK_POOL_MAX_GIVE) {
      glk_kernel_fill(row, lowest, best);
      glk_kernel_fill(row, (glk_real)-0.0, taps);
      visit_taps(NOTE, w, y, x, NULL, best, taps);
    }
    switch (kind) {
    case GLK_POOL_MAX:
      glk_kernel_fill(row, lowest, to);
      visit_taps(FIND, w, y, x, NULL, to, NULL);
      break;
    case GLK_POOL_MAX_PICK: visit_taps(PICK, w, y, from, NULL, to, taps); break;
    case GLK_POOL_MAX_GIVE: visit_taps(GIVE, w, y, NULL, from, to, taps); break;
    case GLK_POOL_MEAN:
      glk_kernel_fill(row, 0, to);
      visit_taps(ADD, w, y, from, NULL, to, NULL);
      divide(w, y.to - y.from, to, to);
      break;
    case GLK_POOL_MEAN_GIVE:
      divide(w, y.to - y.from, from, best);
      visit_taps(SHARE, w, y, NULL, best, to, NULL);
      break;
    }
    if (into_rows) {
      to += row;
    } else {
      from += row;
    }
  }
}

void glk_kernel_pool(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                     glk_real *to, glk_real *scratch) {
  const size_t windows = w->y.count * w->x.count * w->depth, image = image_cells(w);
  const int gives = kind == GLK_POOL_MAX_GIVE || kind == GLK_POOL_MEAN_GIVE;
  const int wide = is_wide(kind, w);
  for (size_t i = 0; i < w->images && windows; i++) {
    (wide ? pool_wide : pool_rows)(kind, w, x, from, to, scratch);
    if (x) x += image;
    from += gives ? windows : image;
    to += gives ? image : windows;
  }
}
