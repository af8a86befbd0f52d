/* The harness of all C tests: a test is a claim; a failed check is printed, counted, and the test
 * goes on.
 *
 *   static void adam_locked_element_keeps_its_bits(void) { CHECK_STATUS(glk_..., GLK_OK); }
 *   int main(int argc, char **argv) {
 *     harness_begin(argc, argv);
 *     TEST(adam_locked_element_keeps_its_bits);
 *     return harness_report();
 *   }
 *
 * An argument to the program runs only the tests whose name contains it. Every check yields whether
 * it held, so a test that cannot go on says `if (!CHECK(p != NULL)) return;`. Random numbers start
 * from the same seed in each test, whichever tests run; a failure prints the seed. It refuses
 * fixtures, registration and forking: one program is one translation unit.
 */
#ifndef GLK_TESTS_HARNESS_H
#define GLK_TESTS_HARNESS_H

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gradlock.h"

/** More than there are ops. */
enum { MAX_OPS = 256 };

/** The number of an op, whose name is a literal: it is looked up once. */
static inline uint32_t OP(const char *name) {
  static const char *names[MAX_OPS];
  static uint32_t numbers[MAX_OPS];
  int i = 0;
  while (i < MAX_OPS - 1 && names[i] && names[i] != name) i++;
  if (names[i] == name) return numbers[i];
  glk_op_info info = {0};
  uint32_t op = 0;
  while (glk_op_describe(op, &info) == GLK_OK && strcmp(info.name, name) != 0) op++;
  names[i] = name;
  return numbers[i] = op;
}

/** Whether the sanitizers watch: where sizes or numbers make no other memory errors, fewer do. */
#if defined(__has_feature)
#define HARNESS_IS_WATCHED __has_feature(address_sanitizer)
#else
#define HARNESS_IS_WATCHED 0
#endif

/** A sweep that goes wrong everywhere prints only this many failures per test; all are counted. */
#define HARNESS_MAX_PRINTED 20

static struct {
  const char *filter, *test;
  unsigned long long tests, checks, failures, test_failures;
  uint64_t seed, state; /* equal until a random number is drawn */
} harness;

/** Check that `cond` is true. */
#define CHECK(cond) CHECK_MSG(cond, "CHECK(%s)", #cond)
/** The same, saying which row or index failed: CHECK_MSG(n == 3, "row %d: n is %d", row, n). */
#define CHECK_MSG(cond, ...) \
  ((cond) ? harness_pass() : harness_fail(__FILE__, __LINE__, __VA_ARGS__))
