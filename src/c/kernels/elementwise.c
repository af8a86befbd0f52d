/* Elementwise kernels. Each is one loop over whole turns of one or more vectors. Tails and repeated
 * operands are copied into buffers of that form here, once for all kernels. This keeps the library
 * small, and a value's bits do not depend on its index.
 *
 * A turn is one vector, but two or four in functions. A function is a long chain of dependences,
 * and processors do not look far enough ahead to start the next vector. */
#include "kernels/elementwise.h"

#include "kernels/copy.h"
#include "kernels/math_angle.h"
#include "kernels/math_exp.h"

/* out [n], x [n], a [n], b [n]; n is whole turns. */
typedef void unary_lanes(size_t n, const glk_real *x, glk_real *out);
typedef void binary_lanes(size_t n, const glk_real *a, const glk_real *b, glk_real *out);

enum {
  /* Elements of the buffer of a repeated operand. */
  CHUNK = 64,
  ONE = GLK_LANES,
  TWO = 2 * GLK_LANES,
  FOUR = 4 * GLK_LANES
};

/* A tail is filled up with its first element: 0 / 0 there would be invalid, if nobody reads it. */
__attribute__((noinline)) static void run_unary(size_t n, const glk_real *x, glk_real *out,
                                                size_t turn, unary_lanes *lanes) {
  const size_t rest = n % turn, whole = n - rest;
  if (whole) lanes(whole, x, out);
  if (!rest) return;
  glk_real tail[FOUR];
  for (size_t k = 0; k < FOUR; k += GLK_LANES) vstore(tail + k, vsplat(x[whole]));
  glk_kernel_copy_few(rest, x + whole, tail);
  lanes(turn, tail, tail);
  glk_kernel_copy_few(rest, tail, out + whole);
}

__attribute__((noinline)) static void run_tail(size_t n, const glk_real *a, const glk_real *b,
                                               glk_real *out, binary_lanes *lanes) {
  glk_real left[GLK_LANES], right[GLK_LANES];
  vstore(left, vsplat(*a));
  vstore(right, vsplat(*b));
  glk_kernel_copy_few(n, a, left);
  glk_kernel_copy_few(n, b, right);
  lanes(GLK_LANES, left, right, left);
  vstore_n(out, vload(left), n);
}

__attribute__((noinline)) static void run_binary(size_t n, const glk_real *a, size_t a_step,
                                                 const glk_real *b, size_t b_step, glk_real *out,
                                                 binary_lanes *lanes) {
  glk_real a_repeated[CHUNK], b_repeated[CHUNK];
  const size_t filled = n < CHUNK ? n : CHUNK;
  /* a [n] or [1], b [n] or [1], out [n]; one buffer of a repeated operand serves all chunks. */
  const size_t chunk = a_step && b_step ? n : CHUNK;
  if (!a_step) glk_kernel_fill(filled, n ? *a : 0, a_repeated);
  if (!b_step) glk_kernel_fill(filled, n ? *b : 0, b_repeated);
  for (size_t i = 0; i < n; i += chunk) {
    const size_t count = n - i < chunk ? n - i : chunk, whole = count - count % GLK_LANES;
    const glk_real *left = a_step ? a + i : a_repeated, *right = b_step ? b + i : b_repeated;
    if (whole) lanes(whole, left, right, out + i);
    if (whole < count) run_tail(count - whole, left + whole, right + whole, out + i + whole, lanes);
  }
}

#define LOOP(turn, expression)                       \
  GLK_NO_UNROLL                                      \
  for (size_t i = 0; i < n; i += turn) {             \
    vreal y[turn / GLK_LANES];                       \
    for (size_t k = 0; k < turn / GLK_LANES; k++) {  \
      const vreal x = vload(in + i + k * GLK_LANES); \
      y[k] = expression;                             \
    }                                                \
    for (size_t k = 0; k < turn / GLK_LANES; k++) {  \
      vstore(out + i + k * GLK_LANES, y[k]);         \
    }                                                \
  }

#define UNARY(name, expression) FUNCTION(name, ONE, expression)

#define FUNCTION(name, turn, expression)                     \
  GLK_SHARED void lanes_##name(size_t n, const glk_real *in, \
                               glk_real *out){LOOP(turn, expression)} UNARY_KERNEL(name, turn)

#define UNARY_KERNEL(name, turn)                                       \
  void glk_kernel_##name(size_t n, const glk_real *x, glk_real *out) { \
    run_unary(n, x, out, turn, lanes_##name);                          \
  }

#define BINARY(name, expression)                                                                   \
  static void lanes_##name(size_t n, const glk_real *left, const glk_real *right, glk_real *out) { \
    GLK_NO_UNROLL                                                                                  \
    for (size_t i = 0; i < n; i += GLK_LANES) {                                                    \
      const vreal a = vload(left + i), b = vload(right + i);                                       \
      vstore(out + i, expression);                                                                 \
    }                                                                                              \
  }                                                                                                \
  BINARY_KERNEL(name)

