/* sin, cos and atan2 on four lanes, for every finite argument; see math.h for the rules. */
#ifndef GLK_KERNELS_MATH_ANGLE_H
#define GLK_KERNELS_MATH_ANGLE_H

#include "kernels/math.h"

#ifdef GLK_DOUBLE

/* sin and cos by the method for f32, below. Up to 2^20 pi/2 is split in four constants, of which
 * the products of the first three with n are exact. Above, integers multiply x by the 192 bits
 * of 2/pi that matter.
 */

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
  const vreal a = vabs(x), shifter = vsplat(0x1.8p52); /* its ulp is 1: adding it rounds */
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

/* The arctangent of a quotient by the method for f32, below, with quotients and sums as pairs.
 */

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

#else

/* |x| = n pi/2 + r. Up to 2^17 r comes from pi/2 split in two f64 constants (Cody & Waite 1980). An
 * f32 of that size or more can be closer to a multiple of pi/2 than they can resolve. For these, x
 * is multiplied in integers by the 96 bits of 2/pi that matter for its exponent (Payne & Hanek
 * 1983, Radian reduction for trigonometric functions). That is done a lane at a time and only for
 * lanes that need it, which are rare.
 */

/** r of the finite |x| >= 2^17 whose bits are given, and n modulo 4 in out_n. */
__attribute__((noinline, unused)) static float reduce_large(uint32_t bits, uint32_t *out_n) {
  /* 32 zeros, then 2/pi, so that any 96 bits are inside. */
  static const uint32_t two_over_pi[] = {0,          0xa2f9836e, 0x4e441529, 0xfc2757d1,
                                         0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab};
  /* x = m 2^e. A bit of 2/pi worth 2^-j gives whole turns (multiples of 4) while j <= e - 2. From
   * there on 96 bits B count: x 2/pi = m B 2^-94 modulo 4, short by less than 2^-70. */
  const uint64_t m = (bits & 0x7fffffu) | 0x800000u;
  const uint32_t skip = (bits >> 23) - 120, shift = skip % 32;
  const uint32_t *word = two_over_pi + skip / 32;
  uint64_t B[3];
  for (int i = 0; i < 3; i++) {
    B[i] = ((((uint64_t)word[i] << 32) | word[i + 1]) << shift) >> 32;
  }
  const uint64_t product = (m * B[0] << 32) + m * B[1] + (m * B[2] >> 32); /* in 2^-62 */
  const uint64_t n = (product + ((uint64_t)1 << 61)) >> 62;
  *out_n = (uint32_t)n;
  return (float)((double)(int64_t)(product - (n << 62)) * 0x1.921fb54442d18p-62);
}

/** sin x or, if is_cos is 1, cos x = sin(|x| + pi/2). */
GLK_INLINE vreal vsin_or_cos(vreal x, uint32_t is_cos) {
  const vreal a = vabs(x), shifter = vsplat(0x1.8p23f); /* its ulp is 1: adding it rounds */
  const vreal shifted = a * vsplat(0x1.45f306p-1f) + shifter;
  const vwide count = widen(shifted - shifter);
  const vwide high = widen(a) - count * wsplat(0x1.921fb544p+0); /* 33 bits: exact */
  vreal r = narrow(high - count * wsplat(0x1.0b4611a626331p-34));
  vubits n = (vubits)shifted;

  const vbits large = (a >= vsplat(0x1p17f)) & (a < vsplat(__builtin_inff()));
  if (any_lane(large)) {
    for (int lane = 0; lane < GLK_LANES; lane++) {
      if (!large[lane]) continue;
      uint32_t lane_n;
      r[lane] = reduce_large(((vubits)a)[lane], &lane_n);
      n[lane] = lane_n;
    }
  }

  /* |r| <= pi/4: sin r = r + r^3 S to 2^-27.8 of it, cos r = 1 - r^2/2 + r^4 C to 2^-33. */
  const vreal z = r * r;
  vreal S = vsplat(-0x1.9919d2p-13f) * z + vsplat(0x1.1106c2p-7f);
  S = S * z + vsplat(-0x1.555544p-3f);
  vreal C = vsplat(0x1.99deeep-16f) * z + vsplat(-0x1.6c0c16p-10f);
  C = C * z + vsplat(0x1.55554ap-5f);
  const vreal sine = r + r * (z * S);
  const vreal cosine = vsplat(1) - (vsplat(0.5f) * z - z * z * C);

  const vubits turns = n + is_cos; /* quarters of one */
  const vreal result = vselect((vbits)(turns & 1u) != 0, cosine, sine);
  const vubits flip = is_cos ? turns << 30 : (turns << 30) ^ (vubits)x;
  return (vreal)((vubits)result ^ (flip & 0x80000000u));
}

/* The lesser of |y| and |x| by the greater is tan r with 0 <= r <= pi/4; above pi/8 it is the
 * tangent of r - pi/4, so that one short polynomial is enough. f64 lanes represent every quotient
 * and every sum of two f32, so nothing overflows or underflows on the way.
 */

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

/** sin x and cos x, at most 1.56 ulp, in f64 0.81. sin(-0) = -0; NaN for +-inf. */
GLK_INLINE vreal vsin(vreal x) { return vsin_or_cos(x, 0); }
GLK_INLINE vreal vcos(vreal x) { return vsin_or_cos(x, 1); }

/** At most 0.501 ulp. atan(-0) = -0; +-pi/2 for +-inf. */
GLK_INLINE vreal vatan(vreal x) { return vatan2(x, vsplat(1)); }

#endif
