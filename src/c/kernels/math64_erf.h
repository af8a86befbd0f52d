/* The error function and gelu in f64, on four lanes; see math.h for the rules, math_erf.h for the
 * method.
 */
#ifndef GLK_KERNELS_MATH64_ERF_H
#define GLK_KERNELS_MATH64_ERF_H

#include "kernels/math64_exp.h"

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

#endif
