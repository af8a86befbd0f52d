/* Programs: recording, replaying, gradients, memory, and what they refuse. */
#include "core/tensor.h"
#include "vectors.h"

static glk_handle finish(glk_handle output) {
  glk_handle program = 0;
  CHECK_STATUS(glk_program_end(c, &output, 1, &program), GLK_OK);
  return program;
}

static glk_real read_scalar(glk_handle tensor) {
  glk_real value = 0;
  CHECK_STATUS(glk_read(c, tensor, &value, 1), GLK_OK);
  return value;
}

static void a_program_reads_variables_as_they_are_at_each_run(void) {
  begin();
  const glk_real first[3] = {1, 2, 3}, second[3] = {-1, 5, 0};
  const glk_handle x = variable(3, first);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle program = finish(apply("sum", apply("square", x, 0), 0));
  glk_handle out;
  CHECK_STATUS(glk_program_output(c, program, 0, &out), GLK_OK);
  CHECK_BITS(read_scalar(out), 14);
  CHECK_STATUS(glk_variable_assign(c, x, second, 3, 0), GLK_OK);
  CHECK_STATUS(glk_program_output(c, program, 0, &out), GLK_OK);
  CHECK_BITS(read_scalar(out), 14); /* as last computed */
  CHECK_STATUS(glk_program_run(c, program), GLK_OK);
  CHECK_STATUS(glk_program_output(c, program, 0, &out), GLK_OK);
  CHECK_BITS(read_scalar(out), 26);
  end();
}

static void outputs_are_read_without_memory_and_nans_are_canonical(void) {
  begin();
  const glk_real values[2] = {-1, 4};
  const glk_handle x = variable(2, values);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle program = finish(apply("sqrt", x, 0));
  glk_memory before, after;
  glk_real out[2];
  CHECK_STATUS(glk_program_read(c, program, 0, out, 2), GLK_OK); /* computed, since it never was */
  glk_context_memory(c, &before);
  CHECK_STATUS(glk_program_read(c, program, 0, out, 2), GLK_OK);
  glk_context_memory(c, &after);
  CHECK(before.bytes == after.bytes && before.objects == after.objects);
  glk_handle copy;
  glk_real copied[2];
  CHECK_STATUS(glk_program_output(c, program, 0, &copy), GLK_OK);
  CHECK_STATUS(glk_read(c, copy, copied, 2), GLK_OK); /* whose NaNs are canonical */
  CHECK_BITS(out[0], copied[0]);
  CHECK_BITS(out[1], 2);
  end();
}

/* A constant outlives its handle inside a program; a variable that is gone is an error when the
 * program runs. */
static void a_program_keeps_constants_alive_and_misses_disposed_variables(void) {
  begin();
  const glk_real values[2] = {3, 4};
  const glk_handle x = variable(2, values), two = scalar(2);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle program = finish(apply("sum", apply("mul", x, two), 0));
  CHECK_STATUS(glk_dispose(c, two), GLK_OK);
  glk_handle out;
  CHECK_STATUS(glk_program_output(c, program, 0, &out), GLK_OK);
  CHECK_BITS(read_scalar(out), 14);
  CHECK_STATUS(glk_dispose(c, x), GLK_OK);
  CHECK_STATUS(glk_program_run(c, program), GLK_ERROR_HANDLE);
  CHECK(strstr(glk_context_detail(c), "'x' [2]") != NULL);
  end();
}

static void gradients_of_more_variables_may_be_asked_for_later(void) {
  begin();
  const glk_real values[4] = {1, 2, 3, 4};
  const glk_handle x = variable(4, values), y = variable(4, values);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle program = finish(apply("sum", apply("mul", x, apply("square", y, 0)), 0));
  glk_handle g[2];
  glk_real first[4], out[4];
  CHECK_STATUS(glk_program_gradient(c, program, &x, 1, NULL, g), GLK_OK);
  glk_read(c, g[0], first, 4);
  CHECK_STATUS(glk_program_gradient(c, program, (glk_handle[]){y, x}, 2, NULL, g), GLK_OK);
  glk_read(c, g[1], out, 4);
  for (int i = 0; i < 4; i++) CHECK_BITS(out[i], first[i]);
  glk_read(c, g[0], out, 4);
  for (int i = 0; i < 4; i++) CHECK_BITS(out[i], 2 * values[i] * values[i]);
  end();
}

/* A step on a chain keeps what each link computed until its gradient is, and a gradient or two. */
static void a_step_on_a_chain_takes_little_more_memory_than_its_values(void) {
  static const char *const links[] = {"tanh", "square", "sin"};
  enum { LINKS = 12 };
  for (uint32_t n = 64; n <= 4096; n *= 8) {
    for (int k = 0; k < 3; k++) {
      begin();
      const glk_handle x = variable(n, NULL);
      glk_program_info info;
      glk_handle gradient;
      CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
      glk_handle link = x;
      for (int i = 0; i < LINKS; i++) link = apply(links[k], link, 0);
      const glk_handle program = finish(apply("mean", link, 0));
      CHECK_STATUS(glk_program_gradient(c, program, &x, 1, NULL, &gradient), GLK_OK);
      glk_program_describe(c, program, &info);
      const double least = LINKS * (double)n * sizeof(glk_real);
      /* Of scalars, each padded, and of pieces, which each thread has for itself. */
      const double room = 3 * 32 * harness_threads() * sizeof(glk_real);
      CHECK_MSG(info.memory_bytes <= 1.2 * least + room, "%s of %u elements: %.2f of the least",
                links[k], n, info.memory_bytes / least);
      CHECK(info.memory_bytes >= least);
      end();
    }
  }
}

