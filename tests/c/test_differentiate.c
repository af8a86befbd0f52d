/* Gradients of recorded values by recorded values: during a recording, where they may be
 * differentiated again, and on tapes that have ended. Also custom gradients. Expected values are
 * derived beside each. */
#include "vectors.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { N = 3 };

static const uint32_t three = N;
static const glk_real points[N] = {1, -2, 3};

static glk_handle at_points(void) { return variable(N, points); }

static void holds(glk_handle handle, const glk_real *expected, const char *what) {
  glk_real got[N] = {0};
  uint32_t rank = 9, dims[GLK_MAX_RANK];
  OK(glk_shape_of(c, handle, &rank, dims));
  const size_t count = rank ? N : 1;
  CHECK_MSG(rank <= 1, "%s", what);
  OK(glk_read(c, handle, got, count));
  for (size_t i = 0; i < count; i++) {
    CHECK_MSG(got[i] == expected[i], "%s: %g at %zu, expected %g", what, (double)got[i], i,
              (double)expected[i]);
  }
}

/* The value of a recorded tensor: in a tape at once, in a trace as an output. */
static glk_handle finish(glk_record_mode mode, glk_handle loss, const glk_handle *recorded,
                         uint32_t count, glk_handle *out) {
  glk_handle program = 0, outputs[4] = {loss};
  memcpy(outputs + 1, recorded, count * sizeof *recorded);
  OK(glk_program_end(c, outputs, count + 1, &program));
  if (mode == GLK_TRACE) OK(glk_program_run(c, program));
  for (uint32_t i = 0; i < count; i++) OK(glk_program_output(c, program, i + 1, &out[i]));
  return program;
}

/* y = sum x^3: dy/dx = 3x^2, and d(sum of dy/dx)/dx = 6x; again, 6. */
static void derivatives_of_derivatives_are_recorded_like_any_value(void) {
  for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
    begin();
    const glk_handle x = at_points();
    glk_handle d[3] = {0}, got[3] = {0};
    OK(glk_program_begin(c, (glk_record_mode)mode));
    const glk_handle y = apply("sum", apply("mul", apply("square", x, 0), x), 0);
    OK(glk_gradients(c, 0, &y, NULL, 1, &x, 1, &d[0]));
    OK(glk_gradients(c, 0, &d[0], NULL, 1, &x, 1, &d[1]));
    OK(glk_gradients(c, 0, &d[1], NULL, 1, &x, 1, &d[2]));
    const glk_handle program = finish((glk_record_mode)mode, y, d, 3, got);
    holds(got[0], (glk_real[]){3, 12, 27}, "the first derivative");
    holds(got[1], (glk_real[]){6, -12, 18}, "the second");
    holds(got[2], (glk_real[]){6, 6, 6}, "the third");
    glk_handle g = 0;
    double loss = 0;
    OK(glk_program_gradient(c, program, &x, 1, &loss, &g)); /* and its own gradient is as ever */
    holds(g, (glk_real[]){3, 12, 27}, "the program's gradient");
    CHECK_NEAR(loss, 20, 0);
    end();
  }
}

/* u = x^2, v = 2x: with seeds s and t, dx = 2xs + 2t; du = s where u is asked for too. */
static void several_targets_have_seeds_and_sources_may_be_anything_recorded(void) {
  for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
    begin();
    const glk_handle x = at_points(), other = at_points();
    const glk_handle s = tensor(N, (glk_real[]){1, 10, 100}), k = tensor(N, points);
    OK(glk_program_begin(c, (glk_record_mode)mode));
    const glk_handle u = apply("square", x, 0), v = apply("add", x, x), w = apply("mul", u, k);
    const glk_handle targets[] = {w, v}, seeds[] = {s, 0}, sources[] = {x, u, k, other};
    glk_handle d[4] = {9, 9, 9, 9}, got[3] = {0};
    OK(glk_gradients(c, 0, targets, seeds, 2, sources, 4, d));
    CHECK_EQ(d[3], 0); /* nothing depends on it */
    finish((glk_record_mode)mode, apply("sum", w, 0), d, 3, got);
    holds(got[0], (glk_real[]){2 * 1 + 2, 2 * 40 + 2, 2 * 900 + 2}, "by the variable");
    holds(got[1], (glk_real[]){1, -20, 300}, "by what is between");
    holds(got[2], (glk_real[]){1, 40, 900}, "by the constant");
    end();
  }
}

