/* exp, log and functions that use them in f64, on four lanes; see math.h for the rules.
 *
 * The methods are math_exp.h's, with longer polynomials. What would cost the last place is carried
 * as a pair (math64_pair.h), so that each result is rounded about once.
 */
#ifndef GLK_KERNELS_MATH64_EXP_H
#define GLK_KERNELS_MATH64_EXP_H

#include "kernels/math64_pair.h"

#define GLK_LN2_HIGH 0x1.62e42fefa2p-1        /* 40 bits: its product with any exponent is exact */
#define GLK_LN2_LOW 0x1.9ef35793c7673p-41     /* ln 2 - GLK_LN2_HIGH */
#define GLK_LN2_LOWEST 0x1.f97b57a079a19p-103 /* and what that lacks */

/** x, but not below `low`; NaN stays NaN. */
GLK_INLINE vreal at_least(vreal x, vreal low) { return vselect(x < low, low, x); }

/** x, but not above `high`; NaN stays NaN. */
GLK_INLINE vreal at_most(vreal x, vreal high) { return vselect(x > high, high, x); }

/** With n = round(x / ln 2): e^(x + extra - n ln 2) - 1, and n + bias in the low 12 bits of out_n;
 *  |x| < 1024, `extra` below x's last place, `bias` even, so that ties go the same way with any. */
GLK_INLINE vpair expm1_reduced(vreal x, vreal extra, glk_real bias, vubits *out_n) {
  const vreal shifter = vsplat(0x1.8p52 + bias); /* its last place is 1: adding it rounds */
  const vreal shifted = x * vsplat(0x1.71547652b82fep+0) + shifter, n = shifted - shifter;
  const vreal high = x - n * vsplat(GLK_LN2_HIGH), low = n * vsplat(GLK_LN2_LOW) - extra;
  const vreal r = high - low, r2 = r * r;

  /* e^r = 1 + r + r^2 / 2 + r^3 q, q to 2^-59 of e^r. */
  vreal q = vsplat(0x1.1f66df7fca49fp-29) * r + vsplat(0x1.af38a9b0ec855p-26);
  q = q * r + vsplat(0x1.27e4e1f48534fp-22);
  q = q * r + vsplat(0x1.71de0dae63bb3p-19);
  q = q * r + vsplat(0x1.a01a01a47b054p-16);
  q = q * r + vsplat(0x1.a01a01a7c41d5p-13);
  q = q * r + vsplat(0x1.6c16c16c167e1p-10);
  q = q * r + vsplat(0x1.11111111109b3p-7);
  q = q * r + vsplat(0x1.5555555555555p-5);
  q = q * r + vsplat(0x1.5555555555556p-3);

  *out_n = (vubits)shifted;
  const vreal r_low = (high - r) - low; /* counts in r^2 / 2 */
  return sum_of(high, r2 * (vsplat(0.5) + r * q) + (r * r_low - low));
}

/** c + p, where c is 0 or not smaller. */
GLK_INLINE vpair add_pair(vreal c, vpair p) {
  const vpair s = sum_fast(c, p.hi);
  return sum_fast(s.hi, s.lo + p.lo);
}

/** p 2^n. 2^n need not be an f64, so it is applied in halves: n + 2046 splits into their biased
 *  exponents. The first product is exact; only the second rounds to a subnormal or overflows. */
GLK_INLINE vreal scale_by(vreal p, vubits n) {
  const vubits half = n >> 1;
  return p * (vreal)(half << 52) * (vreal)((n - half) << 52);
}

/** 2^n for n + 2046 from expm1_reduced, 0 below the least normal number. */
GLK_INLINE vreal power_of(vubits n) {
  const vbits field = (vbits)(n & 4095u) - 1023;
  return (vreal)((field & (field > 0)) << 52);
}

/** e^(x + extra), at most 0.76 ulp. */
GLK_INLINE vreal exp_of(vreal x, vreal extra) {
  vubits n;
  const vpair p = expm1_reduced(x, extra, 2046, &n), s = sum_fast(vsplat(1), p.hi);
  return scale_by(s.hi + (s.lo + p.lo), n);
}

