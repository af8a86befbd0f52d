/* sin and cos on four lanes, for every finite argument; see math.h for the rules.
 *
 * |x| = n pi/2 + r. Up to 2^17 r comes from pi/2 split in two f64 constants (Cody & Waite 1980). An
 * f32 of that size or more can be closer to a multiple of pi/2 than they can resolve. For these, x
 * is multiplied in integers by the 96 bits of 2/pi that matter for its exponent (Payne & Hanek
 * 1983, Radian reduction for trigonometric functions). That is done a lane at a time and only for
 * lanes that need it, which are rare.
 */
#ifndef GLK_KERNELS_MATH_TRIG_H
#define GLK_KERNELS_MATH_TRIG_H

#include "kernels/math_wide.h"
#include "kernels/vec.h"

#ifdef GLK_DOUBLE

#include "kernels/math64_trig.h"

#else

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
  const vreal a = vabs(x), shifter = vsplat(0x1.8p23f); /* its last place is 1: adding it rounds */
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

/** sin x, at most 1.56 ulp. sin(-0) = -0; NaN for +-inf. */
GLK_INLINE vreal vsin(vreal x) { return vsin_or_cos(x, 0); }

/** cos x, at most 1.56 ulp. NaN for +-inf. */
GLK_INLINE vreal vcos(vreal x) { return vsin_or_cos(x, 1); }

#endif

#endif
