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

#include <math.h>

GLK_INLINE vreal vfloor(vreal x) {
  return (vreal){floor(x[0]), floor(x[1]), floor(x[2]), floor(x[3])};
}
GLK_INLINE vreal vceil(vreal x) { return (vreal){ceil(x[0]), ceil(x[1]), ceil(x[2]), ceil(x[3])}; }
GLK_INLINE vreal vround(vreal x) { return (vreal){rint(x[0]), rint(x[1]), rint(x[2]), rint(x[3])}; }
GLK_INLINE vreal vtrunc(vreal x) {
  return (vreal){trunc(x[0]), trunc(x[1]), trunc(x[2]), trunc(x[3])};
}

#elif defined(__wasm_simd128__)

GLK_INLINE vreal vfloor(vreal x) { return (vreal)wasm_f32x4_floor((v128_t)x); }
GLK_INLINE vreal vceil(vreal x) { return (vreal)wasm_f32x4_ceil((v128_t)x); }
GLK_INLINE vreal vround(vreal x) { return (vreal)wasm_f32x4_nearest((v128_t)x); }
GLK_INLINE vreal vtrunc(vreal x) { return (vreal)wasm_f32x4_trunc((v128_t)x); }

#else

/** x where it is an integer, infinity or NaN for its size alone; else `rounded`, signed like x. */
GLK_INLINE vreal unless_large(vreal x, vreal rounded) {
  const vbits sign = (vbits)x & vsplat_bits(GLK_SIGN_BIT);
  return vselect(vabs(x) < vsplat(0x1p23f), (vreal)((vbits)rounded | sign), x);
}

/** 1 where the condition holds, else 0. */
GLK_INLINE vreal one_if(vbits condition) { return (vreal)(condition & (vbits)vsplat(1)); }

/** The nearest integer, the even one of two. */
GLK_INLINE vreal vround(vreal x) {
  return unless_large(x, vabs(x) + vsplat(0x1p23f) - vsplat(0x1p23f));
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

GLK_INLINE vreal vmod(vreal a, vreal b) {
  return floored((vreal){fmod(a[0], b[0]), fmod(a[1], b[1]), fmod(a[2], b[2]), fmod(a[3], b[3])},
                 b);
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

/** 1 / sqrt(x), at most 1.50 ulp. rsqrt(+-0) = +-inf, rsqrt(inf) = +0; NaN below 0. */
GLK_INLINE vreal vrsqrt(vreal x) { return vsplat(1) / vsqrt(x); }

#endif