/** Equality of integers, enums or handles of any width and sign, by value; `0 |` refuses reals. */
#define CHECK_EQ(a, b) \
  harness_equal((int64_t)(0 | (a)), (int64_t)(0 | (b)), #a " == " #b, __FILE__, __LINE__)
#define CHECK_STATUS(expr, expected) harness_status((expr), (expected), #expr, __FILE__, __LINE__)
/** Equality of the bits of two reals: -0 is not +0, and a NaN is itself. */
#define CHECK_BITS(a, b) harness_bits((a), (b), #a " is bit for bit " #b, __FILE__, __LINE__)
/** |a - b| <= tolerance, or a == b (infinities); never for NaN. */
#define CHECK_NEAR(a, b, tolerance) \
  harness_near((a), (b), (tolerance), #a " is near " #b, __FILE__, __LINE__)

#define TEST(name) harness_run(#name, name)

/* Threads of every context: GLK_THREADS, or 1. */
static inline uint32_t harness_threads(void) {
  const char *threads = getenv("GLK_THREADS");
  return threads ? (uint32_t)atoi(threads) : 1;
}

/* Threads share every job, however small. */
static inline glk_status harness_context_create(const glk_allocator *allocator, glk_context **out) {
  const glk_status status = glk_context_create(allocator, out);
  if (status != GLK_OK || harness_threads() == 1) return status;
  return glk_context_threads(*out, harness_threads(), 0);
}
#define glk_context_create harness_context_create

static inline int harness_pass(void) {
  harness.checks++;
  return 1;
}

__attribute__((format(printf, 3, 4))) static inline int harness_fail(const char *file, int line,
                                                                     const char *format, ...) {
  harness.checks++;
  harness.failures++;
  if (harness.test_failures++ < HARNESS_MAX_PRINTED) {
    printf("%s:%d: %s: ", file, line, harness.test);
    va_list arguments;
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    if (harness.state != harness.seed) printf(" [seed %llu]", (unsigned long long)harness.seed);
    printf("\n");
  }
  return 0;
}

static inline int harness_equal(int64_t a, int64_t b, const char *text, const char *file,
                                int line) {
  if (a == b) return harness_pass();
  return harness_fail(file, line, "%s: %lld (0x%llx), expected %lld (0x%llx)", text, (long long)a,
                      (unsigned long long)a, (long long)b, (unsigned long long)b);
}

static inline int harness_status(glk_status status, glk_status expected, const char *text,
                                 const char *file, int line) {
  if (status == expected) return harness_pass();
  const char *got_name = glk_status_name(status), *expected_name = glk_status_name(expected);
  return harness_fail(file, line, "%s: %s (%d), expected %s", text, got_name ? got_name : "?",
                      (int)status, expected_name ? expected_name : "?");
}

static inline int harness_bits(glk_real a, glk_real b, const char *text, const char *file,
                               int line) {
  if (memcmp(&a, &b, sizeof a) == 0) return harness_pass();
  uint64_t a_bits = 0, b_bits = 0; /* every target is little-endian */
  memcpy(&a_bits, &a, sizeof a);
  memcpy(&b_bits, &b, sizeof b);
  return harness_fail(file, line, "%s: %.17g (0x%llx), expected %.17g (0x%llx)", text, (double)a,
                      (unsigned long long)a_bits, (double)b, (unsigned long long)b_bits);
}

static inline int harness_near(double a, double b, double tolerance, const char *text,
                               const char *file, int line) {
  const double distance = a > b ? a - b : b - a;
  if (a == b || distance <= tolerance) return harness_pass();
  return harness_fail(file, line, "%s: %.17g, expected %.17g, off by %.3g, allowed %.3g", text, a,
                      b, distance, tolerance);
}

/* ----------------------------------------------------------------------- memory that runs out */

/** Memory of a context: what lives, was asked for and failed; the countdown-th request from now
 *  fails, a negative one never, and so does each for more bytes than `most`, if that is not 0. */
typedef struct harness_memory {
  long countdown;
  size_t live, requests, failures, most;
} harness_memory;

static inline void *harness_allocate(void *user, size_t bytes, size_t alignment) {
  harness_memory *m = user;
  m->requests++;
  if (m->most && bytes > m->most) return NULL;
  if (m->countdown > 0 && --m->countdown == 0) {
    m->failures++;
    m->countdown = -1;
    return NULL;
  }
  void *out = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  m->live += out != NULL;
  return out;
}

static inline void harness_release(void *user, void *memory) {
  ((harness_memory *)user)->live--;
  free(memory);
}

/* ------------------------------------------------------------------------------------ accuracy */

/** The error of an f32 in ulps of the exact result: 2^-149 among the subnormals.
 *  Infinity counts as 2^128, the number after the greatest; a NaN instead of a number, or the other
 *  way round, is an infinite error. */
static inline double ulp_error(float result, double exact) {
  if (result != result || exact != exact) {
    return result != result && exact != exact ? 0 : __builtin_inf();
  }
  const double top = 0x1p128;
  const double got = result > top ? top : result < -top ? -top : result;
  const double want = exact > top ? top : exact < -top ? -top : exact;
  uint64_t bits;
  memcpy(&bits, &want, sizeof bits);
  int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
  exponent = exponent < -126 ? -126 : exponent > 127 ? 127 : exponent;
  bits = (uint64_t)(1023 + 23 - exponent) << 52;
  double units_per_one;
  memcpy(&units_per_one, &bits, sizeof bits);
  return (got > want ? got - want : want - got) * units_per_one;
}

/* ------------------------------------------------------------------------------ random numbers */

/** Start the random numbers from a seed. */
static inline void rng_seed(uint64_t seed) { harness.seed = harness.state = seed; }

/** 64 random bits. Source: Steele, Lea & Flood 2014, splitmix64. */
static inline uint64_t rng_next(void) {
  uint64_t z = harness.state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/** An integer in 0 .. n-1, n > 0. */
static inline uint32_t rng_below(uint32_t n) { return (uint32_t)(((rng_next() >> 32) * n) >> 32); }

/** A uniform real in low .. high, the same one on every machine. */
static inline glk_real rng_real(double low, double high) {
  return (glk_real)(low + (double)(rng_next() >> 11) * 0x1p-53 * (high - low));
}

/* ------------------------------------------------------------------------------------- running */

static inline void harness_begin(int argc, char **argv) {
  harness.filter = argc > 1 ? argv[1] : NULL;
}

static inline void harness_run(const char *name, void (*test)(void)) {
  if (harness.filter && !strstr(name, harness.filter)) return;
  harness.tests++;
  harness.test = name;
  harness.test_failures = 0;
  rng_seed(1);
  test();
  if (harness.test_failures > HARNESS_MAX_PRINTED)
    printf("%s: %llu failures in all\n", name, harness.test_failures);
  fflush(stdout);
}

/** The exit code: 0 if tests ran and every check held. */
static inline int harness_report(void) {
  printf("%llu tests, %llu checks, %llu failures\n", harness.tests, harness.checks,
         harness.failures);
  return harness.failures != 0 || harness.tests == 0;
}

#endif
