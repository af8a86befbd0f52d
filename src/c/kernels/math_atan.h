/* The arctangent of a quotient, on four lanes; see math.h for the rules.
 *
 * The lesser of |y| and |x| by the greater is tan r with 0 <= r <= pi/4; above pi/8 it is the
 * tangent of r - pi/4, so that one short polynomial is enough. f64 lanes represent every quotient
 * and every sum of two f32, so nothing overflows or underflows on the way.
 */
#ifndef GLK_KERNELS_MATH_ATAN_H
#define GLK_KERNELS_MATH_ATAN_H

#include "kernels/math_exp.h"
#include "kernels/math_wide.h"

#ifdef GLK_DOUBLE

#include "kernels/math64_atan.h"

#else

/** |x|, and a number beyond every f32 for infinity, whose quotient by itself is 1. */
GLK_INLINE vwide widen_size(vreal x) {
  const vwide size = widen(vabs(x)), most = wsplat(0x1p400);
  return wselect(size > most, most, size);
}

/** The angle of (x, y) from the x axis, from -pi to pi, at most 0.501 ulp over 10^8 pairs of all
 *  kinds. Zeros have a sign: atan2(+-0, x) is +-0 above -0, +-pi from there down; of two infinities
 *  it is that of a diagonal. Source of the quadrants: C11, F.10.1.4. */
GLK_INLINE vreal vatan2(vreal y, vreal x) {
  const vwide height = widen_size(y), width = widen_size(x);
  const vwide_bits steep = height > width, behind = (vwide_bits)widen(x) >> 63;
  const vwide low = wselect(steep, width, height);
  vwide high = wselect(steep, height, width);
  high = wselect(high < wsplat(0x1p-200), wsplat(0x1p-200), high); /* 0 by 0 is 0 */

  const vwide_bits upper = low > high * wsplat(0x1.a827999fcef32p-2); /* tan(pi/8) */
  const vwide t = wselect(upper, low - high, low) / wselect(upper, low + high, high), z = t * t;
  /* atan t = t + t^3 P to 2^-35 of it. */
  vwide P = wsplat(0x1.849d625ad457ap-5) * z + wsplat(-0x1.5b2f11eb008d0p-4);
  P = P * z + wsplat(0x1.c463cdd0f4d1dp-4);
  P = P * z + wsplat(-0x1.247ed886a8555p-3);
  P = P * z + wsplat(0x1.999918913f0eep-3);
  P = P * z + wsplat(-0x1.555554c5ef458p-2);
  vwide r = t + t * (z * P);

  r = r + wselect(upper, wsplat(0x1.921fb54442d18p-1), wsplat(0));
  r = wselect(steep, wsplat(0x1.921fb54442d18p+0) - r, r);
  r = wselect(behind, wsplat(0x1.921fb54442d18p+1) - r, r);
  return with_sign_of(narrow(r), y);
}

#endif

/** At most 0.501 ulp. atan(-0) = -0; +-pi/2 for +-inf. */
GLK_INLINE vreal vatan(vreal x) { return vatan2(x, vsplat(1)); }

#endif
