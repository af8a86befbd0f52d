/* What an engine gets out of this machine, measured where gradlock runs: the rows of the benchmark are fractions of it.
 * Built to WebAssembly only. */
#include "kernels/vec.h"

#define EXPORT(name) __attribute__((export_name(#name)))

enum { CHAINS = 12 };

/* Multiplications and additions in chains that stay in registers: 96 a round. */
EXPORT(peak) float peak(uint32_t rounds) {
  vreal sum[CHAINS];
  for (int k = 0; k < CHAINS; k++) sum[k] = vsplat((glk_real)k);
  GLK_NO_UNROLL
  for (uint32_t i = 0; i < rounds; i++) {
    for (int k = 0; k < CHAINS; k++) sum[k] = sum[k] * vsplat(0.75f) + vsplat(0.25f);
  }
  for (int k = 1; k < CHAINS; k++) sum[0] += sum[k];
  return sum[0][0] + sum[0][1] + sum[0][2] + sum[0][3];
}

/* Where operands lie: behind the program, in memory that JavaScript adds. */
extern glk_real __heap_base[];

/* What an Adam step moves, with as little arithmetic as keeps it from being a copy: reads 4 and writes 3 of n reals.
 * n is a multiple of 4. */
EXPORT(move_adam) void move_adam(size_t n) {
  glk_real *x = __heap_base, *g = x + n, *m = g + n, *v = m + n;
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i += GLK_LANES) {
    const vreal gradient = vload(g + i);
    vstore(x + i, vload(x + i) + gradient);
    vstore(m + i, vload(m + i) + gradient);
    vstore(v + i, vload(v + i) + gradient);
  }
}

/* What an op with one operand of n reals moves. n is a multiple of 4. */
EXPORT(write_negatives) void write_negatives(size_t n) {
  const glk_real *from = __heap_base;
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i += GLK_LANES) vstore(__heap_base + n + i, vneg(vload(from + i)));
}

/* The division and the square root that an Adam step needs of every element, whose units are the slowest there are; n of
 * them, a multiple of 4, over memory of zeros. */
EXPORT(divide_by_roots) void divide_by_roots(size_t n) {
  const glk_real *from = __heap_base;
  GLK_NO_UNROLL
  for (size_t i = 0; i < n; i += GLK_LANES) {
    const vreal root = vsqrt(vload(from + i) + vsplat(2.7f));
    vstore(__heap_base + n + i, vsplat(0.1f) / (root + vsplat(1e-7f)));
  }
}
