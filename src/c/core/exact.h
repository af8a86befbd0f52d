/* Compiler settings for exact arithmetic: the sources give the same bits in any project, with its
 * flags, or do not compile. Every C file of the library includes this header before its first
 * function. docs/c.md explains the flags.
 *
 * It cannot detect clang's -ffp-contract=fast, nor changes at run time: subnormals flushed to 0 (as
 * when a program is linked with -ffast-math) and rounding other than to nearest (fesetround). */
#ifndef GLK_CORE_EXACT_H
#define GLK_CORE_EXACT_H

#if defined(__SSE2__)
#include <emmintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* -ffast-math and its parts reorder sums, multiply by reciprocals, lose -0 and NaN. (clang names
 * two of them.) */
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__) || defined(__RECIPROCAL_MATH__) || \
    defined(__NO_SIGNED_ZEROS__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__)
#error "gradlock is exact to the bit: compile it without -ffast-math, -Ofast and their parts"
#endif

/* x87 rounds twice, and not at every step. (16 is about _Float16 alone.) */
#if defined(__FLT_EVAL_METHOD__) && __FLT_EVAL_METHOD__ != 0 && __FLT_EVAL_METHOD__ != 16
#error "gradlock is exact to the bit: compile it with -msse2 -mfpmath=sse"
#endif

/* a * b + c must not become a fused multiply-add. GCC fuses by default, and ignores FP_CONTRACT.
 * Square roots do not set errno, which nothing reads here; else GCC calls libm for it. */
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize("fp-contract=off", "no-math-errno")
#endif

/** Square root, rounded correctly: the instruction itself, since clang too calls libm to set errno,
 *  and has no pragma. */
static inline __attribute__((always_inline)) double glk_sqrt(double x) {
#if defined(__SSE2__)
  return _mm_cvtsd_f64(_mm_sqrt_pd(_mm_set_sd(x)));
#elif defined(__aarch64__)
  return vget_lane_f64(vsqrt_f64(vdup_n_f64(x)), 0);
#else
  return __builtin_sqrt(x);
#endif
}

#endif
