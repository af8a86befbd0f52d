/* Powers, logarithms and cosines of single numbers, by products and series in a fixed order, since
 * a libm would give other bits on other engines. */
#include "optim/rule.h"

#define PI 3.141592653589793
#define LN2 0.6931471805599453
#define MOST 1e30

double glk_power(double base, double exponent) {
  /* Looked up: a branch on a count's bits is guessed wrong. */
  double result = 1, factors[2] = {1, base};
  for (uint64_t n = (uint64_t)exponent; n; n >>= 1) {
    result *= factors[n & 1];
    factors[1] *= factors[1];
  }
  return result;
}

/* 2 atanh s for |s| <= 0.18. */
static double twice_atanh(double s) {
  const double z = s * s;
  double sum = 0;
  for (int k = 25; k > 0; k -= 2) sum = sum * z + 1.0 / k;
  return 2 * s * sum;
}

/* ln x for normal x > 0: 2 atanh((m - 1) / (m + 1)) + e ln 2 with m in [0.7, 1.42). */
static double log_of(double x) {
  int exponent = 0;
  while (x >= 1.42) x *= 0.5, exponent++;
  while (x < 0.7) x *= 2, exponent--;
  return twice_atanh((x - 1) / (x + 1)) + exponent * LN2;
}

double glk_log1p(double x) { return x < 0.42 ? twice_atanh(x / (x + 2)) : log_of(1 + x); }

/* e^x: 2^n times the series of e^r with |r| <= ln 2 / 2. */
static double exp_of(double x) {
  if (x < -700) return 0;
  if (x > 700) return MOST;
  const double n = (double)(int64_t)(x / LN2 + (x < 0 ? -0.5 : 0.5)), r = x - n * LN2;
  double sum = 1;
  for (int k = 17; k > 0; k--) sum = 1 + sum * r / k;
  return n < 0 ? sum / glk_power(2, -n) : sum * glk_power(2, n);
}

double glk_expm1(double x) {
  if (x >= LN2) return exp_of(x) - 1;
  double sum = 1;
  for (int k = 19; k > 1; k--) sum = 1 + sum * x / k;
  return x * sum;
}

double glk_power_real(double base, double exponent) {
  if (exponent < 0x1p52 && exponent == glk_floor(exponent)) return glk_power(base, exponent);
  if (base < 1e-300) return 0;
  return exp_of(exponent * log_of(base));
}

/* By the series of sin(pi (1/2 - x)). */
double glk_half_cosine(double x) {
  if (x <= 0 || x >= 1) return x <= 0;
  const double y = PI * (0.5 - x), z = y * y;
  double sum = 1;
  for (int k = 26; k > 0; k -= 2) sum = 1 - sum * z / (k * (k + 1));
  return 0.5 + 0.5 * y * sum;
}
