/* The C library on one thread and on two, by turns: `make bench-threads`. Every result has the same
 * bits, or the program fails. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "gradlock.h"

enum { SIDE = 512, ELEMENTS = 4 << 20, SAMPLES = 15, SHARE_NS = 8000 };

static glk_context *g;

static void check(glk_status status) {
  if (status == GLK_OK) return;
  fprintf(stderr, "%s: %s\n", glk_status_name(status), glk_context_detail(g));
  exit(EXIT_FAILURE);
}

static double now_ms(void) {
  struct timespec t;
  timespec_get(&t, TIME_UTC);
  return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

/* Values that are finite, differ, and need no library. */
static glk_real *values(size_t count) {
  glk_real *v = malloc(count * sizeof *v);
  if (!v) exit(EXIT_FAILURE);
  for (size_t i = 0; i < count; i++) v[i] = (glk_real)((i * 2654435761u) % 2001) / 1000 - 1;
  return v;
}

/* A product of two matrices; its time in ms. */
static double multiply(glk_real *out) {
  const uint32_t dims[] = {SIDE, SIDE};
  glk_real *v = values(SIDE * SIDE);
  glk_handle a, c;
  uint32_t op;
  check(glk_tensor_create(g, 2, dims, v, SIDE * SIDE, &a));
  check(glk_op_find(g, "matMul", &op));
  const double start = now_ms();
  check(glk_apply(g, op, (glk_handle[]){a, a}, 2, NULL, 0, &c));
  const double time = now_ms() - start;
  check(glk_read(g, c, out, SIDE * SIDE));
  free(v);
  return time;
}

/* The third step of Adam on as many elements, so that its memory is there; its time in ms. */
static double step(glk_real *out) {
  const uint32_t count = ELEMENTS;
  glk_real *v = values(ELEMENTS);
  glk_handle x, gradient, adam;
  double time = 0;
  check(glk_variable_create(g, 1, &count, v, ELEMENTS, "x", 1, &x));
  check(glk_tensor_create(g, 1, &count, v, ELEMENTS, &gradient));
  check(glk_optimizer_create(g, GLK_ADAM, &adam));
  for (int i = 0; i < 3; i++) {
    const double start = now_ms();
    check(glk_optimizer_apply(g, adam, &x, &gradient, 1));
    time = now_ms() - start;
  }
  check(glk_read(g, x, out, ELEMENTS));
  free(v);
  return time;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void compare(const char *what, double (*run)(glk_real *), size_t count) {
  double times[2][SAMPLES];
  glk_real *out[2] = {malloc(count * sizeof(glk_real)), malloc(count * sizeof(glk_real))};
  if (!out[0] || !out[1]) exit(EXIT_FAILURE);
  for (int sample = 0; sample < SAMPLES; sample++) {
    for (int two = 0; two < 2; two++) {
      check(glk_context_create(NULL, &g));
      check(glk_context_threads(g, 1 + (uint32_t)two, SHARE_NS));
      times[two][sample] = run(out[two]);
      glk_context_dispose(g);
    }
  }
  if (memcmp(out[0], out[1], count * sizeof(glk_real)) != 0) {
    fprintf(stderr, "%s: two threads have other bits than one\n", what);
    exit(EXIT_FAILURE);
  }
  for (int two = 0; two < 2; two++) qsort(times[two], SAMPLES, sizeof(double), ascending);
  const double one = times[0][SAMPLES / 2], two = times[1][SAMPLES / 2];
  printf("%-14s %6.2f ms on one thread, %6.2f ms on two: %.2f of it\n", what, one, two, two / one);
  free(out[0]);
  free(out[1]);
}

int main(void) {
  compare("matMul 512^3", multiply, SIDE * SIDE);
  compare("Adam 4M", step, ELEMENTS);
  return EXIT_SUCCESS;
}