static void a_tape_that_has_ended_gives_values_until_a_variable_is_written(void) {
  glk_handle program = 0, g = 0;
  glk_memory before, after;
  begin();
  const glk_handle x = at_points();
  OK(glk_program_begin(c, GLK_TAPE));
  const glk_handle u = apply("square", x, 0), y = apply("sum", u, 0);
  OK(glk_program_end(c, &y, 1, &program));
  OK(glk_context_memory(c, &before));
  for (int again = 0; again < 2; again++) {
    OK(glk_gradients(c, program, &y, NULL, 1, &x, 1, &g));
    holds(g, (glk_real[]){2, -4, 6}, "the gradient");
    OK(glk_dispose(c, g));
  }
  OK(glk_context_memory(c, &after));
  CHECK_EQ(after.objects, before.objects); /* what a gradient took is given back */
  OK(glk_gradients(c, program, &u, NULL, 1, &u, 1, &g));
  holds(g, (glk_real[]){1, 1, 1}, "a target by itself");
  glk_handle none = 7;
  const glk_handle elsewhere = tensor(N, points);
  CHECK_STATUS(glk_gradients(c, program, &elsewhere, NULL, 1, &x, 1, &none), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_gradients(c, program, &y, &elsewhere, 1, &x, 1, &none), GLK_ERROR_SHAPE);
  CHECK_MSG(strstr(glk_context_detail(c), "[3]") && strstr(glk_context_detail(c), "[]"), "%s",
            glk_context_detail(c));
  OK(glk_gradients(c, program, &y, NULL, 1, &elsewhere, 1, &none));
  CHECK_EQ(none, 0);
  OK(glk_variable_fix(c, x, 0, 5));
  none = 7;
  CHECK_STATUS(glk_gradients(c, program, &y, NULL, 1, &x, 1, &none), GLK_ERROR_RECORDING);
  CHECK_MSG(strstr(glk_context_detail(c), "variable 'x' [3] was written"), "%s",
            glk_context_detail(c));
  CHECK_EQ(none, 7);
  end();
}

static uint32_t nodes_run(glk_handle program, glk_handle x) {
  glk_program_info info = {0};
  glk_handle g = 0;
  OK(glk_program_gradient(c, program, &x, 1, NULL, &g));
  OK(glk_program_describe(c, program, &info));
  return info.active_nodes;
}

/* A step function's derivative is zeros, and neither what leads to it nor what they would be
 * multiplied with is computed. */
static void what_only_steps_lead_to_has_gradients_of_zero_for_nothing(void) {
  static const char *const steps[] = {"sign", "floor", "ceil", "round"};
  for (int i = 0; i < 4; i++) {
    for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
      glk_handle program = 0, g = 0, d[3] = {9, 9, 9}, got[2] = {0};
      begin();
      const glk_handle x = at_points(), other = at_points();
      OK(glk_program_begin(c, (glk_record_mode)mode));
      glk_handle y = x;
      for (int k = 0; k < 9; k++) y = apply("sin", apply("exp", y, 0), 0);
      y = apply(steps[i], y, 0);
      for (int k = 0; k < 9; k++) y = apply("tanh", y, 0);
      const glk_handle loss = apply("sum", y, 0), sources[] = {x, y, other};
      OK(glk_gradients(c, 0, &loss, NULL, 1, sources, 3, d));
      CHECK_EQ(d[2], 0); /* nothing leads to it, by steps or otherwise */
      program = finish((glk_record_mode)mode, loss, d, 2, got);
      holds(got[0], (glk_real[]){0, 0, 0}, "by what is before the step");
      holds(got[1], (glk_real[]){1, 1, 1}, "by what is behind it");
      if (mode == GLK_TRACE) {
        OK(glk_program_run(c, program));
        const uint32_t before = nodes_run(program, x), forward = 18 + 1 + 9 + 1;
        CHECK_MSG(before <= forward + 3, "%u nodes are computed for zeros", before - forward);
      }
      OK(glk_program_gradient(c, program, &x, 1, NULL, &g));
      holds(g, (glk_real[]){0, 0, 0}, "the program's gradient");
      end();
    }
  }
}

/* x + floor(x) by x is 1, and where elements are looked up by floor(x) there is no gradient, as
 * ever. */
static void steps_add_nothing_beside_others_and_indices_have_no_gradient(void) {
  for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
    glk_handle d[2] = {9, 9}, got[1] = {0};
    begin();
    const glk_handle x = at_points(), at = tensor(N, (glk_real[]){0.5, 1.5, 2.5});
    OK(glk_program_begin(c, (glk_record_mode)mode));
    const glk_handle y = apply("add", x, apply("floor", x, 0));
    const glk_handle looked_up = apply("gather", y, apply("floor", at, 0));
    const glk_handle loss = apply("sum", looked_up, 0), sources[] = {x, at};
    OK(glk_gradients(c, 0, &loss, NULL, 1, sources, 2, d));
    CHECK_EQ(d[1], 0);
    finish((glk_record_mode)mode, loss, d, 1, got);
    holds(got[0], (glk_real[]){1, 1, 1}, "by x");
    end();
  }
}

