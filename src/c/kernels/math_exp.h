/* The exponential, the logarithm and functions that use them, on four lanes; see math.h for
 * the rules.
 *
 * Source: Cody & Waite 1980, Software Manual for the Elementary Functions: subtract a constant that
 * is split in two, so that reducing the argument loses nothing; then a short polynomial. log and
 * log1p are fdlibm's (e_log.c, s_log1p.c, Sun 1993) and tanh Cephes's (Moshier 1989) in form.
 */
#ifndef GLK_KERNELS_MATH_EXP_H
#define GLK_KERNELS_MATH_EXP_H

#include "kernels/math.h"

#ifdef GLK_DOUBLE

#include "kernels/math64_exp.h"

#else

#define GLK_LN2_HIGH 0x1.62e4p-1f   /* ln 2 in 15 bits: its product with any exponent is exact */
#define GLK_LN2_LOW 0x1.7f7d1cp-20f /* ln 2 - GLK_LN2_HIGH */

/** With n = round(x / ln 2): e^(x + extra - n ln 2) - 1, and n + bias in the low 9 bits of out_n;
 *  |x| < 128, `extra` below x's ulp, `bias` even, so that ties go the same way with any. */
GLK_INLINE vreal expm1_reduced(vreal x, vreal extra, glk_real bias, vubits *out_n) {
  const vreal shifter = vsplat(0x1.8p23f + bias); /* its ulp is 1: adding it rounds */
  const vreal shifted = x * vsplat(0x1.715476p+0f) + shifter, n = shifted - shifter;
  const vreal high = x - n * vsplat(GLK_LN2_HIGH), low = n * vsplat(GLK_LN2_LOW) - extra;
  const vreal r = high - low, r2 = r * r;

  /* e^r = 1 + r + q r^2, q to 2^-28 of e^r; grouped in pairs for a shorter chain of dependences. */
  const vreal q01 = vsplat(0x1.fffffcp-2f) + vsplat(0x1.555492p-3f) * r;
  const vreal q23 = vsplat(0x1.5558f2p-5f) + vsplat(0x1.123a2p-7f) * r;
  const vreal q = q01 + r2 * (q23 + r2 * vsplat(0x1.6a23dp-10f));

  *out_n = (vubits)shifted;
  return high + (r2 * q - low); /* not r + ..., whose rounding would cost 0.1 ulp */
}

/** p 2^n. 2^n need not be an f32, so it is applied in halves: n + 254 splits into their biased
 *  exponents. The first product is exact; only the second rounds to a subnormal or overflows. */
GLK_INLINE vreal scale_by(vreal p, vubits n) {
  const vubits half = n >> 1;
  return p * (vreal)(half << 23) * (vreal)((n - half) << 23);
}

/** e^x, at most 0.91 ulp. exp(-inf) = +0, exp(inf) = inf. */
GLK_INLINE vreal vexp(vreal x) {
  vubits n;
  const vreal p = expm1_reduced(at_most(at_least(x, vsplat(-104)), vsplat(89)), vsplat(0), 254, &n);
  return scale_by(p + vsplat(1), n);
}

/** vexp(x) for x <= 0, bit for bit, at four fifths of its price: 2^(n + 65) is an f32 for all n
 *  there are, so one exact product scales by it, and another one by 2^-65, which rounds if
 *  needed. */
GLK_INLINE vreal vexp_down(vreal x) {
  vubits n;
  const vreal p = expm1_reduced(at_least(x, vsplat(-104)), vsplat(0), 127 + 65, &n);
  return (p + vsplat(1)) * (vreal)(n << 23) * vsplat(0x1p-65f);
}

/** e^x for x <= 0, at most 2.25 ulp, +0 where it is below 0.7 * 2^-126: exact enough for terms of a
 *  sum, a third cheaper. */
