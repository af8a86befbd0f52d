/* Depthwise convolutions, by vectors of channels. Images are not copied: with one product for each
 * tap and channel, a copy would cost as much as the product.
 *
 * Adjacent windows that are three taps wide are summed seven at a time, so each loaded value serves
 * several. Seven divides the sizes of images that began with 224. The gradient by images at stride
 * 1 is the same loop, with the filter reversed: an element of x uses its windows, in order, as a
 * window uses its taps. By a filter of that width, three sums of eight channels stay in registers
 * while windows pass by. All else goes window by window. */
#include "kernels/depthwise.h"

#include "kernels/elementwise.h"

/* Number of adjacent vectors that share the overhead of a tap. */
typedef glk_real vpair __attribute__((vector_size(2 * GLK_LANES * sizeof(glk_real))));
typedef glk_real vquad __attribute__((vector_size(4 * GLK_LANES * sizeof(glk_real))));
typedef vpair vpair_at __attribute__((aligned(sizeof(glk_real)), may_alias));
typedef vquad vquad_at __attribute__((aligned(sizeof(glk_real)), may_alias));
#define GET_PAIR(p) (*(const vpair_at *)(p))
#define PUT_PAIR(p, v) (*(vpair_at *)(p) = (v))
#define GET_QUAD(p) (*(const vquad_at *)(p))
#define PUT_QUAD(p, v) (*(vquad_at *)(p) = (v))
#define GET(p) (*(p))
#define PUT(p, v) (*(p) = (v))

/* The taps of one window that are inside of the image: the distances from tap to tap, in a and in
 * b. These are the image and the filter, which may be walked from its end; or, by the filter, the
 * filter and the image. */
typedef struct taps {
  size_t rows, columns;
  ptrdiff_t a_down, a_right, b_down, b_right;
  size_t depth, multiplier;
  int is_filter;
} taps;

/* All taps of one window, in channels of which a, b and y are the first: sets y to the sum of a b,
 * or adds y b to a. */
#define VISIT(real, LOAD, STORE)                                            \
  real own = {0};                                                           \
  if (!is_sum) own = LOAD(y);                                               \
  for (size_t r = t->rows; r; r--, a += t->a_down, b += t->b_down) {        \
    glk_real *p = a;                                                        \
    const glk_real *q = b;                                                  \
    GLK_NO_UNROLL                                                           \
    for (size_t k = t->columns; k; k--, p += t->a_right, q += t->b_right) { \
      if (is_sum) {                                                         \
        own += LOAD(p) * LOAD(q);                                           \
      } else {                                                              \
        STORE(p, LOAD(p) + own * LOAD(q));                                  \
      }                                                                     \
    }                                                                       \
  }                                                                         \
  if (is_sum) STORE(y, own)

GLK_INLINE void visit_vector(int is_sum, const taps *t, glk_real *a, const glk_real *b,
                             glk_real *y) {
  VISIT(vreal, vload, vstore);
}

GLK_INLINE void visit_quad(int is_sum, const taps *t, glk_real *a, const glk_real *b, glk_real *y) {
  VISIT(vquad, GET_QUAD, PUT_QUAD);
}

GLK_INLINE void visit_one(int is_sum, const taps *t, glk_real *a, const glk_real *b, glk_real *y) {
  VISIT(glk_real, GET, PUT);
}

/* From channel c on. */
GLK_INLINE void visit_window(int is_sum, const taps *t, size_t c, glk_real *a, const glk_real *b,
                             glk_real *y) {
  if (t->multiplier == 1) {
    for (; c + 4 * GLK_LANES <= t->depth; c += 4 * GLK_LANES) {
      visit_quad(is_sum, t, a + c, b + c, y + c);
    }
    GLK_NO_UNROLL
    for (; c + GLK_LANES <= t->depth; c += GLK_LANES) visit_vector(is_sum, t, a + c, b + c, y + c);
  }
  for (size_t o = c; c < t->depth; c++) {
    for (size_t m = t->multiplier; m; m--, o++) {
      visit_one(is_sum, t, a + (t->is_filter ? o : c), b + (t->is_filter ? c : o), y + o);
    }
  }
}

enum { TOGETHER = 7, TAPS = 3 };

/* y [7, depth / 4 vectors of depth] over their taps, but only columns `from` to `to` - 1 are inside
 * of the image; x is the start of the first of these. Each column is used by its windows in turn,
 * so that each window uses its taps in order. */
