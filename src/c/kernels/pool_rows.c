/* Pools computed row by row of windows, tap by tap: the same tap of all windows of a row is one
 * plain loop. The gradient finds the largest elements again, which reads less memory than indices
 * kept from the forward pass. Windows that overlap hundredfold are pool_wide.c's. */
#include "kernels/pool.h"

#include "kernels/elementwise.h"

/* One tap of `n` adjacent windows. `x` is the tap of the first, `step` reals before the next. Their
 * values are `depth` apart, and so are the tap numbers that are stored. */
typedef struct tap {
  size_t n, depth, step;
  glk_bits number;
} tap;

/* For four channels of a window, or the last `lanes` of them, at i where x begins and at j where
 * the row does. */
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

static void spread(const tap *t, const glk_real *from, glk_real *to) {
  FOR_CHANNELS(t, store(to + i, load(to + i, lanes) + load(from + j, lanes), lanes))
}

void glk_pool_divide(const glk_windows *w, size_t rows, const glk_real *from, glk_real *to) {
  for (size_t x = 0; x < w->x.count; x++, from += w->depth, to += w->depth) {
    const glk_span s = glk_span_of(&w->x, x);
    const tap all = {1, w->depth, w->depth, 0};
    const vreal many = vsplat((glk_real)(rows * (s.to - s.from)));
    FOR_CHANNELS(&all, store(to + j, load(from + i, lanes) / many, lanes))
  }
}

/* A function that is called for each tap. */
typedef enum visit { FIND, NOTE, PICK, GIVE, ADD, SPREAD } visit;

static void visit_taps(visit what, const glk_windows *w, glk_span y, const glk_real *x,
                       const glk_real *row, glk_real *out, glk_real *taps) {
  const size_t depth = w->depth, width = w->x.size * depth, step = w->x.stride * depth;
  /* Only taps that are inside of the image in some window: a window may be far larger than its
   * image. */
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
      case SPREAD: spread(&t, row + first, out + at); break;
      }
    }
  }
}

size_t glk_pool_rows_scratch(glk_pool kind, const glk_windows *w) {
  const size_t row = w->x.count * w->depth;
  return kind == GLK_POOL_MAX || kind == GLK_POOL_MEAN ? 0 : 2 * row;
}

void glk_pool_rows(glk_pool kind, const glk_windows *w, const glk_real *x, const glk_real *from,
                   glk_real *to, glk_real *scratch) {
  /* x, from or to [height, width, depth]; to or from [windows of y, windows of x, depth] */
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
      glk_pool_divide(w, y.to - y.from, to, to);
      break;
    case GLK_POOL_MEAN_GIVE:
      glk_pool_divide(w, y.to - y.from, from, best);
      visit_taps(SPREAD, w, y, NULL, best, to, NULL);
      break;
    }
    if (into_rows) {
      to += row;
    } else {
      from += row;
    }
  }
}
