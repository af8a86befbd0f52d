#include "kernels/elementwise.h"

#include "kernels/math.h"

GLK_INLINE void map_unary(size_t n, const glk_real *x, glk_real *out, vreal (*f)(vreal)) {
  size_t i = 0;
  GLK_NO_UNROLL
  for (; i + GLK_LANES <= n; i += GLK_LANES) vstore(out + i, f(vload(x + i)));
  if (i < n) vstore_n(out + i, f(vload_n(x + i, n - i)), n - i);
}

/* The tail loads partial vectors and runs the same arithmetic: a value's bits do not depend on its place. */
GLK_INLINE void map_binary(size_t n, const glk_real *a, size_t a_step, const glk_real *b,
                           size_t b_step, glk_real *out, vreal (*f)(vreal, vreal)) {
  if (!n) return;
  const vreal a0 = vsplat(*a), b0 = vsplat(*b);
  size_t i = 0;
  if (a_step && b_step) {
    GLK_NO_UNROLL
    for (; i + GLK_LANES <= n; i += GLK_LANES) vstore(out + i, f(vload(a + i), vload(b + i)));
  } else if (a_step) {
    GLK_NO_UNROLL
    for (; i + GLK_LANES <= n; i += GLK_LANES) vstore(out + i, f(vload(a + i), b0));
  } else {
    GLK_NO_UNROLL
    for (; i + GLK_LANES <= n; i += GLK_LANES) vstore(out + i, f(a0, b_step ? vload(b + i) : b0));
  }
  if (i < n) {
    const vreal at = a_step ? vload_n(a + i, n - i) : a0;
    const vreal bt = b_step ? vload_n(b + i, n - i) : b0;
    vstore_n(out + i, f(at, bt), n - i);
  }
}

#define UNARY(name, expression)                                        \
  GLK_INLINE vreal lanes_##name(vreal x) { return expression; }        \
  void glk_kernel_##name(size_t n, const glk_real *x, glk_real *out) { \
    map_unary(n, x, out, lanes_##name);                                \
  }

#define BINARY(name, expression)                                                        \
  GLK_INLINE vreal lanes_##name(vreal a, vreal b) { return expression; }                \
  void glk_kernel_##name(size_t n, const glk_real *a, size_t a_step, const glk_real *b, \
                         size_t b_step, glk_real *out) {                                \
    map_binary(n, a, a_step, b, b_step, out, lanes_##name);                             \
  }

GLK_INLINE vreal one_where(vbits condition) { return (vreal)(condition & (vbits)vsplat(1)); }

/* -1, 0 or 1 as x; a zero and NaN come back as they are. */
GLK_INLINE vreal sign_of(vreal x) {
  const vreal magnitude = (vreal)((vbits)vsplat(1) | ((vbits)x & vsplat_bits(GLK_SIGN_BIT)));
  return vselect((x > 0) | (x < 0), magnitude, x);
}

UNARY(neg, vneg(x))
UNARY(square, x *x)
UNARY(sqrt, vsqrt(x))
UNARY(abs, vabs(x))
UNARY(sign, sign_of(x))
UNARY(relu, vmax(x, vsplat(0)))
UNARY(exp, vexp(x))
UNARY(log, vlog(x))
UNARY(tanh, vtanh(x))
UNARY(sigmoid, vsigmoid(x))

BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(mul, a *b)
BINARY(div, a / b)
BINARY(maximum, vmax(a, b))
BINARY(minimum, vmin(a, b))

BINARY(equal, one_where(a == b))
BINARY(greater, one_where(a > b))
BINARY(greater_equal, one_where(a >= b))

void glk_kernel_less(size_t n, const glk_real *a, size_t a_step, const glk_real *b, size_t b_step,
                     glk_real *out) {
  glk_kernel_greater(n, b, b_step, a, a_step, out);
}

void glk_kernel_less_equal(size_t n, const glk_real *a, size_t a_step, const glk_real *b,
                           size_t b_step, glk_real *out) {
  glk_kernel_greater_equal(n, b, b_step, a, a_step, out);
}

BINARY(tanh_gradient, a *(vsplat(1) - b * b))
BINARY(sigmoid_gradient, a *(b *(vsplat(1) - b)))
BINARY(relu_gradient, (vreal)((vbits)a &(b > 0)))
BINARY(abs_gradient, a *sign_of(b))

GLK_INLINE vreal operand(const glk_real *x, size_t step, size_t i, size_t lanes) {
  if (!step) return vsplat(*x);
  return lanes == GLK_LANES ? vload(x + i) : vload_n(x + i, lanes);
}

void glk_kernel_where(size_t n, const glk_real *condition, size_t condition_step, const glk_real *a,
                      size_t a_step, const glk_real *b, size_t b_step, glk_real *out) {
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i += GLK_LANES) {
    const size_t lanes = n - i < GLK_LANES ? n - i : GLK_LANES;
    const vbits is_zero = operand(condition, condition_step, i, lanes) == vsplat(0);
    const vreal v = vselect(is_zero, operand(b, b_step, i, lanes), operand(a, a_step, i, lanes));
    if (lanes == GLK_LANES) {
      vstore(out + i, v);
    } else {
      vstore_n(out + i, v, lanes);
    }
  }
}

void glk_kernel_fill(size_t n, glk_real value, glk_real *out) {
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i++) out[i] = value;
}
