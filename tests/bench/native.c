/* The same kernels without an engine, and OpenBLAS where it is installed: what the benchmark's rows could reach at most.
 * Prints seconds per call, the median of its samples; of what is not there, nothing.
 *
 *   native gemm m n k transposeA transposeB
 *   native openblas m n k transposeA transposeB    (GLK_OPENBLAS names the library)
 *   native adam n percent                          (percent of the elements locked, at random) */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "kernels/gemm.h"
#include "optim/rule.h"

enum { SAMPLES = 15 };
static const double sample_seconds = 0.005;

typedef struct work {
  void (*run)(const struct work *work);
  size_t m, n, k;
  int turned[2];
  glk_real *a, *b, *c, *scratch;
  void *function;
  glk_update update;
} work;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double seconds_of(const work *w, int repeats) {
  const double start = now();
  for (int i = 0; i < repeats; i++) w->run(w);
  return (now() - start) / repeats;
}

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(const work *w) {
  double samples[SAMPLES];
  int repeats = 1;
  while (seconds_of(w, repeats) * repeats < sample_seconds) repeats *= 2;
  for (int i = 0; i < SAMPLES; i++) samples[i] = seconds_of(w, repeats);
  qsort(samples, SAMPLES, sizeof *samples, by_size);
  return samples[SAMPLES / 2];
}

/* Uniform in [-1, 1), every 64 bytes a line of its own. */
static glk_real *values(size_t count) {
  static uint32_t state = 1;
  glk_real *out = aligned_alloc(64, (count * sizeof *out + 63) / 64 * 64);
  if (!out) exit(1);
  for (size_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    out[i] = (glk_real)(int32_t)state / 2147483648;
  }
  return out;
}

static void run_gemm(const work *w) {
  const glk_matrix a = w->turned[0] ? (glk_matrix){w->a, 1, w->m} : (glk_matrix){w->a, w->k, 1};
  const glk_matrix b = w->turned[1] ? (glk_matrix){w->b, 1, w->k} : (glk_matrix){w->b, w->n, 1};
  glk_kernel_gemm(w->m, w->n, w->k, a, b, w->c, w->n, w->scratch, NULL);
}

typedef void sgemm(int order, int ta, int tb, int m, int n, int k, float alpha, const float *a,
                   int lda, const float *b, int ldb, float beta, float *c, int ldc);

static void run_openblas(const work *w) {
  enum { ROW_MAJOR = 101, AS_IS = 111, TURNED = 112 };
  const int m = (int)w->m, n = (int)w->n, k = (int)w->k;
  ((sgemm *)w->function)(ROW_MAJOR, w->turned[0] ? TURNED : AS_IS, w->turned[1] ? TURNED : AS_IS, m,
                         n, k, 1, w->a, w->turned[0] ? m : k, w->b, w->turned[1] ? k : n, 0, w->c,
                         n);
}

static int load_openblas(work *w) {
  const char *given = getenv("GLK_OPENBLAS");
  void *library = dlopen(given ? given : "libopenblas.so.0", RTLD_NOW);
  if (!library) return 0;
  w->function = dlsym(library, "cblas_sgemm");
  void (*threads)(int) = dlsym(library, "openblas_set_num_threads");
  if (threads) threads(1);
  return w->function != NULL;
}

static void run_adam(const work *w) {
  static const double options[GLK_MAX_OPTIONS]; /* no amsgrad */
  glk_rule_adam.update(options, &w->update);
}

static void prepare_adam(work *w, size_t n, int percent) {
  uint32_t *locks = calloc(n / GLK_WORD, sizeof *locks);
  const glk_real *chance = values(n);
  if (!locks) exit(1);
  for (size_t i = 0; i < n; i++) {
    if ((chance[i] + 1) * 50 < (glk_real)percent) locks[i / 32] |= (uint32_t)1 << i % 32;
  }
  glk_update u = {.words = n / GLK_WORD,
                  .locks = locks,
                  .x = values(n),
                  .gradient = values(n),
                  .slots = {values(n), values(n)}};
  const glk_real coefficients[] = {0.001f, 0.1f, 0.001f, 1e-7f};
  for (size_t i = 0; i < n; i++) u.slots[1][i] *= u.slots[1][i]; /* a mean of squares */
  memcpy(u.coefficient, coefficients, sizeof coefficients);
  w->update = u;
}

int main(int argc, char **argv) {
  const char *what = argc > 1 ? argv[1] : "";
  size_t given[5] = {0};
  work w = {0};
  for (int i = 0; i < 5 && i + 2 < argc; i++) given[i] = (size_t)atoll(argv[i + 2]);
  if (!strcmp(what, "adam") && argc == 4) {
    prepare_adam(&w, given[0], (int)given[1]);
    w.run = run_adam;
  } else if (argc == 7) {
    w.run = run_gemm;
    w.m = given[0], w.n = given[1], w.k = given[2];
    for (int i = 0; i < 2; i++) w.turned[i] = given[3 + i] != 0;
    w.a = values(w.m * w.k), w.b = values(w.k * w.n), w.c = values(w.m * w.n);
    w.scratch = values(glk_kernel_gemm_scratch(w.m, w.n, w.k, w.turned[0]));
    if (!strcmp(what, "openblas")) {
      if (!load_openblas(&w)) return 0;
      w.run = run_openblas;
    }
  } else {
    return 1;
  }
  printf("%.9g\n", median(&w));
  return 0;
}
