/* Sums of two f64, for steps of f64 functions that need more bits than f64 has: hi + lo, |lo| at
 * most half a last place of hi. Every operation is one that IEEE 754 fixes, none is fused.
 *
 * Source: Dekker 1971, A Floating-Point Technique for Extending the Available Precision; Knuth,
 * The Art of Computer Programming, 4.2.2.
 */
#ifndef GLK_KERNELS_MATH64_PAIR_H
#define GLK_KERNELS_MATH64_PAIR_H

#include "kernels/vec.h"

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

/** `a`, which is x in sign or not negative, with the sign of x. */
GLK_INLINE vreal with_sign_of(vreal a, vreal x) {
  return (vreal)((vbits)a | ((vbits)x & vsplat_bits(GLK_SIGN_BIT)));
}

#endif