/** e^x, at most 0.76 ulp. exp(-inf) = +0, exp(inf) = inf. */
GLK_INLINE vreal vexp(vreal x) {
  return exp_of(at_most(at_least(x, vsplat(-746)), vsplat(710)), vsplat(0));
}

/** The same: what is cheaper for f32 gains nothing here. */
GLK_INLINE vreal vexp_down(vreal x) { return vexp(x); }
GLK_INLINE vreal vexp_term(vreal x) { return vexp(x); }

/** (e^x - 1) 2^-n and n + 2046; -60 <= x <= 710. */
GLK_INLINE vpair expm1_pair(vreal x, vubits *out_n) {
  const vpair p = expm1_reduced(x, vsplat(0), 2046, out_n);
  /* 2^n (p + 1) - 1 = 2^n (p + (1 - 2^-n)); 2^-n is less than a last place of 1 above n = 1022. */
  const vbits inverse = (2046 + 1023) - (vbits)(*out_n & 4095u);
  const vreal power = (vreal)((inverse & (inverse > 0)) << 52);
  const vpair c = sum_of(vsplat(1), -power), s = sum_of(c.hi, p.hi);
  return sum_fast(s.hi, s.lo + (c.lo + p.lo));
}

/** e^x - 1, at most 0.91 ulp. expm1(-0) = -0, expm1(-inf) = -1, expm1(inf) = inf. */
GLK_INLINE vreal vexpm1(vreal x) {
  vubits n;
  const vpair p = expm1_pair(at_most(at_least(x, vsplat(-60)), vsplat(710)), &n);
  return with_sign_of(scale_by(p.hi, n), x);
}

/** x = 2^e (1 + f), 1 + f in sqrt(1/2) .. sqrt(2): as if exponents changed at sqrt(1/2). f is
 *  returned. x > 0 and finite; infinity gives e = 1024 and f = 0. */
GLK_INLINE vreal split_exponent(vreal x, vreal *out_e) {
  const vubits one = (vubits)vsplat(1), root = (vubits)vsplat(0x1.6a09e667f3bcdp-1);
  /* Subnormals have no exponent of their own: lift them by 2^54. */
  const vubits lift = (vubits)(x < vsplat(0x1p-1022)) & ((glk_ubits)54 << 52);
  const vreal lifted = x * (vreal)(lift + one);
  const vubits offset = (vubits)lifted - root;
  /* The exponent as the last places of a number whose last place is 1. */
  const vreal shifter = vsplat(0x1.8p52);
  *out_e = (vreal)((vbits)shifter + ((vbits)(offset - lift) >> 52)) - shifter;
  return (vreal)((offset & 0x000fffffffffffffu) + root) - vsplat(1);
}

/** ln(2^e (1 + f)) + extra, `extra` below the last place of f; to a quarter of a last place. */
GLK_INLINE vpair log_of_parts(vreal e, vreal f, vreal extra) {
  /* log(1 + f) = 2 atanh(s) = 2s + s R with s = f / (2 + f), R to 2^-57 of it. Written as
   * f - (h - s (h + R)), h = f^2 / 2, the exact f leads and the rounding of s hardly matters. */
  const vreal s = f / (f + vsplat(2)), z = s * s, h = vsplat(0.5) * f * f;
  vreal R = vsplat(0x1.2b5b5fb2eac92p-3) * z + vsplat(0x1.39fe208c33457p-3);
  R = R * z + vsplat(0x1.7462b69705382p-3);
  R = R * z + vsplat(0x1.c71c62debf86bp-3);
  R = R * z + vsplat(0x1.2492492df6947p-2);
  R = R * z + vsplat(0x1.99999999952b2p-2);
  R = (R * z + vsplat(0x1.5555555555558p-1)) * z;
  const vreal low = s * (h + R) + (e * vsplat(GLK_LN2_LOW) + extra);
  return add_pair(e * vsplat(GLK_LN2_HIGH), sum_of(f, low - h));
}

