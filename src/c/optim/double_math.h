/* Functions of single numbers, in double: powers, exponentials and cosines of options and of
 * rates. */
#ifndef GLK_OPTIM_DOUBLE_MATH_H
#define GLK_OPTIM_DOUBLE_MATH_H

#include <stdint.h>

#include "core/exact.h"

/** base^exponent for whole exponents from 0 up, by squaring. */
double glk_power(double base, double exponent);
/** base^exponent, both 0 or above; whole exponents by squaring. */
double glk_power_real(double base, double exponent);
/** ln(1 + x) for x >= 0, accurate near 0. */
double glk_log1p(double x);
/** e^x - 1 for x >= 0, accurate near 0. */
double glk_expm1(double x);
/** (1 + cos(pi x)) / 2 for x in 0..1: exactly 1, 1/2 and 0 at 0, 1/2 and 1. */
double glk_half_cosine(double x);

/** The whole number below x, or x, for 0 <= x < 2^63. */
static inline double glk_floor(double x) { return (double)(int64_t)x; }

#endif
