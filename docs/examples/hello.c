/* Two by two: train the diagonal of a variable, hold its other two elements where they are, to the
 * bit.
 *
 *   $ make lib
 *   $ cc docs/examples/hello.c build/lib/libgradlock.a -Ibuild/lib -o build/hello
 *   $ build/hello
 *   x       [[1.000007, 0.000000], [0.000000, 3.999866]]
 *   digest  7610001b311021f0
 *
 * node.mjs, page.html and wasi.py do the same and end on the same digest: the same bits. */
#include <gradlock.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static glk_context *g;

static void check(glk_status status) {
  if (status == GLK_OK) return;
  fprintf(stderr, "%s: %s\n", glk_status_name(status), glk_context_detail(g));
  exit(EXIT_FAILURE);
}

/* An op by its name, of one or two operands (b is 0 where there is one). */
static glk_handle apply(const char *name, glk_handle a, glk_handle b) {
  uint32_t op;
  check(glk_op_find(g, name, &op));
  glk_handle out;
  check(glk_apply(g, op, (glk_handle[]){a, b}, b ? 2 : 1, NULL, 0, &out));
  return out;
}

int main(void) {
  check(glk_context_create(NULL, &g));

  const uint32_t shape[] = {2, 2};
  glk_handle x, target;
  check(glk_variable_create(g, 2, shape, NULL, 4, "x", 1, &x)); /* zeros */
  check(glk_tensor_create(g, 2, shape, (glk_real[]){1, 2, 3, 4}, 4, &target));

  /* Row 0, column 1 and row 1, column 0, as they lie in memory. */
  check(glk_locks_add_indices(g, x, (uint32_t[]){1, 2}, 2));

  /* Recorded once; each of the steps below runs it forward and back. */
  check(glk_program_begin(g, GLK_TRACE));
  const glk_handle loss = apply("mean", apply("square", apply("sub", x, target), 0), 0);
  glk_handle program;
  check(glk_program_end(g, &loss, 1, &program));

  glk_handle adam;
  check(glk_optimizer_create(g, GLK_ADAM, &adam));
  check(glk_optimizer_set(g, adam, (const char *[]){"learningRate"}, (double[]){0.1}, 1));
  check(glk_optimizer_minimize(g, adam, program, &x, 1, 200, NULL));

  glk_real v[4];
  uint64_t digest;
  check(glk_read(g, x, v, 4));
  check(glk_digest(g, x, &digest));
  printf("x       [[%.6f, %.6f], [%.6f, %.6f]]\n", v[0], v[1], v[2], v[3]);
  printf("digest  %016" PRIx64 "\n", digest);

  glk_context_dispose(g); /* and everything in it */
  return EXIT_SUCCESS;
}
