/* Powers with any exponent, on four lanes; see math.h for the rules.
 *
 * a^b = 2^(b log2 |a|). The product can reach 150, so log2 needs 8 bits more than the result: both
 * functions are computed in f64 lanes, to 2^-45 and 2^-34, and the result is rounded to f32 once.
 * The logarithm is vlog's (fdlibm's e_log.c, Sun 1993), with more terms.
 */
#ifndef GLK_KERNELS_MATH_POW_H
#define GLK_KERNELS_MATH_POW_H

#include "kernels/math_exp.h"
#include "kernels/math_round.h"
#include "kernels/math_wide.h"

#ifdef GLK_DOUBLE

#include "kernels/math64_pow.h"

#else

/** log2 of a >= 0; log2(0) = -inf, log2(inf) = inf. */
GLK_INLINE vwide wide_log2(vreal a) {
  const vreal infinity = vsplat(__builtin_inff());
  vreal e;
  const vwide f = widen(split_exponent(a, &e));
  e = vselect(a == infinity, infinity, vselect(a == vsplat(0), -infinity, e));
  /* 2 atanh(s) / ln 2 with s = f / (2 + f). */
  const vwide s = f / (f + wsplat(2)), z = s * s;
  vwide P = wsplat(0x1.21ae8c67bb4dfp-2) * z + wsplat(0x1.479583a1c2e20p-2);
  P = P * z + wsplat(0x1.a61a2d946c790p-2);
  P = P * z + wsplat(0x1.2776c294f99cbp-1);
  P = P * z + wsplat(0x1.ec709dc53a84bp-1);
  P = P * z + wsplat(0x1.71547652b8253p+1);
  return widen(e) + s * P;
}

/** 2^w, rounded to f32; NaN for NaN. */
GLK_INLINE vreal wide_exp2(vwide w) {
  w = wselect(w < wsplat(-160), wsplat(-160), w);
  w = wselect(w > wsplat(160), wsplat(160), w);
  const vwide shifter = wsplat(0x1.8p52 + 1023); /* its last place is 1: adding it rounds */
  const vwide shifted = w + shifter, r = w - (shifted - shifter);
  vwide P = wsplat(0x1.fde47f24b3008p-17) * r + wsplat(0x1.445c8aa77a025p-13);
  P = P * r + wsplat(0x1.5d8a86e1c824cp-10);
  P = P * r + wsplat(0x1.3b29f392e8979p-7);
  P = P * r + wsplat(0x1.c6b08ac00c751p-5);
  P = P * r + wsplat(0x1.ebfbe0779690fp-3);
  P = P * r + wsplat(0x1.62e42ff0e1ba4p-1);
  const vwide power = (vwide)((vwide_ubits)shifted << 52);
  return narrow((wsplat(1) + P * r) * power);
}

/** a^b, at most 0.501 ulp over 10^8 pairs of all kinds. The special cases are IEEE 754-2019's
 *  (9.2.1): pow(a, +-0) = 1 and pow(1, b) = 1 even for NaN, pow(-1, +-inf) = 1; NaN for finite
 *  a < 0 unless b is an integer; if b is an odd integer, the sign is that of a, even of -0. */
GLK_INLINE vreal vpow(vreal a, vreal b) {
  const vreal one = vsplat(1), infinity = vsplat(__builtin_inff()), size = vabs(a);
  const vreal power = wide_exp2(widen(b) * wide_log2(size));

  const vreal half = vsplat(0.5f) * b;
  const vbits integer = vtrunc(b) == b, odd = integer & (vtrunc(half) != half);
  const vbits sign = (vbits)a & odd & vsplat_bits(GLK_SIGN_BIT);
  const vbits undefined = ((a < vsplat(0)) & (a > -infinity) & ~integer) | (a != a);
  const vbits is_one = (b == vsplat(0)) | (a == one) | ((a == -one) & (vabs(b) == infinity));
  return vselect(is_one, one, (vreal)((vbits)power | sign | undefined));
}

#endif

#endif
