/* Elementwise kernels over contiguous runs. A step is 1 to walk an operand, 0 to use its first element for all.
 * Any length and any alignment of a real; `out` may be one of the inputs that is walked. */
#ifndef GLK_KERNELS_ELEMENTWISE_H
#define GLK_KERNELS_ELEMENTWISE_H

#include "kernels/vec.h"

typedef void glk_unary_kernel(size_t n, const glk_real *x, glk_real *out);
typedef void glk_binary_kernel(size_t n, const glk_real *a, size_t a_step, const glk_real *b,
                               size_t b_step, glk_real *out);

glk_unary_kernel glk_kernel_neg, glk_kernel_square, glk_kernel_sqrt, glk_kernel_abs,
    glk_kernel_sign, glk_kernel_relu, glk_kernel_reciprocal, glk_kernel_rsqrt, glk_kernel_exp,
    glk_kernel_log, glk_kernel_tanh, glk_kernel_sigmoid;

glk_binary_kernel glk_kernel_add, glk_kernel_sub, glk_kernel_mul, glk_kernel_div,
    glk_kernel_maximum, glk_kernel_minimum;

/** 1 where the comparison holds, else 0; any comparison with NaN is 0. */
glk_binary_kernel glk_kernel_equal, glk_kernel_greater, glk_kernel_greater_equal, glk_kernel_less,
    glk_kernel_less_equal;

/** 1 or 0. Any value but 0 is true, NaN too. */
glk_binary_kernel glk_kernel_not_equal, glk_kernel_logical_and, glk_kernel_logical_or,
    glk_kernel_logical_xor;
glk_unary_kernel glk_kernel_logical_not, glk_kernel_is_nan, glk_kernel_is_inf, glk_kernel_is_finite;

/** Gradients through y = tanh(x), y = sigmoid(x), y = relu(x), y = abs(x): a is dL/dy, b is y (x for abs). */
glk_binary_kernel glk_kernel_tanh_gradient, glk_kernel_sigmoid_gradient, glk_kernel_relu_gradient,
    glk_kernel_abs_gradient;

/** out = condition != 0 ? a : b, chosen by bits. NaN counts as true, as any nonzero value does. */
void glk_kernel_where(size_t n, const glk_real *condition, size_t condition_step, const glk_real *a,
                      size_t a_step, const glk_real *b, size_t b_step, glk_real *out);
void glk_kernel_fill(size_t n, glk_real value, glk_real *out);

#endif
