/* Mathematical functions on four lanes, with the same bits on every machine. Here are their rules,
 * numbers of more bits than a real, rounding, remainders, 1 / sqrt and limits. math_exp.h has exp,
 * log, tanh, erf, gelu and pow; math_angle.h has sin, cos and atan2.
 *
 * The libms of hosts differ in their last bits, so none is called. All functions use only
 * operations that IEEE 754 fixes, in a fixed order and never fused: + - * /, square roots,
 * comparisons, conversions and bit operations. No tables, and no branches but one (sin and cos of
 * large arguments): all lanes take the same path and masks select. Where a sum needs more than
 * f32's 24 bits, it uses f64 lanes: every engine has them, and pairs of f32 would take several
 * times the steps.
 *
 * Every finite f32 was tried (exhaustive_math.c), except for pow, mod and atan2, whose pairs are
 * too many. The errors given are the largest found, in ulps of the exact result (units in the last
 * place), subnormal results included. exp, log, tanh, sigmoid, expm1, log1p, atan and erf are
 * monotonic: a greater argument never gives a smaller result. NaN gives NaN, any of them.
 *
 * The coefficients are our own: minimax for the relative error of the result, by Lawson's
 * reweighted least squares, rounded to the format they are used in. Sources of the methods are in
 * each file.
 *
 * Where reals are f64 (GLK_DOUBLE), the same functions follow the same rules. Their errors were
 * measured on samples (tests/c/test_math64.c), and order is not claimed.
 */
#ifndef GLK_KERNELS_MATH_H
#define GLK_KERNELS_MATH_H

#include "kernels/vec.h"

/** `a`, which is x in sign or not negative, with the sign of x. */
GLK_INLINE vreal with_sign_of(vreal a, vreal x) {
  return (vreal)((vbits)a | ((vbits)x & vsplat_bits(GLK_SIGN_BIT)));
}

#ifdef GLK_DOUBLE

/* Sums of two f64, for steps of f64 functions that need more bits than f64 has: hi + lo, |lo| at
 * most half an ulp of hi. Every operation is one that IEEE 754 fixes, none is fused.
 *
 * Source: Dekker 1971, A Floating-Point Technique for Extending the Available Precision; Knuth,
 * The Art of Computer Programming, 4.2.2.
 */

/** hi + lo, in four lanes. */
typedef struct vpair {
  vreal hi, lo;
} vpair;

/** a + b, exactly, where a is 0 or not smaller than b in size. */
GLK_INLINE vpair sum_fast(vreal a, vreal b) {
  const vreal hi = a + b;
  return (vpair){hi, b - (hi - a)};
}

/** a + b, exactly. */
GLK_INLINE vpair sum_of(vreal a, vreal b) {
  const vreal hi = a + b, part = hi - a;
  return (vpair){hi, (a - (hi - part)) + (b - part)};
}

/** a b, exactly, where both are below 2^996 and the product is no subnormal. */
GLK_INLINE vpair product_of(vreal a, vreal b) {
  const vreal half = vsplat(0x1p27 + 1);
  const vreal a_up = half * a, b_up = half * b;
  const vreal a_hi = a_up - (a_up - a), b_hi = b_up - (b_up - b);
  const vreal a_lo = a - a_hi, b_lo = b - b_hi, hi = a * b;
  return (vpair){hi, a_lo * b_lo - (((hi - a_hi * b_hi) - a_lo * b_hi) - a_hi * b_lo)};
}

/** a + b to 2^-104 of it where the signs are alike. */
GLK_INLINE vpair pair_sum(vpair a, vpair b) {
  const vpair s = sum_of(a.hi, b.hi);
  return sum_fast(s.hi, s.lo + (a.lo + b.lo));
}

