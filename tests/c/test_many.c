/* Work grows with what there is, not with pairs of it: a hundred thousand variables in one program,
 * step and state. None of these ends in a reasonable time where each variable is looked for among
 * all others. */
#include <stdlib.h>

#include "harness.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { MANY = HARNESS_IS_WATCHED ? 10000 : 100000 };

static glk_context *c;
static glk_handle x[MANY], g[MANY], program;

static uint32_t op_named(const char *name) {
  uint32_t op = 0;
  OK(glk_op_find(c, name, &op));
  return op;
}

/* The sum of the squares of all, by a chain of additions. */
static void record(glk_record_mode mode) {
  const uint32_t add = op_named("add"), square = op_named("square");
  const glk_real zero = 0;
  glk_handle sum = 0;
  OK(glk_tensor_create(c, 0, NULL, &zero, 1, &sum));
  OK(glk_program_begin(c, mode));
  for (uint32_t i = 0; i < MANY; i++) {
    glk_handle term = 0, both = 0;
    if (glk_apply(c, square, &x[i], 1, NULL, 0, &term) != GLK_OK) break;
    if (glk_apply(c, add, (glk_handle[]){sum, term}, 2, NULL, 0, &both) != GLK_OK) break;
    glk_dispose(c, sum);
    glk_dispose(c, term);
    sum = both;
  }
  OK(glk_program_end(c, &sum, 1, &program));
  OK(glk_dispose(c, sum));
}

static void begin(glk_record_mode mode) {
  const glk_real one = 1;
  OK(glk_context_create(NULL, &c));
  for (uint32_t i = 0; i < MANY; i++) {
    if (glk_variable_create(c, 0, NULL, &one, 1, "x", 1, &x[i]) != GLK_OK) break;
  }
  record(mode);
}

static void holds(glk_real expected) {
  glk_real value = 0;
  uint32_t wrong = 0;
  for (uint32_t i = 0; i < MANY; i++) {
    wrong += glk_read(c, x[i], &value, 1) != GLK_OK || value != expected;
  }
  CHECK_MSG(!wrong, "%u of them are not %g", wrong, (double)expected);
}

static void optimizer_of(double rate, glk_handle *out) {
  const char *name = "learningRate";
  OK(glk_optimizer_create(c, GLK_SGD, out));
  OK(glk_optimizer_set(c, *out, &name, &rate, 1));
}

static void many_variables_train_and_are_differentiated(void) {
  for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
    glk_handle optimizer = 0;
    uint32_t count = 0;
    double loss = 0;
    begin((glk_record_mode)mode);
    optimizer_of(0.25, &optimizer);
    OK(glk_program_trainable(c, program, g, MANY, &count));
    CHECK_EQ(count, MANY);
    OK(glk_program_gradient(c, program, x, MANY, &loss, g));
    CHECK_NEAR(loss, MANY, 0);
    OK(glk_optimizer_minimize(c, optimizer, program, x, MANY, 1, NULL));
    holds(0.5);
    OK(glk_optimizer_apply(c, optimizer, x, g, MANY));
    holds(0);
    glk_context_dispose(c);
  }
}

static void many_variables_are_sources_of_gradients_and_a_row_of_a_jacobian(void) {
  glk_handle target = 0, solver = 0;
  const char *name = "maxEvaluations";
  const double evaluations = 2;
  begin(GLK_TRACE);
  OK(glk_program_begin(c, GLK_TRACE));
  OK(glk_apply(c, op_named("square"), x, 1, NULL, 0, &target));
  for (uint32_t i = 1; i < MANY; i++) {
    glk_handle both = 0;
    if (glk_apply(c, op_named("add"), (glk_handle[]){target, x[i]}, 2, NULL, 0, &both) != GLK_OK)
      break;
    glk_dispose(c, target);
    target = both;
  }
  OK(glk_gradients(c, 0, &target, NULL, 1, x, MANY, g));
  CHECK(g[0] && g[MANY - 1]);
  OK(glk_gradients(c, 0, g, NULL, MANY, x, MANY, g)); /* as many targets as sources */
  CHECK(g[0] != 0);
  glk_program_cancel(c);
  OK(glk_solver_create(c, GLK_LBFGS, &solver));
  OK(glk_solver_set(c, solver, &name, &evaluations, 1));
  OK(glk_solver_minimize(c, solver, program, x, MANY, 1, NULL));
  glk_context_dispose(c);
}

static void the_state_of_many_variables_is_saved_and_loaded(void) {
  glk_handle optimizer = 0, other = 0;
  size_t bytes = 0;
  begin(GLK_TRACE);
  optimizer_of(0.25, &optimizer);
  optimizer_of(0.5, &other);
  OK(glk_optimizer_minimize(c, optimizer, program, x, MANY, 1, NULL));
  OK(glk_state_save(c, optimizer, 0, x, MANY, NULL, 0, NULL, 0, &bytes));
  uint8_t *saved = malloc(bytes);
  OK(glk_state_save(c, optimizer, 0, x, MANY, NULL, 0, saved, bytes, &bytes));
  OK(glk_optimizer_minimize(c, other, program, x, MANY, 1, NULL)); /* numbers them again */
  holds(0);
  OK(glk_state_load(c, optimizer, 0, x, MANY, NULL, 0, saved, bytes, 0, NULL));
  holds(0.5);
  OK(glk_optimizer_minimize(c, optimizer, program, x, MANY, 1, NULL));
  holds(0.25);
  free(saved);
  glk_context_dispose(c);
}

static void one_that_is_named_twice_among_many_is_refused(void) {
  glk_handle optimizer = 0;
  begin(GLK_TRACE);
  optimizer_of(0.25, &optimizer);
  OK(glk_program_gradient(c, program, x, MANY, NULL, g));
  x[MANY - 1] = x[7];
  CHECK_STATUS(glk_optimizer_apply(c, optimizer, x, g, MANY), GLK_ERROR_ARGUMENT);
  CHECK(strstr(glk_context_detail(c), "variable 'x' is named twice") != NULL);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, x, MANY, 1, NULL), GLK_ERROR_ARGUMENT);
  size_t bytes;
  CHECK_STATUS(glk_state_save(c, optimizer, 0, x, MANY, NULL, 0, NULL, 0, &bytes),
               GLK_ERROR_ARGUMENT);
  g[MANY - 2] = x[5];
  CHECK_STATUS(glk_optimizer_apply(c, optimizer, x, g, MANY - 1), GLK_ERROR_ARGUMENT);
  CHECK(strstr(glk_context_detail(c), "is variable 'x', which the same step trains") != NULL);
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(many_variables_train_and_are_differentiated);
  TEST(many_variables_are_sources_of_gradients_and_a_row_of_a_jacobian);
  TEST(the_state_of_many_variables_is_saved_and_loaded);
  TEST(one_that_is_named_twice_among_many_is_refused);
  return harness_report();
}
