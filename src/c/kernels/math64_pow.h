/* pow in f64, on four lanes; see math.h for the rules.
 *
 * |a|^b = e^(b log |a|). The product can reach 745, so the logarithm needs 11 bits more than the
 * result: it is a pair, to 2^-67 of it.
 */
#ifndef GLK_KERNELS_MATH64_POW_H
#define GLK_KERNELS_MATH64_POW_H

#include "kernels/math64_exp.h"
#include "kernels/math_round.h"

/** ln a of a finite a > 0. */
GLK_INLINE vpair pair_log(vreal a) {
  vreal e;
  const vreal f = split_exponent(a, &e);
  const vpair none = {vsplat(0), vsplat(0)};
  /* 2 atanh(s) = 2s + s^3 (2/3 + z (2/5 + z Q)) with s = f / (2 + f) and z = s^2. */
  const vpair s = pair_quotient((vpair){f, none.lo}, sum_fast(vsplat(2), f));
  const vpair z = pair_product(s, s);
  vreal Q = vsplat(0x1.d9c5ed18cbb21p-4) * z.hi + vsplat(0x1.e01fcbc705579p-4);
  Q = Q * z.hi + vsplat(0x1.1115a03c7f506p-3);
  Q = Q * z.hi + vsplat(0x1.3b13a524039aep-3);
  Q = Q * z.hi + vsplat(0x1.745d17550d6d2p-3);
  Q = Q * z.hi + vsplat(0x1.c71c71c715418p-3);
  Q = Q * z.hi + vsplat(0x1.2492492492497p-2);
  const vpair fifth = {vsplat(0x1.999999999999ap-2), vsplat(-0x1.999999999999ap-56)};
  const vpair third = {vsplat(0x1.5555555555555p-1), vsplat(0x1.5555555555555p-55)};
  const vpair B = pair_sum(fifth, (vpair){z.hi * Q, none.lo});
  const vpair R = pair_sum(third, pair_product(z, B));
  const vpair cube = pair_product(pair_product(s, z), R);
  const vpair fraction = pair_sum((vpair){s.hi + s.hi, s.lo + s.lo}, cube);
  vpair whole = product_of(e, vsplat(GLK_LN2_LOW));
  whole.lo += e * vsplat(GLK_LN2_LOWEST);
  return pair_sum((vpair){e * vsplat(GLK_LN2_HIGH), none.lo}, pair_sum(whole, fraction));
}

/** a^b, at most 0.78 ulp. The special cases are IEEE 754-2019's (9.2.1): pow(a, +-0) = 1 and
 *  pow(1, b) = 1 even for NaN, pow(-1, +-inf) = 1; NaN for finite a < 0 unless b is an integer; if
 *  b is an odd integer, the sign is that of a, even of -0. */
GLK_INLINE vreal vpow(vreal a, vreal b) {
  const vreal zero = vsplat(0), one = vsplat(1), infinity = vsplat(__builtin_inf());
  const vreal size = vabs(a);
  /* Beyond, every result is 0, 1 or infinity. */
  const vreal bounded = at_most(at_least(b, vsplat(-0x1p65)), vsplat(0x1p65));
  const vpair x = pair_product((vpair){bounded, zero}, pair_log(size));
  const vreal top = at_most(at_least(x.hi, vsplat(-746)), vsplat(710));
  const vreal ordinary = exp_of(top, vselect(top == x.hi, x.lo, zero));
  /* Of 0 and infinity there is no logarithm. */
  const vbits grows = (b > zero) ^ (size == zero);
  const vbits is_end = ((size == zero) | (size == infinity)) & (b == b);
  const vreal power = vselect(is_end, (vreal)((vbits)infinity & grows), ordinary);

  const vreal half = vsplat(0.5) * b;
  const vbits integer = vtrunc(b) == b, odd = integer & (vtrunc(half) != half);
  const vbits sign = (vbits)a & odd & vsplat_bits(GLK_SIGN_BIT);
  const vbits undefined = ((a < zero) & (a > -infinity) & ~integer) | (a != a);
  const vbits is_one = (b == zero) | (a == one) | ((a == -one) & (vabs(b) == infinity));
  return vselect(is_one, one, (vreal)((vbits)power | sign | undefined));
}

#endif