/* Transposes do not write over what they read: forwards and backwards, a value and the next exist
 * at a time. */
static void what_is_read_for_the_last_time_makes_room_for_the_next(void) {
  enum { LINKS = 11 };
  const uint32_t dims[2] = {32, 40}, n = 32 * 40;
  for (int has_gradient = 0; has_gradient < 2; has_gradient++) {
    begin();
    glk_handle x;
    CHECK_STATUS(glk_variable_create(c, 2, dims, NULL, n, "x", 1, &x), GLK_OK);
    glk_program_info info;
    glk_handle gradient;
    CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
    glk_handle link = x;
    for (int i = 0; i < LINKS; i++) link = apply("transpose", link, 0);
    const glk_handle program = finish(apply("mean", link, 0));
    CHECK_STATUS(glk_program_run(c, program), GLK_OK);
    if (has_gradient) {
      CHECK_STATUS(glk_program_gradient(c, program, &x, 1, NULL, &gradient), GLK_OK);
    }
    glk_program_describe(c, program, &info);
    const double least = 2 * n * sizeof(glk_real);
    CHECK_MSG(info.memory_bytes >= least && info.memory_bytes <= 1.2 * least, "%.2f of the least",
              info.memory_bytes / least);
    end();
  }
}

/* A chain of n elementwise ops needs its last value and pieces of two others, not n values. */
static void a_long_chain_is_planned_into_little_memory(void) {
  begin();
  enum { N = 1024, LINKS = 50 };
  const glk_handle x = variable(N, NULL);
  glk_program_info info;
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  glk_handle link = x;
  for (int i = 0; i < LINKS; i++) link = apply(i % 2 ? "neg" : "relu", link, 0);
  const glk_handle program = finish(apply("mean", link, 0));
  CHECK_STATUS(glk_program_run(c, program), GLK_OK);
  glk_program_describe(c, program, &info);
  /* A piece is 32 in builds for tests, and each thread has pieces of its own. */
  CHECK_MSG(info.memory_bytes <= (N + 4 * 32 * harness_threads()) * sizeof(glk_real), "%u",
            (unsigned)(info.memory_bytes / sizeof(glk_real)));
  CHECK_EQ(info.active_nodes, LINKS + 1);
  end();
}

/* Differentiating writes many nodes before it finds that y is out of reach; the list has moved by
 * then. */
static void a_failed_differentiation_leaves_a_program_that_runs(void) {
  begin();
  enum { LINKS = 60 };
  const glk_real values[5] = {1, -2, 3, -4, 5};
  const glk_handle x = variable(5, values), y = variable(5, values);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  glk_handle link = apply("mul", x, apply("stopGradient", y, 0)), before, after, g[2];
  for (int i = 0; i < LINKS; i++) link = apply("tanh", link, 0);
  const glk_handle program = finish(apply("sum", link, 0));
  CHECK_STATUS(glk_program_run(c, program), GLK_OK);
  CHECK_STATUS(glk_program_output(c, program, 0, &before), GLK_OK);
  CHECK_STATUS(glk_program_gradient(c, program, (glk_handle[]){x, y}, 2, NULL, g),
               GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_program_run(c, program), GLK_OK);
  CHECK_STATUS(glk_program_output(c, program, 0, &after), GLK_OK);
  CHECK_BITS(read_scalar(after), read_scalar(before));
  end();
}

static void what_can_be_trained_is_what_the_loss_depends_on(void) {
  for (int mode = 0; mode < 2; mode++) {
    begin();
    const uint32_t n = 2;
    const glk_real values[2] = {1, 2};
    const glk_handle x = variable(2, values), y = variable(2, values);
    glk_handle fixed, found[3] = {0};
    uint32_t count = 7;
    CHECK_STATUS(glk_variable_create(c, 1, &n, values, 2, "fixed", 0, &fixed), GLK_OK);
    CHECK_STATUS(glk_program_begin(c, mode ? GLK_TAPE : GLK_TRACE), GLK_OK);
    const glk_handle gated = apply("mul", apply("mul", x, fixed), apply("stopGradient", y, 0));
    const glk_handle vector = finish(gated);
    CHECK_STATUS(glk_program_trainable(c, vector, found, 3, &count), GLK_ERROR_GRADIENT);
    CHECK_STATUS(glk_program_begin(c, mode ? GLK_TAPE : GLK_TRACE), GLK_OK);
    const glk_handle program =
        finish(apply("sum", apply("mul", x, apply("stopGradient", y, 0)), 0));
    CHECK_STATUS(glk_program_trainable(c, program, found, 3, &count), GLK_OK);
    CHECK(count == 1 && found[0] == x);
    CHECK_STATUS(glk_program_trainable(c, program, NULL, 0, &count), GLK_OK);
    CHECK_EQ(count, 1);
    CHECK_STATUS(glk_program_variables(c, program, NULL, 0, &count), GLK_OK);
    CHECK_EQ(count, 2);
    CHECK_STATUS(glk_locks_add_all(c, x), GLK_OK); /* still what would be trained */
    CHECK_STATUS(glk_program_trainable(c, program, found, 3, &count), GLK_OK);
    CHECK(count == 1 && found[0] == x);
    end();
  }
}