static void gradients_outside_of_recordings_are_refused(void) {
  glk_handle program = 0, g = 7;
  begin();
  const glk_handle x = at_points();
  CHECK_STATUS(glk_gradients(c, 0, &x, NULL, 1, &x, 1, &g), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_placeholder(c, 0, NULL, &g), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_custom_gradient(c, x, x, x, x, &g), GLK_ERROR_RECORDING);
  OK(glk_program_begin(c, GLK_TRACE));
  const glk_handle y = apply("sum", x, 0);
  OK(glk_program_end(c, &y, 1, &program));
  CHECK_STATUS(glk_gradients(c, program, &y, NULL, 1, &x, 1, &g), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_gradients(c, x, &y, NULL, 1, &x, 1, &g), GLK_ERROR_KIND);
  CHECK_STATUS(glk_gradients(c, 0, NULL, NULL, 1, &x, 1, &g), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_gradients(c, 0, &y, NULL, 1, &x, 1, NULL), GLK_ERROR_ARGUMENT);
  CHECK_EQ(g, 7);
  end();
}

/* The value is x^2, the gradient given is 10 x dy, so of sum(s f(x)) it is 10 x s; by x again, 10
 * s. */
static void a_custom_gradient_replaces_the_true_one_and_is_differentiated_itself(void) {
  for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
    begin();
    const glk_handle x = at_points(), s = tensor(N, (glk_real[]){1, 2, 3});
    const glk_handle ten = tensor(N, (glk_real[]){10, 10, 10});
    glk_handle dy = 0, f = 0, d[2] = {0}, got[2] = {0}, g = 0;
    OK(glk_program_begin(c, (glk_record_mode)mode));
    const glk_handle value = apply("stopGradient", apply("square", x, 0), 0);
    OK(glk_placeholder(c, 1, &three, &dy));
    glk_real none[N];
    CHECK_STATUS(glk_read(c, dy, none, N), GLK_ERROR_RECORDING);
    const glk_handle dx = apply("mul", dy, apply("mul", ten, x));
    OK(glk_custom_gradient(c, value, x, dy, dx, &f));
    const glk_handle y = apply("sum", apply("mul", s, f), 0);
    OK(glk_gradients(c, 0, &y, NULL, 1, &x, 1, &d[0]));
    OK(glk_gradients(c, 0, &d[0], NULL, 1, &x, 1, &d[1]));
    const glk_handle program = finish((glk_record_mode)mode, y, d, 2, got);
    holds(got[0], (glk_real[]){10, -40, 90}, "the custom gradient");
    holds(got[1], (glk_real[]){10, 20, 30}, "its own");
    OK(glk_program_gradient(c, program, &x, 1, NULL, &g));
    holds(g, (glk_real[]){10, -40, 90}, "the program's");
    end();
  }
}

static void custom_gradients_of_other_shapes_and_escaping_placeholders_are_refused(void) {
  for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
    begin();
    const glk_handle x = at_points();
    glk_handle dy = 0, f = 7, program = 0;
    OK(glk_program_begin(c, (glk_record_mode)mode));
    const glk_handle value = apply("square", x, 0), total = apply("sum", x, 0);
    OK(glk_placeholder(c, 1, &three, &dy));
    CHECK_STATUS(glk_custom_gradient(c, value, x, dy, total, &f), GLK_ERROR_SHAPE);
    CHECK_STATUS(glk_custom_gradient(c, total, x, dy, dy, &f), GLK_ERROR_SHAPE);
    CHECK_STATUS(glk_custom_gradient(c, value, x, x, dy, &f), GLK_ERROR_ARGUMENT);
    CHECK_EQ(f, 7);
    const glk_handle leaked = apply("mul", dy, x);
    glk_status status = glk_program_end(c, &leaked, 1, &program);
    if (mode == GLK_TRACE && status == GLK_OK) status = glk_program_run(c, program);
    CHECK_STATUS(status, GLK_ERROR_RECORDING);
    CHECK_MSG(strstr(glk_context_detail(c), "custom gradient"), "%s", glk_context_detail(c));
    glk_program_cancel(c);
    end();
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(derivatives_of_derivatives_are_recorded_like_any_value);
  TEST(several_targets_have_seeds_and_sources_may_be_anything_recorded);
  TEST(a_tape_that_has_ended_gives_values_until_a_variable_is_written);
  TEST(what_only_steps_lead_to_has_gradients_of_zero_for_nothing);
  TEST(steps_add_nothing_beside_others_and_indices_have_no_gradient);
  TEST(gradients_outside_of_recordings_are_refused);
  TEST(a_custom_gradient_replaces_the_true_one_and_is_differentiated_itself);
  TEST(custom_gradients_of_other_shapes_and_escaping_placeholders_are_refused);
  return harness_report();
}
