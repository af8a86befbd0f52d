/* The arctangent of a quotient in f64, on four lanes; see math.h for the rules.
 *
 * The method is math_atan.h's, with quotients and sums as pairs.
 */
#ifndef GLK_KERNELS_MATH64_ATAN_H
#define GLK_KERNELS_MATH64_ATAN_H

#include "kernels/math64_pair.h"

/** high + low minus r. */
GLK_INLINE vpair pair_minus(glk_real high, glk_real low, vpair r) {
  return pair_sum((vpair){vsplat(high), vsplat(low)}, (vpair){-r.hi, -r.lo});
}

/** The angle of (x, y) from the x axis, from -pi to pi, at most 0.65 ulp. Zeros have a sign:
 *  atan2(+-0, x) is +-0 above -0, +-pi from there down; of two infinities it is that of a
 *  diagonal. Source of the quadrants: C11, F.10.1.4. */
GLK_INLINE vreal vatan2(vreal y, vreal x) {
  const vreal height = vabs(y), width = vabs(x), infinity = vsplat(__builtin_inf());
  const vbits steep = height > width, behind = (vbits)x >> 63;
  vreal low = vselect(steep, width, height), high = vselect(steep, height, width);
  const vreal plain = low / vselect(high == vsplat(0), vsplat(1), high); /* 0 by 0 is 0 */

  /* Infinity by itself is 1, a number by infinity 0. */
  low = vselect(high == infinity, (vreal)((vbits)vsplat(1) & (low == infinity)), low);
  high = vselect(high == infinity, vsplat(1), high);
  /* Where nothing is lost on the way: what is too small is `plain`, below. */
  const vreal shrunk = vselect(high > vsplat(0x1p500), vsplat(0x1p-600), vsplat(1));
  const vreal scale = vselect(high < vsplat(0x1p-400), vsplat(0x1p600), shrunk);
  low = low * scale;
  high = high * scale;
  high = vselect(high == vsplat(0), vsplat(1), high);

  const vbits upper = low > high * vsplat(0x1.a827999fcef32p-2); /* tan(pi/8) */
  const vpair none = {vsplat(0), vsplat(0)};
  const vpair below = pair_select(upper, sum_of(low, -high), (vpair){low, none.lo});
  const vpair t =
      pair_quotient(below, pair_select(upper, sum_fast(high, low), (vpair){high, none.lo}));
  const vreal z = t.hi * t.hi;
  /* atan t = t + t^3 P to 2^-58 of it. */
  vreal P = vsplat(0x1.0ad34c9872a05p-6) * z + vsplat(-0x1.1b33abc02b74cp-5);
  P = P * z + vsplat(0x1.74ddced402799p-5);
  P = P * z + vsplat(-0x1.ac7a92673f8a2p-5);
  P = P * z + vsplat(0x1.e19a139251315p-5);
  P = P * z + vsplat(-0x1.110e8808c0b62p-4);
  P = P * z + vsplat(0x1.3b1392d9ceef6p-4);
  P = P * z + vsplat(-0x1.745d165df31fap-4);
  P = P * z + vsplat(0x1.c71c71c304b22p-4);
  P = P * z + vsplat(-0x1.249249248d7edp-3);
  P = P * z + vsplat(0x1.9999999999953p-3);
  P = P * z + vsplat(-0x1.5555555555555p-2);
  vpair r = sum_fast(t.hi, t.hi * (z * P) + t.lo * (vsplat(1) - z));

  const vpair eighth = {vsplat(0x1.921fb54442d18p-1), vsplat(0x1.1a62633145c07p-55)};
  r = pair_select(upper, pair_sum(eighth, r), r);
  r = pair_select(plain < vsplat(0x1p-100), (vpair){plain, none.lo}, r);
  r = pair_select(steep, pair_minus(0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54, r), r);
  r = pair_select(behind, pair_minus(0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53, r), r);
  const vbits defined = (y == y) & (x == x);
  return with_sign_of((vreal)((vbits)(r.hi + r.lo) | ~defined), y);
}

#endif