/** ln(1 + x + extra) of a finite x > -1, `extra` below x's last place. */
GLK_INLINE vpair log1p_pair(vreal x, vreal extra) {
  /* The rounding error of u = 1 + x is known exactly, and ln(u + lost) = ln u + lost / u. */
  const vreal one = vsplat(1), u = one + x;
  const vreal lost = vselect(x > one, one - (u - x), x - (u - one)) + extra;
  vreal e;
  const vreal f = split_exponent(u, &e);
  const vpair small = sum_fast(x, extra - vsplat(0.5) * x * x); /* where lost^2 would count */
  return pair_select(vabs(x) < vsplat(0x1p-30), small, log_of_parts(e, f, lost / u));
}

/** ln x, at most 0.87 ulp. log(+-0) = -inf, log(inf) = inf, log(1) = +0; NaN below 0. */
GLK_INLINE vreal vlog(vreal x) {
  vreal e;
  const vreal f = split_exponent(x, &e), ordinary = log_of_parts(e, f, vsplat(0)).hi;
  const vreal infinity = vsplat(__builtin_inf());
  const vreal above = vselect(x == infinity, infinity, ordinary);
  const vreal result = vselect(x == vsplat(0), -infinity, above);
  return (vreal)((vbits)result | ~(x >= vsplat(0))); /* all ones is a NaN */
}

/** ln(1 + x), at most 0.87 ulp. log1p(-0) = -0, log1p(-1) = -inf, log1p(inf) = inf; NaN below. */
GLK_INLINE vreal vlog1p(vreal x) {
  const vreal one = vsplat(1), infinity = vsplat(__builtin_inf());
  const vreal above = vselect(x == infinity, infinity, log1p_pair(x, vsplat(0)).hi);
  const vreal result = with_sign_of(vselect(x == -one, infinity, above), x);
  return (vreal)((vbits)result | ~(x >= -one));
}

/** tanh, at most 0.84 ulp and never beyond +-1. tanh(-0) = -0. */
GLK_INLINE vreal vtanh(vreal x) {
  /* E / (E + 2), E = e^2a - 1; it is 1 before a = 20, so 2^n is an f64. */
  const vreal a = at_most(vabs(x), vsplat(20));
  vubits n;
  const vpair p = expm1_pair(a + a, &n);
  const vreal power = power_of(n);
  const vpair E = {p.hi * power, p.lo * power}, s = sum_of(vsplat(2), E.hi);
  return with_sign_of(pair_quotient(E, sum_fast(s.hi, s.lo + E.lo)).hi, x);
}

/** 1 / (1 + e^-x), at most 0.76 ulp, within 0 .. 1, and subnormal rather than 0 down to -745.13. */
GLK_INLINE vreal vsigmoid(vreal x) {
  /* Either 1 / (1 + e) or e / (1 + e) with e = e^-|x|: nothing cancels or overflows. */
  vubits n;
  const vpair p = expm1_reduced(at_least(vneg(vabs(x)), vsplat(-746)), vsplat(0), 2046, &n);
  const vpair one = {vsplat(1), vsplat(0)}, e = add_pair(vsplat(1), p);
  const vreal power = power_of(n);
  const vpair divisor = add_pair(vsplat(1), (vpair){e.hi * power, e.lo * power});
  const vbits upper = x >= vsplat(0);
  const vreal w = pair_quotient(pair_select(upper, one, e), divisor).hi;
  return vselect(upper, w, scale_by(w, n));
}

/** ln(1 + e^x), at most 0.84 ulp. softplus(-inf) = +0, softplus(inf) = inf. */
GLK_INLINE vreal vsoftplus(vreal x) {
  vubits n;
  const vpair p = expm1_reduced(at_least(vneg(vabs(x)), vsplat(-746)), vsplat(0), 2046, &n);
  const vpair e = add_pair(vsplat(1), p);
  const vpair L = log1p_pair(scale_by(e.hi, n), scale_by(e.lo, n));
  const vpair s = sum_of(vmax(x, vsplat(0)), L.hi);
  return vselect(x > vsplat(40), x, s.hi + (s.lo + L.lo)); /* where the rest is below half an ulp */
}

#endif