#define BINARY_KERNEL(name)                                                             \
  void glk_kernel_##name(size_t n, const glk_real *a, size_t a_step, const glk_real *b, \
                         size_t b_step, glk_real *out) {                                \
    run_binary(n, a, a_step, b, b_step, out, lanes_##name);                             \
  }

GLK_INLINE vreal one_where(vbits condition) { return (vreal)(condition & (vbits)vsplat(1)); }

/* -1, +0 or 1 as x; NaN comes back as it is. */
GLK_INLINE vreal sign_of(vreal x) {
  const vbits unit = (vbits)vsplat(1) | ((vbits)x & vsplat_bits(GLK_SIGN_BIT));
  return vselect(x == x, (vreal)(unit & (x != 0)), x);
}

UNARY(neg, vneg(x))
UNARY(square, x *x)
UNARY(sqrt, vsqrt(x))
UNARY(abs, vabs(x))
UNARY(sign, sign_of(x))
UNARY(relu, vmax(x, vsplat(0)))
UNARY(reciprocal, vsplat(1) / x)
UNARY(rsqrt, vrsqrt(x))
UNARY(floor, vfloor(x))
UNARY(ceil, vceil(x))
UNARY(round, vround(x))

FUNCTION(exp, FOUR, vexp(x))
FUNCTION(expm1, TWO, vexpm1(x))
FUNCTION(log, TWO, vlog(x))
FUNCTION(log1p, TWO, vlog1p(x))
UNARY(erf, verf(x))
FUNCTION(tanh, TWO, vtanh(x))
FUNCTION(sigmoid, TWO, vsigmoid(x))
UNARY(gelu_exact, vgelu(x))

/* One loop for both. */
GLK_SHARED void lanes_sin_or_cos(size_t n, const glk_real *in, glk_real *out, uint32_t is_cos) {
  LOOP(ONE, vsin_or_cos(x, is_cos))
}
static void lanes_sin(size_t n, const glk_real *in, glk_real *out) {
  lanes_sin_or_cos(n, in, out, 0);
}
static void lanes_cos(size_t n, const glk_real *in, glk_real *out) {
  lanes_sin_or_cos(n, in, out, 1);
}
UNARY_KERNEL(sin, ONE)
UNARY_KERNEL(cos, ONE)

#ifdef GLK_DOUBLE
UNARY(softplus, vsoftplus(x))
#else
/* vsoftplus, one loop after the other. The constants of both functions together need more registers
 * than engines have, which would halve the speed, and the code of both exists already. */
static void lanes_softplus(size_t n, const glk_real *in, glk_real *out) {
  glk_real part[CHUNK] = {0}; /* functions take whole turns of it */
  for (size_t i = 0; i < n; i += CHUNK) {
    const size_t count = n - i < CHUNK ? n - i : CHUNK;
    GLK_NO_UNROLL
    for (size_t k = 0; k < count; k += GLK_LANES) vstore(part + k, vneg(vabs(vload(in + i + k))));
    lanes_exp(count, part, part);
    lanes_log1p(count, part, part);
    GLK_NO_UNROLL
    for (size_t k = 0; k < count; k += GLK_LANES) {
      vstore(out + i + k, vmax(vload(in + i + k), vsplat(0)) + vload(part + k));
    }
  }
}
UNARY_KERNEL(softplus, ONE)
#endif

BINARY(add, a + b)
BINARY(sub, a - b)
BINARY(mul, a *b)
BINARY(div, a / b)
BINARY(maximum, vmax(a, b))
BINARY(minimum, vmin(a, b))
BINARY(pow, vpow(a, b))
BINARY(atan2, vatan2(a, b))
BINARY(mod, vmod(a, b))

GLK_INLINE vreal infinity(void) { return vsplat((glk_real)__builtin_inf()); }

UNARY(logical_not, one_where(x == 0))
UNARY(is_nan, one_where(x != x))
UNARY(is_inf, one_where(vabs(x) == infinity()))
UNARY(is_finite, one_where(vabs(x) < infinity()))

BINARY(equal, one_where(a == b))
BINARY(not_equal, one_where(a != b))
BINARY(logical_and, one_where((a != 0) & (b != 0)))
BINARY(logical_or, one_where((a != 0) | (b != 0)))
BINARY(logical_xor, one_where((a != 0) ^ (b != 0)))
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

/* a * vgelu_slope(b), loop after loop as well. */
static void lanes_gelu_gradient(size_t n, const glk_real *left, const glk_real *right,
                                glk_real *out) {
  glk_real to_erf[CHUNK] = {0}, to_exp[CHUNK] = {0};
  for (size_t i = 0; i < n; i += CHUNK) {
    const size_t count = n - i < CHUNK ? n - i : CHUNK;
    GLK_NO_UNROLL
    for (size_t k = 0; k < count; k += GLK_LANES) {
      vstore(to_erf + k, gelu_slope_to_erf(vload(right + i + k)));
      vstore(to_exp + k, gelu_slope_to_exp(vload(right + i + k)));
    }
    lanes_erf(count, to_erf, to_erf);
    lanes_exp(count, to_exp, to_exp);
    GLK_NO_UNROLL
    for (size_t k = 0; k < count; k += GLK_LANES) {
      const vreal x = vload(right + i + k);
      const vreal slope = gelu_slope_from(x, vload(to_erf + k), vload(to_exp + k));
      vstore(out + i + k, vload(left + i + k) * slope);
    }
  }
}
BINARY_KERNEL(gelu_gradient)

GLK_INLINE vreal operand(const glk_real *x, size_t step, size_t i, size_t n) {
  return step ? vload_most(x + i, n - i) : vsplat(*x);
}

void glk_kernel_where(size_t n, const glk_real *condition, size_t condition_step, const glk_real *a,
                      size_t a_step, const glk_real *b, size_t b_step, glk_real *out) {
  /* condition [n] or [1], a [n] or [1], b [n] or [1], out [n] */
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i += GLK_LANES) {
    const vbits is_zero = operand(condition, condition_step, i, n) == vsplat(0);
    const vreal v = vselect(is_zero, operand(b, b_step, i, n), operand(a, a_step, i, n));
    vstore_most(out + i, v, n - i);
  }
}

void glk_kernel_fill(size_t n, glk_real value, glk_real *out) {
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i++) out[i] = value;
}
