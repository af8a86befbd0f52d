/* sin and cos in f64 on four lanes, for every finite argument; see math.h for the rules.
 *
 * The method is math_trig.h's. Up to 2^20 pi/2 is split in four constants, of which the products of
 * the first three with n are exact. Above, integers multiply x by the 192 bits of 2/pi that matter.
 */
#ifndef GLK_KERNELS_MATH64_TRIG_H
#define GLK_KERNELS_MATH64_TRIG_H

#include "kernels/math64_pair.h"

/** r 2/pi of the finite |x| >= 2^20 whose bits are given, in two parts; n modulo 4 is returned. */
__attribute__((noinline, unused)) static uint32_t reduce_large(uint64_t bits, double out[2]) {
  /* 64 zeros, then 2/pi, so that any 192 bits are inside. */
  static const uint32_t two_over_pi[] = {
      0,          0,          0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599,
      0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c,
      0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639,
      0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f,
      0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7,
      0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};
  /* x = m 2^e. A bit of 2/pi worth 2^-j gives whole turns (multiples of 4) while j <= e - 2. From
   * there on 192 bits B count: x 2/pi = m B 2^-190 modulo 4, short by less than 2^-137. */
  const uint64_t m = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  const uint32_t skip = (uint32_t)(bits >> 52) - 1075 + 62, shift = skip % 32;
  const uint32_t *word = two_over_pi + skip / 32;
  uint32_t product[6] = {0, 0, 0, 0, 0, 0}; /* m B, the highest word first */
  for (int half = 0; half < 2; half++) {
    const uint64_t factor = half ? m >> 32 : (uint32_t)m;
    uint64_t carry = 0;
    for (int i = 5; i >= half; i--) {
      const uint64_t B = ((((uint64_t)word[i] << 32) | word[i + 1]) << shift) >> 32;
      const uint64_t sum = B * factor + product[i - half] + carry;
      product[i - half] = (uint32_t)sum;
      carry = sum >> 32;
    }
  }
  const uint64_t top = (uint64_t)product[0] << 32 | product[1]; /* in 2^-62 */
  const uint64_t n = (top + ((uint64_t)1 << 61)) >> 62;
  const double parts[] = {(double)((int64_t)(top - (n << 62)) >> 32) * 0x1p-30,
                          product[1] * 0x1p-62, product[2] * 0x1p-94, product[3] * 0x1p-126};
  double high = parts[0], low = 0;
  for (int i = 1; i < 4; i++) {
    const double sum = high + parts[i], part = sum - high;
    low += (high - (sum - part)) + (parts[i] - part);
    high = sum;
  }
  out[0] = high + low;
  out[1] = low - (out[0] - high);
  return (uint32_t)n;
}

/** sin x or, if is_cos is 1, cos x = sin(|x| + pi/2). */
GLK_INLINE vreal vsin_or_cos(vreal x, uint32_t is_cos) {
  const vreal a = vabs(x), shifter = vsplat(0x1.8p52); /* its last place is 1: adding it rounds */
  const vreal shifted = a * vsplat(0x1.45f306dc9c883p-1) + shifter, count = shifted - shifter;
  const vpair first =
      sum_of(a - count * vsplat(0x1.921fb544p+0), count * vsplat(-0x1.0b4611a4p-34));
  const vpair second = sum_of(first.hi, count * vsplat(-0x1.13198a2cp-65));
  const vreal rest = first.lo + second.lo - count * vsplat(0x1.01b839a25204ap-96);
  vpair r = sum_fast(second.hi, rest);
  vubits n = (vubits)shifted;

  const vbits large = (a >= vsplat(0x1p20)) & (a < vsplat(__builtin_inf()));
  if (any_lane(large)) {
    vpair turns = {vsplat(0), vsplat(0)};
    for (int lane = 0; lane < GLK_LANES; lane++) {
      if (!large[lane]) continue;
      double parts[2];
      n[lane] = reduce_large(((vubits)a)[lane], parts);
      turns.hi[lane] = parts[0];
      turns.lo[lane] = parts[1];
    }
    const vpair quarter = {vsplat(0x1.921fb54442d18p+0), vsplat(0x1.1a62633145c07p-54)};
    r = pair_select(large, pair_product(turns, quarter), r);
  }

  /* |r| <= pi/4: sin r = r + r^3 S to 2^-57 of it, cos r = 1 - r^2/2 + r^4 C to 2^-60. */
  const vpair square = product_of(r.hi, r.hi);
  const vreal z = square.hi;
  vreal S = vsplat(-0x1.ab17cf930dca4p-41) * z + vsplat(0x1.61217f03f5d5cp-33);
  S = S * z + vsplat(-0x1.ae645412bbdd3p-26);
  S = S * z + vsplat(0x1.71de3a5460903p-19);
  S = S * z + vsplat(-0x1.a01a01a019938p-13);
  S = S * z + vsplat(0x1.111111111111p-7);
  S = S * z + vsplat(-0x1.5555555555555p-3);
  vreal C = vsplat(-0x1.907d9f5b4de2bp-37) * z + vsplat(0x1.1eeb68e39cf4dp-29);
  C = C * z + vsplat(-0x1.27e4fa17d4a58p-22);
  C = C * z + vsplat(0x1.a01a019f4eabep-16);
  C = C * z + vsplat(-0x1.6c16c16c16967p-10);
  C = C * z + vsplat(0x1.5555555555555p-5);
  const vreal half = vsplat(0.5) * z;
  const vreal sine = r.hi + (r.hi * (z * S) + r.lo * (vsplat(1) - half));
  const vpair start = sum_fast(vsplat(1), -half);
  const vreal lost = vsplat(0.5) * square.lo + r.hi * r.lo;
  const vreal cosine = start.hi + (start.lo + (z * z * C - lost));

  const vubits turns = n + is_cos; /* quarters of one */
  const vreal result = vselect((vbits)(turns & 1u) != 0, cosine, sine);
  const vubits flip = is_cos ? turns << 62 : (turns << 62) ^ (vubits)x;
  return (vreal)((vubits)result ^ (flip & ((glk_ubits)1 << 63)));
}

/** sin x, at most 0.81 ulp. sin(-0) = -0; NaN for +-inf. */
GLK_INLINE vreal vsin(vreal x) { return vsin_or_cos(x, 0); }

/** cos x, at most 0.81 ulp. NaN for +-inf. */
GLK_INLINE vreal vcos(vreal x) { return vsin_or_cos(x, 1); }

#endif
