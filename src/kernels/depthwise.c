/* Depthwise convolutions, by vectors of channels: nothing is copied, since with one product for
 * each tap and channel a copy would cost as much as the product. */
#include "kernels/depthwise.h"

/* The taps of one window that lie inside of the image: f's, and x's under each other. */
typedef struct taps {
  size_t rows, columns;
  size_t down, right;     /* from tap to tap in the image */
  size_t f_down, f_right; /* and in the filter */
} taps;

/* All taps of one window, in the channels of which x, f and y are the first. */
#define VISIT(real, LOAD, STORE)                                          \
  real own = {0};                                                         \
  if (kind != GLK_DEPTHWISE_Y) own = LOAD(y);                             \
  for (size_t r = t->rows; r; r--, x += t->down, f += t->f_down) {        \
    glk_real *a = x, *b = f;                                              \
    GLK_NO_UNROLL                                                         \
    for (size_t k = t->columns; k; k--, a += t->right, b += t->f_right) { \
      if (kind == GLK_DEPTHWISE_Y) {                                      \
        own += LOAD(a) * LOAD(b);                                         \
      } else if (kind == GLK_DEPTHWISE_X) {                               \
        STORE(a, LOAD(a) + own * LOAD(b));                                \
      } else {                                                            \
        STORE(b, LOAD(b) + LOAD(a) * own);                                \
      }                                                                   \
    }                                                                     \
  }                                                                       \
  if (kind == GLK_DEPTHWISE_Y) STORE(y, own)

/* Four vectors beside each other: what a tap costs besides its products is shared. */
typedef glk_real vquad __attribute__((vector_size(4 * GLK_LANES * sizeof(glk_real))));
typedef vquad vquad_at __attribute__((aligned(sizeof(glk_real)), may_alias));
#define GET_QUAD(p) (*(const vquad_at *)(p))
#define PUT_QUAD(p, v) (*(vquad_at *)(p) = (v))

#define GET(p) (*(p))
#define PUT(p, v) (*(p) = (v))

GLK_INLINE void visit_vector(glk_depthwise kind, const taps *t, glk_real *x, glk_real *f,
                             glk_real *y) {
  VISIT(vreal, vload, vstore);
}

GLK_INLINE void visit_quad(glk_depthwise kind, const taps *t, glk_real *x, glk_real *f,
                           glk_real *y) {
  VISIT(vquad, GET_QUAD, PUT_QUAD);
}

GLK_INLINE void visit_one(glk_depthwise kind, const taps *t, glk_real *x, glk_real *f,
                          glk_real *y) {
  VISIT(glk_real, GET, PUT);
}

GLK_INLINE void visit_window(glk_depthwise kind, const taps *t, size_t depth, size_t multiplier,
                             glk_real *x, glk_real *f, glk_real *y) {
  size_t c = 0;
  if (multiplier == 1) {
    for (; c + 4 * GLK_LANES <= depth; c += 4 * GLK_LANES) {
      visit_quad(kind, t, x + c, f + c, y + c);
    }
    GLK_NO_UNROLL
    for (; c + GLK_LANES <= depth; c += GLK_LANES) visit_vector(kind, t, x + c, f + c, y + c);
  }
  f += c, y += c;
  for (; c < depth; c++) {
    for (size_t m = multiplier; m; m--) visit_one(kind, t, x + c, f++, y++);
  }
}

GLK_INLINE void visit_all(glk_depthwise kind, const glk_windows *w, size_t multiplier, glk_real *x,
                          glk_real *f, glk_real *y) {
  const size_t depth = w->depth, line = w->x.size * depth, outputs = depth * multiplier;
  taps t = {.down = w->y.dilation * line,
            .right = w->x.dilation * depth,
            .f_down = w->x.taps * outputs,
            .f_right = outputs};
  for (size_t i = 0; i < w->images; i++, x += w->y.size * line) {
    for (size_t v = 0; v < w->y.count; v++) {
      const glk_span sy = glk_span_of(&w->y, v);
      t.rows = sy.to - sy.from;
      for (size_t u = 0; u < w->x.count; u++, y += outputs) {
        const glk_span sx = glk_span_of(&w->x, u);
        t.columns = sx.to - sx.from;
        const ptrdiff_t row = sy.at + (ptrdiff_t)(sy.from * w->y.dilation);
        const ptrdiff_t column = sx.at + (ptrdiff_t)(sx.from * w->x.dilation);
        glk_real *at = x;
        if (t.rows && t.columns) at += row * (ptrdiff_t)line + column * (ptrdiff_t)depth;
        visit_window(kind, &t, depth, multiplier, at, f + sy.from * t.f_down + sx.from * outputs,
                     y);
      }
    }
  }
}

void glk_kernel_depthwise(glk_depthwise kind, const glk_windows *w, size_t multiplier, glk_real *x,
                          glk_real *f, glk_real *y) {
  switch (kind) {
  case GLK_DEPTHWISE_Y: visit_all(GLK_DEPTHWISE_Y, w, multiplier, x, f, y); break;
  case GLK_DEPTHWISE_X: visit_all(GLK_DEPTHWISE_X, w, multiplier, x, f, y); break;
  case GLK_DEPTHWISE_F: visit_all(GLK_DEPTHWISE_F, w, multiplier, x, f, y); break;
  }
}
