/* Rounding to integers, and 1 / sqrt, on four lanes; see math.h for the rules. Results are exact
 * but for vrsqrt's. A zero has the sign of its argument, as IEEE 754 wants it: ceil(-0.5) = -0.
 *
 * wasm has instructions for these; SSE2 has none, so natively 2^23 is added to |x| and taken away,
 * which rounds to the nearest integer, ties to even, since above it f32s are integers themselves.
 */
#ifndef GLK_KERNELS_MATH_ROUND_H
#define GLK_KERNELS_MATH_ROUND_H

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

/** 1 / sqrt(x), at most 1.50 ulp. rsqrt(+-0) = +-inf, rsqrt(inf) = +0; NaN below 0. */
GLK_INLINE vreal vrsqrt(vreal x) { return vsplat(1) / vsqrt(x); }

#endif
