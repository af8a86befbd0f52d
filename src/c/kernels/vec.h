/* Vectors of four reals, in which all kernels are written.
 *
 * Compiler vectors serve every build (simd128 on wasm, SSE/NEON natively, plain loops for
 * `double`), so the sanitizer build runs the code that ships. Only operations that the vector
 * language lacks are written here: unaligned and partial access, selection by bits, square root.
 * Nothing here fuses, reorders or approximates: the bits are the same everywhere.
 */
#ifndef GLK_KERNELS_VEC_H
#define GLK_KERNELS_VEC_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "core/exact.h"
#include "gradlock.h"

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

#define GLK_LANES 4

#ifdef GLK_DOUBLE
typedef int64_t glk_bits;
typedef uint64_t glk_ubits;
#else
typedef int32_t glk_bits;
typedef uint32_t glk_ubits;
#endif

/** Four reals. */
typedef glk_real vreal __attribute__((vector_size(GLK_LANES * sizeof(glk_real))));
/** Four integers as wide as a real; comparisons yield all ones or all zeros per lane. */
typedef glk_bits vbits __attribute__((vector_size(GLK_LANES * sizeof(glk_real))));

/** The same bits without a sign, for shifts and arithmetic that wraps. */
typedef glk_ubits vubits __attribute__((vector_size(GLK_LANES * sizeof(glk_real))));

/** The same four reals at any address a real may have. */
typedef vreal vreal_at __attribute__((aligned(sizeof(glk_real)), may_alias));

/* Before a loop over vectors: unrolling it further doubles the library and gains nothing on an
 * out-of-order core. */
#ifdef __clang__
#define GLK_NO_UNROLL _Pragma("clang loop unroll(disable)")
/** The same before a loop of a few turns, such as the tail after vectors. */
#define GLK_NO_VECTORS _Pragma("clang loop unroll(disable) vectorize(disable)")
#else
#define GLK_NO_UNROLL
#define GLK_NO_VECTORS
#endif

#define GLK_INLINE static inline __attribute__((always_inline))

GLK_INLINE size_t glk_min_size(size_t a, size_t b) { return a < b ? a : b; }

/** For loops that several kernels of a file run: one copy. */
#define GLK_SHARED __attribute__((noinline, unused)) static

GLK_INLINE vreal vload(const glk_real *p) { return *(const vreal_at *)p; }
GLK_INLINE void vstore(glk_real *p, vreal v) { *(vreal_at *)p = v; }
GLK_INLINE vreal vsplat(glk_real x) { return (vreal){x, x, x, x}; }
GLK_INLINE vbits vsplat_bits(glk_bits x) { return (vbits){x, x, x, x}; }

/** The bits of one real, moved as an integer so that no NaN is touched. */
GLK_INLINE glk_bits load_bits(const glk_real *p) {
  glk_bits bits;
  memcpy(&bits, p, sizeof bits);
  return bits;
}

GLK_INLINE void store_bits(glk_real *p, glk_bits bits) { memcpy(p, &bits, sizeof bits); }

/** Load `n` (0..3) reals, zeros in the other lanes; never reads past p[n-1]. */
GLK_INLINE vreal vload_n(const glk_real *p, size_t n) {
  vbits v = {0, 0, 0, 0};
  if (n > 0) v[0] = load_bits(p);
  if (n > 1) v[1] = load_bits(p + 1);
  if (n > 2) v[2] = load_bits(p + 2);
  return (vreal)v;
}

/** Store the first `n` (0..3) lanes; never writes past p[n-1]. */
GLK_INLINE void vstore_n(glk_real *p, vreal v, size_t n) {
  const vbits bits = (vbits)v;
  if (n > 0) store_bits(p, bits[0]);
  if (n > 1) store_bits(p + 1, bits[1]);
  if (n > 2) store_bits(p + 2, bits[2]);
}

/** The same for any n: no more than a whole vector is loaded or stored. */
GLK_INLINE vreal vload_most(const glk_real *p, size_t n) {
  return n < GLK_LANES ? vload_n(p, n) : vload(p);
}

GLK_INLINE void vstore_most(glk_real *p, vreal v, size_t n) {
  if (n < GLK_LANES) {
    vstore_n(p, v, n);
  } else {
    vstore(p, v);
  }
}

/** Load p[at[0]], p[at[1]], p[at[2]], p[at[3]], and store them there. */
GLK_INLINE vreal vgather(const glk_real *p, const uint16_t *at) {
#if defined(__wasm_simd128__) && !defined(GLK_DOUBLE)
  v128_t v = wasm_v128_load32_zero(p + at[0]);
  v = wasm_v128_load32_lane(p + at[1], v, 1);
  v = wasm_v128_load32_lane(p + at[2], v, 2);
  return (vreal)wasm_v128_load32_lane(p + at[3], v, 3);
#else
  return (vreal)(vbits){load_bits(p + at[0]), load_bits(p + at[1]), load_bits(p + at[2]),
                        load_bits(p + at[3])};
#endif
}