GLK_INLINE vreal vexp_term(vreal x) {
  const vreal lifted = at_least(x, vsplat(-88)); /* of which n is -127 */
  const vreal shifter = vsplat(0x1.8p23f + 127);
  const vreal shifted = lifted * vsplat(0x1.715476p+0f) + shifter, n = shifted - shifter;
  const vreal r = lifted - n * vsplat(GLK_LN2_HIGH) - n * vsplat(GLK_LN2_LOW), r2 = r * r;

  /* e^r = 1 + r + q r^2, q to 2^-23 of e^r. */
  const vreal q01 = vsplat(0x1.fffdfcp-2f) + vsplat(0x1.5557aep-3f) * r;
  const vreal q23 = vsplat(0x1.572a1ep-5f) + vsplat(0x1.10627p-7f) * r;
  const vreal p = vsplat(1) + (r + r2 * (q01 + r2 * q23));
  return p * (vreal)((vubits)shifted << 23);
}

/** e^x - 1, at most 1.74 ulp. expm1(-0) = -0, expm1(-inf) = -1, expm1(inf) = inf. */
GLK_INLINE vreal vexpm1(vreal x) {
  vubits n;
  const vreal p = expm1_reduced(at_most(at_least(x, vsplat(-26)), vsplat(89)), vsplat(0), 254, &n);
  /* 2^n (p + 1) - 1 = 2^n (p + (1 - 2^-n)): one sum, and nothing where n = 0. 254 - (n + 254) is
   * -n; 2^-n is subnormal, and hence 0 or less than an ulp of 1, above n = 126. */
  const vubits inverse = (254 + 127) - (n & 511u);
  const vreal power = (vreal)((inverse & (vubits)((vbits)inverse > 0)) << 23);
  const vreal result = scale_by(p + (vsplat(1) - power), n);
  return with_sign_of(result, x);
}

/** x = 2^e (1 + f), 1 + f in sqrt(1/2) .. sqrt(2): as if exponents changed at sqrt(1/2). f is
 *  returned. x > 0 and finite; infinity gives e = 128 and f = 0. */
GLK_INLINE vreal split_exponent(vreal x, vreal *out_e) {
  /* Subnormals have no exponent of their own: lift them by 2^23. */
  const vubits lift = (vubits)(x < vsplat(0x1p-126f)) & (23u << 23);
  const vreal lifted = x * (vreal)(lift + 0x3f800000u);
  const vubits offset = (vubits)lifted - 0x3f3504f3u;
  *out_e = __builtin_convertvector((vbits)(offset - lift) >> 23, vreal);
  return (vreal)((offset & 0x007fffffu) + 0x3f3504f3u) - vsplat(1);
}

/** ln(2^e (1 + f)) + extra, `extra` below the ulp of f. */
GLK_INLINE vreal log_of_parts(vreal e, vreal f, vreal extra) {
  /* log(1 + f) = 2 atanh(s) = 2s + s R with s = f / (2 + f), R to 2^-30 of it. Written as
   * f - (h - s (h + R)), h = f^2 / 2, the exact f leads and the rounding of s hardly matters. */
  const vreal s = f / (f + vsplat(2)), z = s * s, h = vsplat(0.5f) * f * f;
  vreal R = vsplat(0x1.31e2f2p-2f) * z + vsplat(0x1.995ebap-2f);
  R = (R * z + vsplat(0x1.55557ap-1f)) * z;
  const vreal low = s * (h + R) + (e * vsplat(GLK_LN2_LOW) + extra);
  return e * vsplat(GLK_LN2_HIGH) + (f - (h - low));
}

/** ln x, at most 0.84 ulp. log(+-0) = -inf, log(inf) = inf, log(1) = +0; NaN below 0. */
GLK_INLINE vreal vlog(vreal x) {
  vreal e;
  const vreal f = split_exponent(x, &e), ordinary = log_of_parts(e, f, vsplat(0));
  const vreal infinity = vsplat(__builtin_inff());
  const vreal above = vselect(x == infinity, infinity, ordinary);
  const vreal result = vselect(x == vsplat(0), -infinity, above);
  return (vreal)((vbits)result | ~(x >= vsplat(0))); /* all ones is a NaN */
}

