/* Moving averages of values (glk_assign_moving_average), as running statistics are: at once and in
 * a program, compared with the definition, and what they refuse. */
#include <math.h>

#include "vectors.h"

enum { N = 70 };

static void draw(glk_real *out) {
  for (int i = 0; i < N; i++) out[i] = rng_real(-2, 2);
}

static int is_locked(int i) { return i % 3 == 0; }

static void lock(glk_handle v) {
  uint8_t mask[N];
  for (int i = 0; i < N; i++) mask[i] = (uint8_t)is_locked(i);
  lock_mask(v, mask, N);
}

/* By definition, as the update is written: in the precision of the library, from decay and 1 -
 * decay rounded to it. */
static void check_moved(glk_handle v, const glk_real *before, const glk_real *value, double decay) {
  glk_real after[N];
  CHECK_STATUS(glk_read(c, v, after, N), GLK_OK);
  for (int i = 0; i < N; i++) {
    const glk_real kept = (glk_real)decay, gain = (glk_real)(1 - (double)kept);
    const glk_real moved = before[i] * kept + value[i] * gain;
    if (is_locked(i))
      CHECK_BITS(after[i], before[i]);
    else
      CHECK_NEAR(after[i], moved, 1e-6);
  }
}

static void a_variable_follows_a_value_but_for_its_locked_elements(void) {
  glk_real before[N], value[N];
  for (int k = 0; k < 4; k++) {
    const double decay = (const double[]){0, 0.25, 0.99, 1}[k];
    begin();
    draw(before);
    draw(value);
    const glk_handle v = variable(N, before);
    lock(v);
    CHECK_STATUS(glk_assign_moving_average(c, v, tensor(N, value), decay), GLK_OK);
    check_moved(v, before, value, decay);
    end();
  }
}

static void a_program_moves_it_after_each_run(void) {
  glk_real before[N], input[N], value[N];
  begin();
  draw(before);
  draw(input);
  const glk_handle v = variable(N, before), x = variable(N, input);
  lock(v);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle square = apply("square", x, 0);
  CHECK_STATUS(glk_assign_moving_average(c, v, square, 0.5), GLK_OK);
  CHECK_STATUS(glk_assign_moving_average(c, v, x, 0.75), GLK_OK); /* a value that is a variable */
  const glk_handle loss = apply("sum", square, 0);
  glk_handle program;
  CHECK_STATUS(glk_program_end(c, &loss, 1, &program), GLK_OK);
  glk_real now[N];
  CHECK_STATUS(glk_read(c, v, now, N), GLK_OK);
  for (int i = 0; i < N; i++) CHECK_BITS(now[i], before[i]); /* recording moves nothing */
  for (int run = 0; run < 3; run++) {
    CHECK_STATUS(glk_program_run(c, program), GLK_OK);
    for (int i = 0; i < N; i++) {
      value[i] = input[i] * input[i];
      if (!is_locked(i)) now[i] = now[i] * (glk_real)0.5 + value[i] * (glk_real)0.5;
    }
    check_moved(v, now, input, 0.75);
    CHECK_STATUS(glk_read(c, v, now, N), GLK_OK);
  }
  end();
}

static void an_optimizer_moves_it_once_a_step(void) {
  glk_real before[N], input[N], after[N];
  const char *rate = "learningRate";
  const double still = 0;
  begin();
  draw(before);
  draw(input);
  const glk_handle v = variable(N, before), x = variable(N, input);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle square = apply("square", x, 0);
  CHECK_STATUS(glk_assign_moving_average(c, v, x, 0.5), GLK_OK);
  const glk_handle loss = apply("sum", square, 0);
  glk_handle program, sgd;
  CHECK_STATUS(glk_program_end(c, &loss, 1, &program), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(c, GLK_SGD, &sgd), GLK_OK);
  CHECK_STATUS(glk_optimizer_set(c, sgd, &rate, &still, 1), GLK_OK);
  CHECK_STATUS(glk_optimizer_minimize(c, sgd, program, &x, 1, 2, NULL), GLK_OK);
  CHECK_STATUS(glk_read(c, v, after, N), GLK_OK);
  for (int i = 0; i < N; i++) CHECK_NEAR(after[i], before[i] / 4 + input[i] * 3 / 4, 1e-6);
  end();
}

/* docs/laws.md, law 25 */
static void an_average_fades_to_0_and_is_never_subnormal(void) {
  const glk_real least = sizeof(glk_real) == 8 ? (glk_real)0x1p-1022 : (glk_real)0x1p-126;
  glk_real before[N], zeros[N] = {0}, now[N];
  begin();
  draw(before);
  const glk_handle v = variable(N, before), x = tensor(N, zeros);
  lock(v);
  for (int step = 0; step < (sizeof least == 8 ? 1100 : 160); step++) {
    CHECK_STATUS(glk_assign_moving_average(c, v, x, 0.5), GLK_OK);
    CHECK_STATUS(glk_read(c, v, now, N), GLK_OK);
    for (int i = 0; i < N; i++) {
      if (!is_locked(i)) CHECK_MSG(now[i] == 0 || now[i] >= least || now[i] <= -least, "%d", i);
    }
  }
  for (int i = 0; i < N; i++) CHECK_BITS(now[i], is_locked(i) ? before[i] : 0);
  end();
}

static void what_cannot_be_followed_is_refused_and_nothing_moves(void) {
  glk_real before[N] = {0}, after[N];
  const uint32_t two = 2, n = N;
  begin();
  draw(before);
  const glk_handle v = variable(N, before), x = tensor(N, before);
  glk_handle other, placeholder;
  CHECK_STATUS(glk_tensor_create(c, 1, &two, before, 2, &other), GLK_OK);
  CHECK_STATUS(glk_assign_moving_average(NULL, v, x, 0.5), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_assign_moving_average(c, x, x, 0.5), GLK_ERROR_KIND);
  CHECK_STATUS(glk_assign_moving_average(c, v, 0, 0.5), GLK_ERROR_HANDLE);
  CHECK_STATUS(glk_assign_moving_average(c, v, other, 0.5), GLK_ERROR_SHAPE);
  for (int k = 0; k < 3; k++) {
    const double decay = (const double[]){-0.1, 1.1, NAN}[k];
    CHECK_STATUS(glk_assign_moving_average(c, v, x, decay), GLK_ERROR_OPTION);
  }
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  CHECK_STATUS(glk_placeholder(c, 1, &n, &placeholder), GLK_OK);
  CHECK_STATUS(glk_assign_moving_average(c, v, x, NAN), GLK_ERROR_OPTION);
  glk_program_cancel(c);
  CHECK_STATUS(glk_read(c, v, after, N), GLK_OK);
  for (int i = 0; i < N; i++) CHECK_BITS(after[i], before[i]);
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(a_variable_follows_a_value_but_for_its_locked_elements);
  TEST(a_program_moves_it_after_each_run);
  TEST(an_optimizer_moves_it_once_a_step);
  TEST(an_average_fades_to_0_and_is_never_subnormal);
  TEST(what_cannot_be_followed_is_refused_and_nothing_moves);
  return harness_report();
}