/** a b to 2^-102 of it. */
GLK_INLINE vpair pair_product(vpair a, vpair b) {
  const vpair p = product_of(a.hi, b.hi);
  return sum_fast(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

/** a / b to 2^-100 of it. */
GLK_INLINE vpair pair_quotient(vpair a, vpair b) {
  const vreal q = a.hi / b.hi;
  const vpair p = product_of(q, b.hi);
  return sum_fast(q, (((a.hi - p.hi) - p.lo) + (a.lo - q * b.lo)) / b.hi);
}

GLK_INLINE vpair pair_select(vbits mask, vpair a, vpair b) {
  return (vpair){vselect(mask, a.hi, b.hi), vselect(mask, a.lo, b.lo)};
}

#else

/* Four lanes of f64, for the few steps of f32 functions that need more bits than f32 has. Every
 * lane computes as IEEE 754 says, so results stay the same on every machine. */

/** Four f64. */
typedef double vwide __attribute__((vector_size(GLK_LANES * sizeof(double))));
/** Their bits. */
typedef int64_t vwide_bits __attribute__((vector_size(GLK_LANES * sizeof(double))));
typedef uint64_t vwide_ubits __attribute__((vector_size(GLK_LANES * sizeof(double))));

GLK_INLINE vwide wsplat(double x) { return (vwide){x, x, x, x}; }
GLK_INLINE vwide widen(vreal x) { return __builtin_convertvector(x, vwide); }

/** Round to f32, once. */
GLK_INLINE vreal narrow(vwide x) {
#ifdef __wasm_simd128__
  /* clang 14 takes the lanes apart instead, which costs sin a twelfth of its time. */
  const v128_t low = wasm_f32x4_demote_f64x2_zero((v128_t)__builtin_shufflevector(x, x, 0, 1));
  const v128_t high = wasm_f32x4_demote_f64x2_zero((v128_t)__builtin_shufflevector(x, x, 2, 3));
  return (vreal)wasm_i64x2_shuffle(low, high, 0, 2);
#else
  return __builtin_convertvector(x, vreal);
#endif
}

GLK_INLINE vwide wselect(vwide_bits mask, vwide a, vwide b) {
  return (vwide)((mask & (vwide_bits)a) | (~mask & (vwide_bits)b));
}

#endif

/* Rounding: */

/* Rounding to integers, remainders, and 1 / sqrt. Results are exact but for vrsqrt's. A zero has
 * the sign of its argument, as IEEE 754 wants it: ceil(-0.5) = -0.
 *
 * wasm has instructions for these; SSE2 has no such instruction, so native code adds 2^23 to |x|
 * and subtracts it. This rounds to the nearest integer, ties to even, since f32s above 2^23 are
 * integers.
 */

#if defined(__wasm_simd128__) && defined(GLK_DOUBLE)

#define GLK_HALVES(function, x)                                              \
  const v128_t low = function((v128_t)__builtin_shufflevector(x, x, 0, 1));  \
  const v128_t high = function((v128_t)__builtin_shufflevector(x, x, 2, 3)); \
  return __builtin_shufflevector((two_reals)low, (two_reals)high, 0, 1, 2, 3)

typedef glk_real two_reals __attribute__((vector_size(16)));

GLK_INLINE vreal vfloor(vreal x) { GLK_HALVES(wasm_f64x2_floor, x); }
GLK_INLINE vreal vceil(vreal x) { GLK_HALVES(wasm_f64x2_ceil, x); }
GLK_INLINE vreal vround(vreal x) { GLK_HALVES(wasm_f64x2_nearest, x); }
GLK_INLINE vreal vtrunc(vreal x) { GLK_HALVES(wasm_f64x2_trunc, x); }

#elif defined(__wasm_simd128__)

GLK_INLINE vreal vfloor(vreal x) { return (vreal)wasm_f32x4_floor((v128_t)x); }
GLK_INLINE vreal vceil(vreal x) { return (vreal)wasm_f32x4_ceil((v128_t)x); }
GLK_INLINE vreal vround(vreal x) { return (vreal)wasm_f32x4_nearest((v128_t)x); }
GLK_INLINE vreal vtrunc(vreal x) { return (vreal)wasm_f32x4_trunc((v128_t)x); }

#else

#ifdef GLK_DOUBLE
#define GLK_WHOLE 0x1p52
#else
#define GLK_WHOLE 0x1p23f
#endif

/** x where it is an integer, infinity or NaN for its size alone; else `rounded`, signed like x. */
GLK_INLINE vreal unless_large(vreal x, vreal rounded) {
  const vbits sign = (vbits)x & vsplat_bits(GLK_SIGN_BIT);
  return vselect(vabs(x) < vsplat(GLK_WHOLE), (vreal)((vbits)rounded | sign), x);
}

/** 1 where the condition holds, else 0. */
GLK_INLINE vreal one_if(vbits condition) { return (vreal)(condition & (vbits)vsplat(1)); }

/** The nearest integer, the even one of two. */
GLK_INLINE vreal vround(vreal x) {
  return unless_large(x, vabs(x) + vsplat(GLK_WHOLE) - vsplat(GLK_WHOLE));
}

/** The greatest integer not above x. */
GLK_INLINE vreal vfloor(vreal x) {
  const vreal nearest = vround(x);
  return unless_large(x, nearest - one_if(nearest > x));
}

/** The least integer not below x. */
GLK_INLINE vreal vceil(vreal x) {
  const vreal nearest = vround(x);
  return unless_large(x, nearest + one_if(nearest < x));
}

/** The nearest integer that is not further from 0 than x. */
GLK_INLINE vreal vtrunc(vreal x) {
  const vreal a = vabs(x), nearest = vround(a);
  return unless_large(x, nearest - one_if(nearest > a));
}

#endif

/** The remainder of the division that rounds to zero, with b's sign instead of a's: like Python's
 *  %, and like TensorFlow in cases that the rules leave open. `rest` is C's fmod(a, b). */
GLK_INLINE vreal floored(vreal rest, vreal b) {
  const vbits differs = (rest != vsplat(0)) & ((rest < vsplat(0)) ^ (b < vsplat(0)));
  return vselect(differs, rest + b, rest);
}

#ifdef GLK_DOUBLE

/** |a| mod |b| of their bits, exactly. Long division, 11 bits of the quotient at a time. */
__attribute__((noinline, unused)) static double one_mod(uint64_t a, uint64_t b) {
  const uint64_t infinity = 0x7ff0000000000000u, mantissa = 0xfffffffffffffu;
  double result;
  if (a >= infinity || b == 0 || b > infinity) return __builtin_nan("");
  if (a < b) {
    memcpy(&result, &a, sizeof a);
    return result;
  }
  const uint64_t a_field = a >> 52, b_field = b >> 52; /* 0 of subnormals, which count as 1 */
  uint64_t rest = (a & mantissa) | (uint64_t)(a_field > 0) << 52;
  const uint64_t divisor = (b & mantissa) | (uint64_t)(b_field > 0) << 52;
  uint64_t shifts = (a_field + !a_field) - (b_field + !b_field);
  for (rest %= divisor; shifts > 0 && rest > 0;) {
    const uint64_t now = shifts < 11 ? shifts : 11;
    rest = (rest << now) % divisor;
    shifts -= now;
  }
  /* rest 2^(b_field - 1) in the least subnormals: exact, and in halves, as 2^2045 is no f64. */
  const uint64_t power = b_field - (b_field > 0), half = power / 2;
  const uint64_t factors[] = {(1023 + half) << 52, (1023 + power - half) << 52};
  double scales[2];
  memcpy(scales, factors, sizeof factors);
  return (double)rest * 0x1p-1074 * scales[0] * scales[1];
}

/** As for f32. */
GLK_INLINE vreal vmod(vreal a, vreal b) {
  const vbits x = (vbits)vabs(a), y = (vbits)vabs(b);
  vreal rest;
  for (int lane = 0; lane < GLK_LANES; lane++) {
    rest[lane] = one_mod((uint64_t)x[lane], (uint64_t)y[lane]);
  }
  const vbits sign = (vbits)a & vsplat_bits(GLK_SIGN_BIT);
  return floored((vreal)((vbits)rest | sign), b);
}

#else

/** a - b floor(a / b) of the exact quotient, rounded once if the signs differ, else exact. A zero
 *  has a's sign. mod(a, +-inf) is a, or b if the signs differ; NaN if a is infinite or b is 0. */
GLK_INLINE vreal vmod(vreal a, vreal b) {
  /* Long division of |a| by |b|, 29 bits of the quotient at a time: their product with the 24 bits
   * of a divisor is an exact f64, and so is the remainder. Quotients end at 2^277. */
  const vwide size = widen(vabs(b)), infinity = wsplat(__builtin_inf());
  const vwide divisor = wselect(size == infinity, wsplat(0x1p128), size);
  vwide rest = widen(vabs(a));
  for (double power = 0x1p261; power >= 1; power *= 0x1p-29) {
    const vwide d = divisor * wsplat(power);
    if (power > 1 && !any_lane(__builtin_convertvector(rest >= d, vbits))) continue;
    const vwide shifter = wsplat(0x1p52); /* its ulp is 1: adding it rounds */
    const vwide left = rest - ((rest / d + shifter) - shifter) * d;
    rest = wselect(left < wsplat(0), left + d, left);
  }
  const vbits sign = (vbits)a & vsplat_bits(GLK_SIGN_BIT);
  return floored((vreal)((vbits)narrow(rest) | sign), b);
}

#endif

#ifdef GLK_DOUBLE

/** 1 / sqrt(x), at most 0.51 ulp. rsqrt(+-0) = +-inf, rsqrt(inf) = +0; NaN below 0. */
GLK_INLINE vreal vrsqrt(vreal x) {
  /* Far from 1, x is scaled by power^2, so that no part of the products is lost. */
  const vreal low = vselect(x < vsplat(0x1p-500), vsplat(0x1p300), vsplat(1));
  const vreal power = vselect(x > vsplat(0x1p500), vsplat(0x1p-300), low);
  const vreal z = x * (power * power), s = vsqrt(z), y = vsplat(1) / s;
  /* y is corrected by its exact residual, 1 - y s, and by the one of s, which is z - s^2. */
  const vpair square = product_of(s, s), one = product_of(y, s);
  const vreal lost = vsplat(0.5) * y * ((z - square.hi) - square.lo); /* sqrt(z) - s */
  const vreal better = y + y * (((vsplat(1) - one.hi) - one.lo) - y * lost);
  const vbits is_ordinary = (z > vsplat(0)) & (z < vsplat(__builtin_inf()));
  return power * vselect(is_ordinary, better, y);
}

#else

/** 1 / sqrt(x), at most 1.50 ulp. rsqrt(+-0) = +-inf, rsqrt(inf) = +0; NaN below 0. */
GLK_INLINE vreal vrsqrt(vreal x) { return vsplat(1) / vsqrt(x); }

#endif

/** x, but not below `low`; NaN stays NaN. */
GLK_INLINE vreal at_least(vreal x, vreal low) {
#if defined(__wasm_simd128__) && !defined(GLK_DOUBLE)
  return (vreal)wasm_f32x4_pmax((v128_t)x, (v128_t)low); /* clang would take the slower f32x4.max */
#else
  return vselect(x < low, low, x);
#endif
}

/** x, but not above `high`; NaN stays NaN. */
GLK_INLINE vreal at_most(vreal x, vreal high) {
#if defined(__wasm_simd128__) && !defined(GLK_DOUBLE)
  return (vreal)wasm_f32x4_pmin((v128_t)x, (v128_t)high);
#else
  return vselect(x > high, high, x);
#endif
}

/** a^b, of which `power` is |a|^b, with the special cases of IEEE 754-2019 (9.2.1): pow(a, +-0) = 1
 *  and pow(1, b) = 1 even for NaN, pow(-1, +-inf) = 1; NaN for finite a < 0 unless b is an integer;
 *  if b is an odd integer, the sign is that of a, even of -0. */
GLK_INLINE vreal power_of_sign(vreal a, vreal b, vreal power) {
  const vreal zero = vsplat(0), one = vsplat(1), infinity = vsplat((glk_real)__builtin_inf());
  const vreal half = vsplat((glk_real)0.5) * b;
  const vbits integer = vtrunc(b) == b, odd = integer & (vtrunc(half) != half);
  const vbits sign = (vbits)a & odd & vsplat_bits(GLK_SIGN_BIT);
  const vbits undefined = ((a < zero) & (a > -infinity) & ~integer) | (a != a);
  const vbits is_one = (b == zero) | (a == one) | ((a == -one) & (vabs(b) == infinity));
  return vselect(is_one, one, (vreal)((vbits)power | sign | undefined));
}

#endif
