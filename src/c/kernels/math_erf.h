/* The error function and functions that use it, on four lanes; see math.h for the rules.
 *
 * Both rest on the tail of the normal distribution, Q(b) = erfc(b / sqrt 2) / 2, in the form
 * e^(-b^2/2) G(b): G is smooth and changes slowly, so that Q keeps its relative accuracy however
 * small it gets, and gelu with it. Source: Schonfelder 1978, Chebyshev Expansions for the Error and
 * Related Functions (the argument (k - b) / (k + b) of G); Hendrycks & Gimpel 2016,
 * arXiv:1606.08415.
 */
#ifndef GLK_KERNELS_MATH_ERF_H
#define GLK_KERNELS_MATH_ERF_H

#include "kernels/math_exp.h"

#ifdef GLK_DOUBLE

#include "kernels/math64_erf.h"

#else

/** Q(b) 2^-n, and n as scale_by takes it; 0.68 <= b <= 15. */
GLK_INLINE vreal normal_tail(vreal b, vubits *out_n) {
  /* b^2 in two f32, for e^ magnifies its error b^2 times: 12 bits squared are exact. */
  const vreal square = b * b, top = (vreal)((vubits)b & 0xfffff000u);
  const vreal lost = (top * top - square) + (b - top) * (b + top);
  const vreal half = vsplat(-0.5f);
  const vreal e = expm1_reduced(half * square, half * lost, 254, out_n); /* less 1 */

  /* G = P(t) / (k + b) with t = (k - b) / (k + b), P to 2^-27.6 of it. */
  const vreal k = vsplat(3.625f), divisor = k + b, t = (k - b) / divisor;
  vreal P = vsplat(0x1.d4f0cp-12f) * t + vsplat(-0x1.4c9f9cp-15f);
  P = P * t + vsplat(-0x1.f5a70cp-9f);
  P = P * t + vsplat(-0x1.1743acp-8f);
  P = P * t + vsplat(0x1.baf01ap-6f);
  P = P * t + vsplat(0x1.1204b8p-3f);
  P = P * t + vsplat(0x1.56a382p-2f);
  P = P * t + vsplat(0x1.27900cp-1f);
  P = P * t + vsplat(0x1.7eb56ep-1f);
  return (P + P * e) / divisor;
}

/** erf x, at most 1.59 ulp and never beyond +-1. erf(-0) = -0. */
GLK_INLINE vreal verf(vreal x) {
  /* a + a P to 2^-26 of it; above, 1 - 2 Q(a sqrt 2) cancels nothing, and is 1 before a = 4. */
  const vreal a = vabs(x), z = a * a;
  vreal P = vsplat(-0x1.3edc4p-11f) * z + vsplat(0x1.4856a6p-8f);
  P = P * z + vsplat(-0x1.b6b862p-6f);
  P = P * z + vsplat(0x1.ce1d4p-4f);
  P = P * z + vsplat(-0x1.8126f4p-2f);
  P = P * z + vsplat(0x1.06eba6p-3f);
  vubits n;
  const vreal tail = normal_tail(at_most(a, vsplat(4)) * vsplat(0x1.6a09e6p+0f), &n);
  const vreal large = vsplat(1) - scale_by(tail + tail, n);
  return with_sign_of(vselect(a < vsplat(0.9f), a + a * P, large), x);
}

/** x Phi(x) = x (1 + erf(x / sqrt 2)) / 2, at most 4.29 ulp. gelu(-0) = -0 and, as the limit,
 *  gelu(-inf) = -0; gelu(inf) = inf. */
GLK_INLINE vreal vgelu(vreal x) {
  const vreal bounded = at_least(x, vsplat(-15)); /* where the result is 0 already */
  vubits n;
  const vreal tail = normal_tail(at_most(vabs(bounded), vsplat(15)), &n);
  /* Below 0 the product is rounded to a subnormal last, lest x magnify that error. */
  const vreal below = scale_by(bounded * tail, n);
  const vreal above = x * (vsplat(1) - scale_by(tail, n));

  /* In the middle Phi = 1/2 + x P, to 2^-28 of it. */
  const vreal z = x * x;
  vreal P = vsplat(0x1.9c7446p-14f) * z + vsplat(-0x1.342196p-10f);
  P = P * z + vsplat(0x1.46b132p-7f);
  P = P * z + vsplat(-0x1.1057b6p-4f);
  P = P * z + vsplat(0x1.988452p-2f);
  const vreal middle = x * (vsplat(0.5f) + x * P);
  return vselect(vabs(x) < vsplat(0.7f), middle, vselect(x < vsplat(0), below, above));
}

#endif

/** gelu's derivative Phi(x) + x e^(-x^2/2) / sqrt(2 pi), to 3e-7; it crosses 0, so an error in ulp
 *  has no bound. As limits, 0 at -inf and 1 at inf. In parts, for a loop over each function: */
GLK_INLINE vreal gelu_slope_bound(vreal x) { return vmin(vmax(x, vsplat(-40)), vsplat(40)); }
GLK_INLINE vreal gelu_slope_to_erf(vreal x) {
  return gelu_slope_bound(x) * vsplat((glk_real)0.70710678118654752);
}
GLK_INLINE vreal gelu_slope_to_exp(vreal x) {
  const vreal b = gelu_slope_bound(x);
  return b * b * vsplat((glk_real)-0.5);
}
GLK_INLINE vreal gelu_slope_from(vreal x, vreal erf_, vreal exp_) {
  const vreal half = vsplat((glk_real)0.5), density = exp_ * vsplat((glk_real)0.39894228040143268);
  return half + half * erf_ + gelu_slope_bound(x) * density;
}

GLK_INLINE vreal vgelu_slope(vreal x) {
  return gelu_slope_from(x, verf(gelu_slope_to_erf(x)), vexp(gelu_slope_to_exp(x)));
}

#endif
