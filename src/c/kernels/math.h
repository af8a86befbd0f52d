/* Mathematical functions on four lanes, with the same bits on every machine: exp, log, tanh and
 * others (math_exp.h), rounding and remainders (math_round.h), sin and cos (math_trig.h), atan and
 * atan2 (math_atan.h), erf and gelu (math_erf.h), pow (math_pow.h).
 *
 * The libms of hosts differ in their last bits, so none is called. All functions use only
 * operations that IEEE 754 fixes, in a fixed order and never fused: + - * /, square roots,
 * comparisons, conversions and bit operations. No tables, and no branches but one (sin and cos of
 * large arguments): all lanes take the same path and masks select. Where a sum needs more than
 * f32's 24 bits, it uses f64 lanes: every engine has them, and pairs of f32 would take several
 * times the steps.
 *
 * Every finite f32 was tried (exhaustive_math.c), except for pow, mod and atan2, whose pairs are
 * too many; the errors given are the largest found, in units in the last place of the exact result,
 * subnormal results included. exp, log, tanh, sigmoid, expm1, log1p, atan and erf are monotonic: a
 * greater argument never gives a smaller result. NaN gives NaN; which NaN is the machine's choice.
 *
 * The coefficients are our own: minimax for the relative error of the result, by Lawson's
 * reweighted least squares, rounded to the format they are used in. Sources of the methods are in
 * each file.
 *
 * Where reals are f64 (GLK_DOUBLE), math64_….h have the same functions, under the same rules: there
 * the errors were measured on samples (tests/c/test_math64.c), and order is not claimed.
 */
#ifndef GLK_KERNELS_MATH_H
#define GLK_KERNELS_MATH_H

#include "kernels/math_atan.h"
#include "kernels/math_erf.h"
#include "kernels/math_exp.h"
#include "kernels/math_pow.h"
#include "kernels/math_round.h"
#include "kernels/math_trig.h"

#endif
