/* exp, log and functions that use them in f64, on four lanes; see math.h for the rules.
 *
 * The methods are math_exp.h's, with longer polynomials. What would cost the last bit is carried
 * as a pair (math.h), so that each result is rounded about once.
 */
#ifndef GLK_KERNELS_MATH64_EXP_H
#define GLK_KERNELS_MATH64_EXP_H

#include "kernels/math.h"

#define GLK_LN2_HIGH 0x1.62e42fefa2p-1        /* 40 bits: its product with any exponent is exact */
#define GLK_LN2_LOW 0x1.9ef35793c7673p-41     /* ln 2 - GLK_LN2_HIGH */
#define GLK_LN2_LOWEST 0x1.f97b57a079a19p-103 /* and what that lacks */

/** With n = round(x / ln 2): e^(x + extra - n ln 2) - 1, and n + bias in the low 12 bits of out_n;
 *  |x| < 1024, `extra` below x's ulp, `bias` even, so that ties go the same way with any. */
GLK_INLINE vpair expm1_reduced(vreal x, vreal extra, glk_real bias, vubits *out_n) {
  const vreal shifter = vsplat(0x1.8p52 + bias); /* its ulp is 1: adding it rounds */
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
  /* 2^n (p + 1) - 1 = 2^n (p + (1 - 2^-n)); 2^-n is less than an ulp of 1 above n = 1022. */
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
  /* The exponent as the last bits of a number whose ulp is 1. */
  const vreal shifter = vsplat(0x1.8p52);
  *out_e = (vreal)((vbits)shifter + ((vbits)(offset - lift) >> 52)) - shifter;
  return (vreal)((offset & 0x000fffffffffffffu) + root) - vsplat(1);
}

/** ln(2^e (1 + f)) + extra, `extra` below the ulp of f; to a quarter of an ulp. */
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

/** ln(1 + x + extra) of a finite x > -1, `extra` below x's ulp. */
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

/* Erf and gelu: */

/** Q(b) 2^-n, and n as scale_by takes it; 0.68 <= b <= 39, `square` is b^2 / 2. */
GLK_INLINE vpair normal_tail(vpair b, vpair square, vubits *out_n) {
  const vpair e = expm1_reduced(-square.hi, -square.lo, 2046, out_n); /* less 1 */

  /* G = P(t) / (k + b) with t = (k - b) / (k + b), P to 2^-58 of it. */
  const vpair k = {vsplat(4.5), vsplat(0)}, divisor = pair_sum(k, b);
  const vpair ratio = pair_quotient(pair_sum(k, (vpair){-b.hi, -b.lo}), divisor);
  const vreal t = ratio.hi;
  vreal P = vsplat(0x1.e24efb39df8a0p-30) * t + vsplat(0x1.dcb25d6be14efp-33);
  P = P * t + vsplat(-0x1.e03fc34693d0ap-27);
  P = P * t + vsplat(0x1.307b86f74c210p-28);
  P = P * t + vsplat(0x1.4344ef79b6691p-24);
  P = P * t + vsplat(-0x1.0fd389c5358cep-24);
  P = P * t + vsplat(-0x1.9c3946e624a5cp-22);
  P = P * t + vsplat(0x1.0d1778610def1p-21);
  P = P * t + vsplat(0x1.1ffb91d06603cp-19);
  P = P * t + vsplat(-0x1.ac3cac0a2801fp-19);
  P = P * t + vsplat(-0x1.ddb67f40d164ep-17);
  P = P * t + vsplat(0x1.0b5089635b7a4p-16);
  P = P * t + vsplat(0x1.d5f132f0af143p-14);
  P = P * t + vsplat(-0x1.ac3ba19d572ccp-18);
  P = P * t + vsplat(-0x1.e129dae1d6a15p-11);
  P = P * t + vsplat(-0x1.ca72085b55713p-10);
  P = P * t + vsplat(0x1.14cc7959b18b8p-8);
  P = P * t + vsplat(0x1.157951c67d569p-5);
  P = P * t + vsplat(0x1.c8391e19cb82ep-4);
  P = P * t + vsplat(0x1.03379aa028f22p-2);
  /* The last terms count most. */
  const vpair c0 = {vsplat(0x1.86c626e278bb3p-1), vsplat(-0x1.1e0927c914dd7p-55)};
  const vpair c1 = {vsplat(0x1.47cfdd7a97245p-1), vsplat(0x1.81ef44c8f2c8fp-55)};
  const vpair c2 = {vsplat(0x1.c92ad93fe2551p-2), vsplat(0x1.e7b3f0a9217b2p-57)};
  vpair sum = pair_sum(c2, product_of(P, t));
  sum = pair_sum(c1, pair_product(sum, ratio));
  sum = pair_sum(c0, pair_product(sum, ratio));
  return pair_quotient(pair_product(sum, add_pair(vsplat(1), e)), divisor);
}