/** ln(1 + x), at most 0.87 ulp. log1p(-0) = -0, log1p(-1) = -inf, log1p(inf) = inf; NaN below. */
GLK_INLINE vreal vlog1p(vreal x) {
  /* The rounding error of u = 1 + x is known exactly, and ln(u + lost) = ln u + lost / u. */
  const vreal one = vsplat(1), u = one + x;
  const vreal lost = vselect(x > one, one - (u - x), x - (u - one));
  vreal e;
  const vreal f = split_exponent(u, &e), ordinary = log_of_parts(e, f, lost / u);
  const vreal infinity = vsplat(__builtin_inff());
  const vreal above = vselect(x == infinity, infinity, ordinary);
  const vreal result = with_sign_of(vselect(x == -one, infinity, above), x);
  return (vreal)((vbits)result | ~(x >= -one));
}

/** tanh, at most 1.42 ulp and never beyond +-1. tanh(-0) = -0. */
GLK_INLINE vreal vtanh(vreal x) {
  const vreal a = vabs(x);
  /* Where tanh is below 1/2: a + a^3 q, q to 2^-29 of it. */
  const vreal z = a * a;
  vreal q = vsplat(-0x1.9bba62p-8f) * z + vsplat(0x1.595686p-6f);
  q = q * z + vsplat(-0x1.b92bbap-5f);
  q = q * z + vsplat(0x1.110d3cp-3f);
  q = q * z + vsplat(-0x1.55554cp-2f);
  const vreal small = a + a * (z * q);

  /* Above, 1 - 2 / (e^2a + 1) cancels nothing. It is 1 before a = 10, so here 2^n is an f32 and
   * n + 254 - 127 its biased exponent. */
  vubits n;
  const vreal b = at_most(a, vsplat(10)), p = expm1_reduced(b + b, vsplat(0), 254, &n);
  const vreal power = (vreal)((n - 127) << 23);
  const vreal large = vsplat(1) - vsplat(2) / ((p + vsplat(1)) * power + vsplat(1));

  return with_sign_of(vselect(a < vsplat(0.55f), small, large), x);
}

/** 1 / (1 + e^-x), at most 1.82 ulp, within 0 .. 1, and subnormal rather than 0 down to -103.97. */
GLK_INLINE vreal vsigmoid(vreal x) {
  /* w = sigmoid(-|x|) is at most 1/2, so neither it nor 1 - w cancels, and e^x cannot overflow. */
  const vreal e = vexp_down(vneg(vabs(x)));
  const vreal w = e / (e + vsplat(1));
  /* Rounding e + 1 costs a small w up to 1 ulp, and order; w = e - e w takes only e times that. */
  const vreal lower = vselect(e < vsplat(0.5f), e - e * w, w);
  return vselect(x >= vsplat(0), vsplat(1) - lower, lower);
}

/** ln(1 + e^x), at most 1.67 ulp. softplus(-inf) = +0, softplus(inf) = inf. */
GLK_INLINE vreal vsoftplus(vreal x) {
  return vmax(x, vsplat(0)) + vlog1p(vexp_down(vneg(vabs(x)))); /* e^-|x| cannot overflow */
}

/* Erf and gelu: */

/* erf and gelu rest on the tail of the normal distribution, Q(b) = erfc(b / sqrt 2) / 2, in the
 * form e^(-b^2/2) G(b): G is smooth and changes slowly, so that Q keeps its relative accuracy
 * however small it gets, and gelu with it. Source: Schonfelder 1978, Chebyshev Expansions for
 * the Error and Related Functions (the argument (k - b) / (k + b) of G); Hendrycks & Gimpel
 * 2016, arXiv:1606.08415.
 */

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

/* Powers: */

/* a^b = 2^(b log2 |a|). The product can reach 150, so log2 needs 8 bits more than the result: both
 * functions are computed in f64 lanes, to 2^-45 and 2^-34, and the result is rounded to f32 once.
 * The logarithm is vlog's (fdlibm's e_log.c, Sun 1993), with more terms.
 */

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
  const vwide shifter = wsplat(0x1.8p52 + 1023); /* its ulp is 1: adding it rounds */
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

/** a^b, at most 0.501 ulp over 10^8 pairs of all kinds. */
GLK_INLINE vreal vpow(vreal a, vreal b) {
  return power_of_sign(a, b, wide_exp2(widen(b) * wide_log2(vabs(a))));
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