static void what_a_program_cannot_do_is_refused(void) {
  begin();
  const uint32_t n = 3;
  const glk_real values[3] = {1, 2, 3};
  const glk_handle x = variable(3, values), unused = variable(3, values);
  const glk_handle constant = scalar(1);
  glk_handle program, out, recorded;
  double loss;
  glk_real value;
  CHECK_STATUS(glk_program_end(c, &x, 1, &program), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_program_begin(c, (glk_record_mode)7), GLK_ERROR_ARGUMENT);

  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_ERROR_RECORDING);
  recorded = apply("square", x, 0);
  CHECK_STATUS(glk_read(c, recorded, &value, 1), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_variable_assign(c, x, values, 3, 1), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_variable_fix(c, x, 0, 5), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_locks_add_all(c, x), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_variable_create(c, 1, &n, values, 3, "z", 1, &out), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_program_end(c, &recorded, 0, &program), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_program_end(c, (glk_handle[]){recorded, 0}, 2, &program), GLK_ERROR_HANDLE);
  program = finish(recorded); /* the recording went on */

  CHECK_STATUS(glk_program_gradient(c, program, &x, 1, &loss, &out), GLK_ERROR_GRADIENT);
  CHECK(strstr(glk_context_detail(c), "[3]") != NULL);
  CHECK_STATUS(glk_read(c, recorded, &value, 1), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_program_output(c, program, 1, &out), GLK_ERROR_INDEX);
  CHECK_STATUS(glk_program_read(c, program, 1, &value, 1), GLK_ERROR_INDEX);
  CHECK_STATUS(glk_program_read(c, program, 0, &value, 1), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_program_read(c, program, 0, NULL, 3), GLK_ERROR_ARGUMENT);
  uint32_t op;
  glk_op_find(c, "square", &op);
  CHECK_STATUS(glk_apply(c, op, &recorded, 1, NULL, 0, &out), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  CHECK_STATUS(glk_program_end(c, &recorded, 1, &out), GLK_ERROR_RECORDING);
  CHECK(strstr(glk_context_detail(c), "an output was recorded in a program") != NULL);
  glk_program_cancel(c);

  const glk_handle vector = program;
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  program = finish(apply("sum", apply("stopGradient", x, 0), 0));
  CHECK_STATUS(glk_program_gradient(c, program, &x, 1, &loss, &out), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_program_gradient(c, program, &unused, 1, &loss, &out), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_program_gradient(c, program, &constant, 1, &loss, &out), GLK_ERROR_KIND);
  glk_handle optimizer;
  CHECK_STATUS(glk_optimizer_create(c, GLK_SGD, &optimizer), GLK_OK);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, vector, &x, 1, 1, &loss), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, vector, NULL, 0, 1, &loss), GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, &unused, 1, 1, &loss),
               GLK_ERROR_GRADIENT);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, x, &unused, 1, 1, &loss), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_apply(c, optimizer, (glk_handle[]){x, x}, (glk_handle[]){x, x}, 2),
               GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_optimizer_apply(c, optimizer, &x, &constant, 1), GLK_ERROR_SHAPE);
  CHECK_STATUS(
      glk_optimizer_apply(c, optimizer, (glk_handle[]){x, unused}, (glk_handle[]){unused, x}, 2),
      GLK_ERROR_ARGUMENT);

  CHECK_STATUS(glk_program_begin(c, GLK_TAPE), GLK_OK);
  recorded = apply("sum", x, 0);
  CHECK_BITS(read_scalar(recorded), 6); /* a tape has its values at once */
  program = finish(recorded);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, &x, 1, 2, &loss), GLK_ERROR_RECORDING);
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, &x, 1, 1, &loss), GLK_OK);
  CHECK_STATUS(glk_read(c, recorded, &value, 1), GLK_OK);
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(a_program_reads_variables_as_they_are_at_each_run);
  TEST(outputs_are_read_without_memory_and_nans_are_canonical);
  TEST(a_program_keeps_constants_alive_and_misses_disposed_variables);
  TEST(gradients_of_more_variables_may_be_asked_for_later);
  TEST(a_step_on_a_chain_takes_little_more_memory_than_its_values);
  TEST(what_is_read_for_the_last_time_makes_room_for_the_next);
  TEST(a_long_chain_is_planned_into_little_memory);
  TEST(a_failed_differentiation_leaves_a_program_that_runs);
  TEST(what_can_be_trained_is_what_the_loss_depends_on);
  TEST(what_a_program_cannot_do_is_refused);
  return harness_report();
}