/** erf x, at most 0.96 ulp and never beyond +-1. erf(-0) = -0. */
GLK_INLINE vreal verf(vreal x) {
  /* a + a P to 2^-56 of it; above, 1 - 2 Q(a sqrt 2) cancels nothing, and is 1 before a = 6. */
  const vreal a = vabs(x), z = a * a;
  vreal P = vsplat(-0x1.d2f206bedbe49p-31) * z + vsplat(0x1.e2ccfc167b744p-27);
  P = P * z + vsplat(-0x1.5d8904ba62ed3p-23);
  P = P * z + vsplat(0x1.b9b8240f67d60p-20);
  P = P * z + vsplat(-0x1.f4cf6a0378cf5p-17);
  P = P * z + vsplat(0x1.f9a30712cc81ep-14);
  P = P * z + vsplat(-0x1.c02db31c4bb9ep-11);
  P = P * z + vsplat(0x1.565bcd0a6002dp-8);
  P = P * z + vsplat(-0x1.b82ce312730c7p-6);
  P = P * z + vsplat(0x1.ce2f21a042821p-4);
  P = P * z + vsplat(-0x1.812746b0379e3p-2);
  P = P * z + vsplat(0x1.06eba8214db69p-3);
  const vreal b = at_most(a, vsplat(6));
  vubits n;
  const vpair root = {vsplat(0x1.6a09e667f3bcdp+0), vsplat(-0x1.bdd3413b26456p-54)};
  const vpair tail = normal_tail(pair_product((vpair){b, vsplat(0)}, root), product_of(b, b), &n);
  const vreal large = vsplat(1) - scale_by(tail.hi + tail.hi, n);
  return with_sign_of(vselect(a < vsplat(0.9), a + a * P, large), x);
}

/** x Phi(x) = x (1 + erf(x / sqrt 2)) / 2, at most 0.95 ulp. gelu(-0) = -0 and, as the limit,
 *  gelu(-inf) = -0; gelu(inf) = inf. */
GLK_INLINE vreal vgelu(vreal x) {
  const vreal bounded = at_least(x, vsplat(-39)); /* where the result is 0 already */
  const vreal a = vabs(bounded), b = at_most(a, vsplat(39));
  const vpair square = product_of(b, b);
  vubits n;
  const vpair tail = normal_tail((vpair){b, vsplat(0)},
                                 (vpair){vsplat(0.5) * square.hi, vsplat(0.5) * square.lo}, &n);
  /* Below 0 the product is rounded to a subnormal last, lest x magnify that error. */
  const vreal below = scale_by(pair_product((vpair){bounded, vsplat(0)}, tail).hi, n);
  const vpair rest = {-scale_by(tail.hi, n), -scale_by(tail.lo, n)};

  /* In the middle Phi = 1/2 + x P, to 2^-54 of it. */
  const vreal z = a * a;
  vreal P = vsplat(-0x1.bd08186978d2bp-34) * z + vsplat(0x1.36cfdb6d8e253p-29);
  P = P * z + vsplat(-0x1.6213407528739p-25);
  P = P * z + vsplat(0x1.6589cd69344a6p-21);
  P = P * z + vsplat(-0x1.3ce8f9a06653bp-17);
  P = P * z + vsplat(0x1.e42b0d4d5c088p-14);
  P = P * z + vsplat(-0x1.37403f6b9b5d9p-10);
  P = P * z + vsplat(0x1.46d042976916ap-7);
  P = P * z + vsplat(-0x1.1058377e2cee0p-4);
  const vpair c0 = {vsplat(0x1.9884533d43651p-2), vsplat(-0x1.cbc0d30ebfd15p-56)};
  const vpair m = pair_product((vpair){vselect(a < vsplat(0.7), x, vsplat(0)), vsplat(0)}, c0);
  const vpair middle = add_pair(vsplat(0.5), (vpair){m.hi, m.lo + x * (z * P)});
  const vpair Phi = pair_select(a < vsplat(0.7), middle, add_pair(vsplat(1), rest));
  const vreal ordinary = pair_product((vpair){at_most(bounded, vsplat(39)), vsplat(0)}, Phi).hi;
  const vreal small = vselect(a < vsplat(0x1p-900), vsplat(0.5) * x, ordinary);
  const vreal above = vselect(x > vsplat(39), x, small);
  return vselect(x <= vsplat(-0.7), below, above);
}

/* Powers: */

/* |a|^b = e^(b log |a|). The product can reach 745, so the logarithm needs 11 bits more than the
 * result: it is a pair, to 2^-67 of it.
 */

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

/** a^b, at most 0.78 ulp. */
GLK_INLINE vreal vpow(vreal a, vreal b) {
  const vreal zero = vsplat(0), infinity = vsplat(__builtin_inf()), size = vabs(a);
  /* Beyond, every result is 0, 1 or infinity. */
  const vreal bounded = at_most(at_least(b, vsplat(-0x1p65)), vsplat(0x1p65));
  const vpair x = pair_product((vpair){bounded, zero}, pair_log(size));
  const vreal top = at_most(at_least(x.hi, vsplat(-746)), vsplat(710));
  const vreal ordinary = exp_of(top, vselect(top == x.hi, x.lo, zero));
  /* Of 0 and infinity there is no logarithm. */
  const vbits grows = (b > zero) ^ (size == zero);
  const vbits is_end = ((size == zero) | (size == infinity)) & (b == b);
  const vreal power = vselect(is_end, (vreal)((vbits)infinity & grows), ordinary);

  return power_of_sign(a, b, power);
}

#endif
