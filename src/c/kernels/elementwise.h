/* Elementwise kernels over contiguous arrays.
 *
 * out [n], x [n], a [n], b [n] real, at any address that a real may have; n may be 0. An operand
 * with a step of 0 is [1]: its one element is used throughout; 1 is the other step. `out` may be
 * the same array as any operand whose step is 1. */
#ifndef GLK_KERNELS_ELEMENTWISE_H
#define GLK_KERNELS_ELEMENTWISE_H

#include "kernels/vec.h"

typedef void glk_unary_kernel(size_t n, const glk_real *x, glk_real *out);
typedef void glk_binary_kernel(size_t n, const glk_real *a, size_t a_step, const glk_real *b,
                               size_t b_step, glk_real *out);

/* List of the kernels, which declarations and tests are made from.
 *
 * Comparisons give 1 where they hold, else 0; with a NaN they are 0, but not_equal is 1. For
 * logical kernels any value but 0 is true, NaN too. Gradients of y = tanh(x), sigmoid(x), relu(x),
 * abs(x), gelu(x): out = dL/dx, a = dL/dy, b = y, but b = x for abs and gelu. */
/* clang-format off */
#define GLK_UNARY_KERNELS(X) \
  X(neg) X(square) X(sqrt) X(abs) X(sign) X(reciprocal) X(rsqrt) X(floor) X(ceil) X(round) \
  X(exp) X(expm1) X(log) X(log1p) X(sin) X(cos) X(erf) \
  X(tanh) X(sigmoid) X(relu) X(softplus) X(gelu_exact) \
  X(logical_not) X(is_nan) X(is_inf) X(is_finite)
#define GLK_BINARY_KERNELS(X) \
  X(add) X(sub) X(mul) X(div) X(mod) X(pow) X(atan2) X(maximum) X(minimum) \
  X(equal) X(not_equal) X(greater) X(greater_equal) X(less) X(less_equal) \
  X(logical_and) X(logical_or) X(logical_xor) \
  X(tanh_gradient) X(sigmoid_gradient) X(relu_gradient) X(abs_gradient) X(gelu_gradient)
/* clang-format on */

#define GLK_DECLARE(name) glk_unary_kernel glk_kernel_##name;
GLK_UNARY_KERNELS(GLK_DECLARE)
#undef GLK_DECLARE
#define GLK_DECLARE(name) glk_binary_kernel glk_kernel_##name;
GLK_BINARY_KERNELS(GLK_DECLARE)
#undef GLK_DECLARE

/** out = condition != 0 ? a : b, bit for bit; a NaN condition is true. out, condition, a, b [n]. */
void glk_kernel_where(size_t n, const glk_real *condition, size_t condition_step, const glk_real *a,
                      size_t a_step, const glk_real *b, size_t b_step, glk_real *out);
/** out = value; out [n]. */
void glk_kernel_fill(size_t n, glk_real value, glk_real *out);

#endif
