/* Four lanes of f64, for the few steps of f32 functions that need more bits than f32 has. Every
 * lane computes as IEEE 754 says, so results stay the same on every machine. The `double` build has
 * no use for it.
 */
#ifndef GLK_KERNELS_MATH_WIDE_H
#define GLK_KERNELS_MATH_WIDE_H

#include "kernels/vec.h"

#ifndef GLK_DOUBLE

/** Four f64. */
typedef double vwide __attribute__((vector_size(GLK_LANES * sizeof(double))));
/** Their bits. */
typedef int64_t vwide_bits __attribute__((vector_size(GLK_LANES * sizeof(double))));
typedef uint64_t vwide_ubits __attribute__((vector_size(GLK_LANES * sizeof(double))));

GLK_INLINE vwide wsplat(double x) { return (vwide){x, x, x, x}; }
GLK_INLINE vwide widen(vreal x) { return __builtin_convertvector(x, vwide); }

/** Round to f32, once. */
GLK_INLINE vreal narrow(vwide x) {
#ifdef __wasm_simd128__
  /* clang 14 takes the lanes apart instead, which costs sin a twelfth of its time. */
  const v128_t low = wasm_f32x4_demote_f64x2_zero((v128_t)__builtin_shufflevector(x, x, 0, 1));
  const v128_t high = wasm_f32x4_demote_f64x2_zero((v128_t)__builtin_shufflevector(x, x, 2, 3));
  return (vreal)wasm_i64x2_shuffle(low, high, 0, 2);
#else
  return __builtin_convertvector(x, vreal);
#endif
}

GLK_INLINE vwide wselect(vwide_bits mask, vwide a, vwide b) {
  return (vwide)((mask & (vwide_bits)a) | (~mask & (vwide_bits)b));
}

#endif

#endif