GLK_SHARED void sum_seven(const taps *t, size_t from, size_t to, const glk_real *x,
                          const glk_real *f, glk_real *y) {
  GLK_NO_UNROLL
  for (size_t c = t->depth / GLK_LANES; c; c--, x += GLK_LANES, f += GLK_LANES, y += GLK_LANES) {
    vreal sum[TOGETHER] = {{0}};
    const glk_real *row = x, *b = f;
    GLK_NO_UNROLL
    for (size_t r = t->rows; r; r--, row += t->a_down, b += t->b_down) {
      const vreal tap[TAPS] = {vload(b), vload(b + t->b_right), vload(b + 2 * t->b_right)};
      const glk_real *a = row;
      for (size_t j = 0; j < TOGETHER + TAPS - 1; j++) {
        if ((j < TAPS - 1 && j < from) || (j >= TOGETHER && j >= to)) continue;
        const vreal column = vload(a);
        a += t->a_right;
        for (size_t k = 0; k < TAPS; k++) {
          if (j >= k && j - k < TOGETHER) sum[j - k] += column * tap[k];
        }
      }
    }
    glk_real *to_y = y;
    for (size_t u = 0; u < TOGETHER; u++, to_y += t->depth) vstore(to_y, sum[u]);
  }
}

/* All windows; channels from c on. f is the first tap's, and f_right is from tap to tap. */
GLK_INLINE void visit_all(int is_sum, int is_filter, const glk_windows *w, size_t multiplier,
                          size_t c, glk_real *x, glk_real *f, ptrdiff_t f_right, glk_real *y) {
  const size_t depth = w->depth, line = w->x.size * depth, outputs = depth * multiplier;
  const ptrdiff_t down = (ptrdiff_t)(w->y.dilation * line), f_down = (ptrdiff_t)w->x.taps * f_right;
  const ptrdiff_t right = (ptrdiff_t)(w->x.dilation * depth);
  taps t = {.a_down = is_filter ? f_down : down,
            .a_right = is_filter ? f_right : right,
            .b_down = is_filter ? down : f_down,
            .b_right = is_filter ? right : f_right,
            .depth = depth,
            .multiplier = multiplier,
            .is_filter = is_filter};
  size_t sevens = 0; /* windows of a row */
  if (is_sum && w->x.taps == TAPS && multiplier * w->x.dilation * w->x.stride == 1) {
    sevens = w->x.count / TOGETHER * TOGETHER;
  }
  for (size_t i = 0; i < w->images; i++, x += w->y.size * line) {
    for (size_t v = 0; v < w->y.count; v++) {
      const glk_span sy = glk_span_of(&w->y, v);
      const ptrdiff_t row = (sy.at + (ptrdiff_t)(sy.from * w->y.dilation)) * (ptrdiff_t)line;
      glk_real *f_row = f + (ptrdiff_t)sy.from * f_down;
      t.rows = sy.to - sy.from;
      for (size_t u = 0; u < w->x.count; u++, y += outputs) {
        const glk_span sx = glk_span_of(&w->x, u);
        const ptrdiff_t column = (sx.at + (ptrdiff_t)(sx.from * w->x.dilation)) * (ptrdiff_t)depth;
        t.columns = sx.to - sx.from;
        glk_real *a = x, *b = f_row + (ptrdiff_t)sx.from * f_right;
        size_t from = c;
        if (t.rows && t.columns) a += row + column;
        if (u < sevens) {
          if (u % TOGETHER == 0) {
            sum_seven(&t, sx.from, w->x.size + w->x.before - u, a, f_row, y);
          }
          from = depth & ~(size_t)(GLK_LANES - 1);
          if (from == depth) {
            u += TOGETHER - 1, y += (TOGETHER - 1) * outputs;
            continue;
          }
        }
        visit_window(is_sum, &t, from, is_filter ? b : a, is_filter ? a : b, y);
      }
    }
  }
}

/* Each y is a sum. */
GLK_SHARED void sum_windows(const glk_windows *w, size_t multiplier, const glk_real *x,
                            const glk_real *f, ptrdiff_t f_right, glk_real *y) {
  visit_all(1, 0, w, multiplier, 0, (glk_real *)x, (glk_real *)f, f_right, y); /* only read */
}

/* Each y goes to x or f, from channel c on. */
GLK_SHARED void spread_windows(int is_filter, const glk_windows *w, size_t multiplier, size_t c,
                               glk_real *x, glk_real *f, glk_real *y) {
  visit_all(0, is_filter, w, multiplier, c, x, f, (ptrdiff_t)(w->depth * multiplier), y);
}

/* Windows of x by y's elements, as y's windows are by x's. */
static void turn(glk_window_axis *a) {
  const size_t size = a->size;
  a->size = a->count, a->count = size;
  a->before = (a->taps - 1) * a->dilation - a->before;
}

static void sum_images(const glk_windows *w, size_t multiplier, glk_real *x, glk_real *f,
                       glk_real *y) {
  const ptrdiff_t outputs = (ptrdiff_t)(w->depth * multiplier);
  if (multiplier * w->y.stride * w->x.stride > 1) {
    glk_kernel_fill(w->images * w->y.size * w->x.size * w->depth, 0, x);
    spread_windows(0, w, multiplier, 0, x, f, y);
    return;
  }
  glk_windows turned = *w;
  turn(&turned.y), turn(&turned.x);
  sum_windows(&turned, 1, y, f + (ptrdiff_t)(w->y.taps * w->x.taps - 1) * outputs, -outputs, x);
}