GLK_INLINE void vscatter(glk_real *p, const uint16_t *at, vreal v) {
#if defined(__wasm_simd128__) && !defined(GLK_DOUBLE)
  wasm_v128_store32_lane(p + at[0], (v128_t)v, 0);
  wasm_v128_store32_lane(p + at[1], (v128_t)v, 1);
  wasm_v128_store32_lane(p + at[2], (v128_t)v, 2);
  wasm_v128_store32_lane(p + at[3], (v128_t)v, 3);
#else
  const vbits bits = (vbits)v;
  for (int k = 0; k < GLK_LANES; k++) store_bits(p + at[k], bits[k]);
#endif
}

/** mask ? a : b, bit by bit: no arithmetic, so -0 and NaN payloads pass through untouched. */
GLK_INLINE vreal vselect(vbits mask, vreal a, vreal b) {
#if defined(__wasm_simd128__) && !defined(GLK_DOUBLE)
  return (vreal)wasm_v128_bitselect((v128_t)a, (v128_t)b, (v128_t)mask);
#else
  return (vreal)((mask & (vbits)a) | (~mask & (vbits)b));
#endif
}

GLK_INLINE vreal vsqrt(vreal x) {
#if defined(GLK_DOUBLE)
  return (vreal){glk_sqrt(x[0]), glk_sqrt(x[1]), glk_sqrt(x[2]), glk_sqrt(x[3])};
#elif defined(__wasm_simd128__)
  return (vreal)wasm_f32x4_sqrt((v128_t)x);
#elif defined(__SSE2__)
  return (vreal)_mm_sqrt_ps((__m128)x);
#elif defined(__aarch64__)
  return (vreal)vsqrtq_f32((float32x4_t)x);
#else
  return (vreal){__builtin_sqrtf(x[0]), __builtin_sqrtf(x[1]), __builtin_sqrtf(x[2]),
                 __builtin_sqrtf(x[3])};
#endif
}

/** v[i][k] becomes v[k][i]. */
GLK_INLINE void vtranspose(vreal v[GLK_LANES]) {
  const vreal a = __builtin_shufflevector(v[0], v[1], 0, 4, 1, 5);
  const vreal b = __builtin_shufflevector(v[2], v[3], 0, 4, 1, 5);
  const vreal c = __builtin_shufflevector(v[0], v[1], 2, 6, 3, 7);
  const vreal d = __builtin_shufflevector(v[2], v[3], 2, 6, 3, 7);
  v[0] = __builtin_shufflevector(a, b, 0, 1, 4, 5);
  v[1] = __builtin_shufflevector(a, b, 2, 3, 6, 7);
  v[2] = __builtin_shufflevector(c, d, 0, 1, 4, 5);
  v[3] = __builtin_shufflevector(c, d, 2, 3, 6, 7);
}

#define GLK_SIGN_BIT ((glk_bits)((glk_ubits)1 << (8 * sizeof(glk_real) - 1)))

GLK_INLINE vreal vabs(vreal x) { return (vreal)((vbits)x & ~vsplat_bits(GLK_SIGN_BIT)); }
GLK_INLINE vreal vneg(vreal x) { return (vreal)((vbits)x ^ vsplat_bits(GLK_SIGN_BIT)); }

#ifdef GLK_DOUBLE
#define GLK_EXPONENT_BITS ((glk_bits)0x7ff0000000000000)
#else
#define GLK_EXPONENT_BITS ((glk_bits)0x7f800000)
#endif

/** x, or +0 where x is a zero or subnormal; `exponents` is vsplat_bits(GLK_EXPONENT_BITS). It works
 *  on bits: no NaN is touched. */
GLK_INLINE vreal vflush(vreal x, vbits exponents) {
  vbits is_normal = ((vbits)x & exponents) > 0;
#if defined(__wasm_simd128__) && !defined(GLK_DOUBLE)
  __asm__("" : "+r"(is_normal)); /* else clang makes it a bitselect, which takes twice as long */
#endif
  return (vreal)((vbits)x & is_normal);
}

GLK_INLINE int any_lane(vbits mask) {
#if defined(__wasm_simd128__) && !defined(GLK_DOUBLE)
  return wasm_v128_any_true((v128_t)mask);
#else
  return (mask[0] | mask[1] | mask[2] | mask[3]) != 0;
#endif
}

/** IEEE 754-2019 maximum: NaN if either is NaN, and +0 > -0. */
GLK_INLINE vreal vmax(vreal a, vreal b) {
  const vreal equal = (vreal)((vbits)a & (vbits)b); /* differs from a only for +-0 */
  return vselect(a == b, equal, vselect((a > b) | (a != a), a, b));
}

/** IEEE 754-2019 minimum: NaN if either is NaN, and -0 < +0. */
GLK_INLINE vreal vmin(vreal a, vreal b) {
  const vreal equal = (vreal)((vbits)a | (vbits)b);
  return vselect(a == b, equal, vselect((a < b) | (a != a), a, b));
}

#endif
