/* Rounding to integers, remainders, and 1 / sqrt, on four lanes; see math.h for the rules. Results
 * are exact but for vrsqrt's. A zero has the sign of its argument, as IEEE 754 wants it: ceil(-0.5)
 * = -0.
 *
 * wasm has instructions for these; SSE2 has no such instruction, so native code adds 2^23 to |x|
 * and subtracts it. This rounds to the nearest integer, ties to even, since f32s above 2^23 are
 * integers.
 */
#ifndef GLK_KERNELS_MATH_ROUND_H
#define GLK_KERNELS_MATH_ROUND_H

#include "kernels/math_wide.h"
#include "kernels/vec.h"

#ifdef GLK_DOUBLE
#include "kernels/math64_pair.h"
#endif

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
    const vwide shifter = wsplat(0x1p52); /* its last place is 1: adding it rounds */
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

#endif