/* Builds for tests sum few windows together, so that their small images have several bands. */
#ifdef GLK_DEBUG
enum { BAND = 64 };
#else
enum { BAND = 1 << 16 /* reals of an image that stay in the second-level cache */ };
#endif
enum { PAIR = 2 * GLK_LANES };

/* Rows of windows that have a row of taps inside of the image. */
typedef struct area {
  size_t rows, columns;
  size_t x_down, x_right, y_down, y_right; /* from window to window */
  size_t next;                             /* from tap to tap, in f and in x */
  size_t left, right; /* `columns` left when a window lacks its first tap, or its last */
} area;

/* Three adjacent taps of eight channels. x is the first window's second tap, since its first tap
 * may be outside of the image, like the third of the last window. */
GLK_SHARED void sum_three(const area *w, const glk_real *x, const glk_real *y, glk_real *f) {
  const size_t next = w->next;
  vpair s0 = GET_PAIR(f), s1 = GET_PAIR(f + next), s2 = GET_PAIR(f + 2 * next);
  for (size_t v = w->rows; v; v--, x += w->x_down, y += w->y_down) {
    const glk_real *a = x, *b = y;
    GLK_NO_UNROLL
    for (size_t u = w->columns; u; u--, a += w->x_right, b += w->y_right) {
      const vpair own = GET_PAIR(b);
      if (u != w->left) s0 += GET_PAIR(a - next) * own;
      s1 += GET_PAIR(a) * own;
      if (u != w->right) s2 += GET_PAIR(a + next) * own;
    }
  }
  PUT_PAIR(f, s0), PUT_PAIR(f + next, s1), PUT_PAIR(f + 2 * next, s2);
}

/* True if one of three taps, at distance `next`, of eight channels is read. */
static int is_read(const uint32_t *unread, size_t at, size_t next) {
  if (!unread) return 1;
  for (size_t k = TAPS; k; k--, at += next) {
    GLK_NO_VECTORS
    for (size_t i = at; i < at + PAIR; i++) {
      if (~unread[i / 32] >> i % 32 & 1) return 1;
    }
  }
  return 0;
}

/* The channels among the first `pairs` that are read. */
static void sum_threes(const glk_windows *w, size_t pairs, const glk_real *x, glk_real *f,
                       const glk_real *y, const uint32_t *unread) {
  const glk_window_axis *r = &w->y;
  const size_t depth = w->depth, line = w->x.size * depth, row = w->x.count * depth;
  const size_t band = BAND / (r->stride * line) + 1, end = r->size + r->before;
  area g = {.columns = w->x.count,
            .x_down = r->stride * line,
            .x_right = w->x.stride * depth,
            .y_down = row,
            .y_right = depth,
            .next = depth,
            .left = w->x.before * w->x.count,
            .right = (w->x.count - 1) * w->x.stride + TAPS > w->x.size + w->x.before};
  for (size_t i = 0; i < w->images; i++, x += r->size * line, y += r->count * row) {
    for (size_t v = 0; v < r->count; v += band) {
      for (size_t t = 0; t < r->taps; t++) {
        const size_t down = t * r->dilation, last = glk_min_size(v + band, r->count);
        size_t top = v;
        while (top < last && top * r->stride + down < r->before) top++;
        const size_t at = top * r->stride + down;
        g.rows =
            top < last && at < end ? glk_min_size(last - top, (end - at - 1) / r->stride + 1) : 0;
        for (size_t c = 0; g.rows && c < pairs; c += PAIR) {
          const size_t first = t * TAPS * depth + c;
          if (!is_read(unread, first, depth)) continue;
          sum_three(&g, x + (at - r->before) * line + (1 - w->x.before) * depth + c,
                    y + top * row + c, f + first);
        }
      }
    }
  }
}

static void sum_filter(const glk_windows *w, size_t multiplier, glk_real *x, glk_real *f,
                       glk_real *y, const uint32_t *unread) {
  const size_t outputs = w->depth * multiplier;
  const int is_fit = w->x.taps == TAPS && w->x.dilation * multiplier == 1;
  const size_t pairs = is_fit ? outputs & ~(size_t)(PAIR - 1) : 0;
  glk_kernel_fill(w->y.taps * w->x.taps * outputs, 0, f);
  if (pairs) sum_threes(w, pairs, x, f, y, unread);
  if (pairs == outputs) return;
  spread_windows(1, w, multiplier, pairs, x, f, y);
}

void glk_kernel_depthwise(glk_depthwise kind, const glk_windows *w, size_t multiplier, glk_real *x,
                          glk_real *f, glk_real *y, const uint32_t *unread) {
  switch (kind) {
  case GLK_DEPTHWISE_Y:
    sum_windows(w, multiplier, x, f, (ptrdiff_t)(w->depth * multiplier), y);
    break;
  case GLK_DEPTHWISE_X: sum_images(w, multiplier, x, f, y); break;
  case GLK_DEPTHWISE_F: sum_filter(w, multiplier, x, f, y, unread); break;
  }
}
