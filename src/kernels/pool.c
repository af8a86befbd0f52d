/* Four channels at a time. Where the largest of a window is, is found again for its gradient: that reads less than places
 * kept from the way forward. */
#include "kernels/pool.h"

/* Four channels, or the last of them, of the taps of a window: offsets into the images. */
typedef struct taps {
  size_t first, rows, columns, width, depth, lanes;
} taps;

#define FOR_TAPS(t, at)                                                                     \
  for (size_t row_ = 0; row_ < (t)->rows; row_++)                                           \
    for (size_t at = (t)->first + row_ * (t)->width, end_ = at + (t)->columns * (t)->depth; \
         at < end_; at += (t)->depth)

GLK_INLINE vreal load(const glk_real *p, size_t lanes) {
  return lanes == GLK_LANES ? vload(p) : vload_n(p, lanes);
}

GLK_INLINE void store(glk_real *p, vreal v, size_t lanes) {
  if (lanes == GLK_LANES) {
    vstore(p, v);
  } else {
    vstore_n(p, v, lanes);
  }
}

/* The largest, and at which tap it is. */
static vreal find_largest(const taps *t, const glk_real *x, vbits *out_tap) {
  vreal best = load(x + t->first, t->lanes);
  vbits tap = vsplat_bits(0), number = tap;
  FOR_TAPS(t, at) {
    const vreal v = load(x + at, t->lanes);
    const vbits better = (v > best) | ((v != v) & (best == best));
    best = vselect(better, v, best);
    tap = (number & better) | (tap & ~better);
    number += vsplat_bits(1);
  }
  *out_tap = tap;
  return best;
}

static void pick(const taps *t, vbits tap, const glk_real *values, glk_real *out) {
  vreal picked = vsplat(0);
  vbits number = vsplat_bits(0);
  FOR_TAPS(t, at) {
    picked = vselect(number == tap, load(values + at, t->lanes), picked);
    number += vsplat_bits(1);
  }
  store(out, picked, t->lanes);
}

static void give(const taps *t, vbits tap, vreal value, glk_real *out) {
  vbits number = vsplat_bits(0);
  FOR_TAPS(t, at) {
    const vreal old = load(out + at, t->lanes);
    store(out + at, vselect(number == tap, old + value, old), t->lanes);
    number += vsplat_bits(1);
  }
}

static vreal sum(const taps *t, const glk_real *x) {
  vreal s = vsplat(0);
  FOR_TAPS(t, at) s += load(x + at, t->lanes);
  return s;
}

static void share(const taps *t, vreal value, glk_real *out) {
  FOR_TAPS(t, at) store(out + at, load(out + at, t->lanes) + value, t->lanes);
}

void glk_kernel_pool(glk_pool kind, const glk_windows *w, size_t count, const glk_real *x,
                     const glk_real *from, glk_real *to) {
  const size_t depth = w->depth;
  glk_window c = {0, 0, 0};
  for (size_t i = 0; i < count * depth; glk_window_advance(w, &c)) {
    const glk_span sy = glk_span_of(&w->y, c.y), sx = glk_span_of(&w->x, c.x);
    const size_t y = (size_t)(sy.at + (ptrdiff_t)sy.from),
                 left = (size_t)(sx.at + (ptrdiff_t)sx.from);
    taps t = {.rows = sy.to - sy.from,
              .columns = sx.to - sx.from,
              .width = w->x.size * depth,
              .depth = depth};
    t.first = c.image + y * t.width + left * depth;
    for (size_t end = i + depth; i < end; i += t.lanes, t.first += t.lanes) {
      const vreal many = vsplat((glk_real)(t.rows * t.columns));
      vbits tap;
      t.lanes = end - i < GLK_LANES ? end - i : GLK_LANES;
      switch (kind) {
      case GLK_POOL_MAX: store(to + i, find_largest(&t, x, &tap), t.lanes); break;
      case GLK_POOL_MAX_PICK:
        find_largest(&t, x, &tap);
        pick(&t, tap, from, to + i);
        break;
      case GLK_POOL_MAX_GIVE:
        find_largest(&t, x, &tap);
        give(&t, tap, load(from + i, t.lanes), to);
        break;
      case GLK_POOL_MEAN: store(to + i, sum(&t, from) / many, t.lanes); break;
      case GLK_POOL_MEAN_GIVE: share(&t, load(from + i, t.lanes) / many, to); break;
      }
    }
  }
}
