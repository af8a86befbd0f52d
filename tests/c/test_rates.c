/* Learning-rate factors and weight decay that leaves a variable out: against optimizers that have
 * the rate themselves. That a factor of 0 is a lock is law_options.by_rates, in test_laws.c. */
#include "harness.h"

enum { N = 37, STEPS = 12 };

static glk_context *c;

static void begin(void) {
  rng_seed(1);
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
}

static void end(void) { glk_context_dispose(c); }

static glk_handle variable(const glk_real *values, const char *name) {
  const uint32_t n = N;
  glk_handle x = 0;
  CHECK_STATUS(glk_variable_create(c, 1, &n, values, N, name, 1, &x), GLK_OK);
  return x;
}

static glk_handle optimizer(glk_rule rule, double rate) {
  const char *names[] = {"learningRate", "weightDecay"};
  const double values[] = {rate, 0.125};
  glk_handle o = 0;
  CHECK_STATUS(glk_optimizer_create(c, rule, &o), GLK_OK);
  CHECK_STATUS(glk_optimizer_set(c, o, names, values, 2), GLK_OK);
  return o;
}

static void draw(glk_real *out) {
  for (int i = 0; i < N; i++) out[i] = rng_real(-2, 2);
}

static void step(glk_handle o, glk_handle x, const glk_real *gradient) {
  const uint32_t n = N;
  glk_handle g;
  CHECK_STATUS(glk_tensor_create(c, 1, &n, gradient, N, &g), GLK_OK);
  CHECK_STATUS(glk_optimizer_apply(c, o, &x, &g, 1), GLK_OK);
  glk_dispose(c, g);
}

static void toggle(glk_handle x, uint32_t index) {
  const uint32_t n = N;
  glk_handle locks;
  CHECK_STATUS(glk_locks_create(c, 1, &n, &locks), GLK_OK);
  CHECK_STATUS(glk_locks_add_indices(c, locks, &index, 1), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_XOR, locks), GLK_OK);
  glk_dispose(c, locks);
}

static void expect_same(glk_handle a, glk_handle b, const char *what) {
  glk_real x[N], y[N];
  glk_read(c, a, x, N);
  glk_read(c, b, y, N);
  CHECK_MSG(!memcmp(x, y, sizeof x), "%s: %.9g and %.9g", what, (double)x[0], (double)y[0]);
}

/* Locks come and go on the way, so that counts differ by element. */
static void one_factor_is_to_the_bit_a_rate_that_is_the_product(void) {
  const glk_real factors[] = {(glk_real)0.1, 1, (glk_real)3.7, (glk_real)1e-6, (glk_real)0.5};
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    for (int f = 0; f < 5; f++) {
      begin();
      glk_real values[N], gradient[N];
      draw(values);
      const glk_handle x = variable(values, "x"), y = variable(values, "y");
      const glk_handle scaled = optimizer((glk_rule)rule, 0.01);
      const glk_handle own = optimizer((glk_rule)rule, 0.01 * (double)factors[f]);
      CHECK_STATUS(glk_optimizer_scale_rate(c, scaled, x, &factors[f], 1), GLK_OK);
      for (uint32_t i = 0; i < STEPS; i++) {
        toggle(x, i % 5);
        toggle(y, i % 5);
        draw(gradient);
        step(scaled, x, gradient);
        step(own, y, gradient);
      }
      expect_same(x, y, "scaled whole");
      end();
    }
  }
}

/* A power of two rounds nothing, so each element goes the way it would under its own rate; others
 * round once more. */
static void a_factor_of_two_each_is_to_the_bit_its_own_rate(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    begin();
    glk_real values[N], gradient[N], mixed[N], own[N];
    glk_real factors[N];
    draw(values);
    const glk_handle x = variable(values, "x");
    const glk_handle scaled = optimizer((glk_rule)rule, 0.01);
    glk_handle y[3], o[3];
    for (int k = 0; k < 3; k++) {
      y[k] = variable(values, "y");
      o[k] = optimizer((glk_rule)rule, 0.01 * (k == 0 ? 0.25 : k == 1 ? 1 : 8));
    }
    for (int i = 0; i < N; i++) factors[i] = i % 3 == 0 ? (glk_real)0.25 : i % 3 == 1 ? 1 : 8;
    CHECK_STATUS(glk_optimizer_scale_rate(c, scaled, x, factors, N), GLK_OK);
    for (uint32_t i = 0; i < STEPS; i++) {
      toggle(x, i % 5);
      draw(gradient);
      step(scaled, x, gradient);
      for (int k = 0; k < 3; k++) {
        toggle(y[k], i % 5);
        step(o[k], y[k], gradient);
      }
    }
    glk_read(c, x, mixed, N);
    for (int k = 0; k < 3; k++) {
      glk_read(c, y[k], own, N);
      for (int i = k; i < N; i += 3) CHECK_BITS(mixed[i], own[i]);
    }
    end();
  }
}

/* The rate is rounded as a product of two rounded numbers: 3 roundings of 2^-24 against 1, on every
 * step. */
static void other_factors_change_a_step_by_roundings_of_its_rate(void) {
  begin();
  glk_real values[N], gradient[N], mixed[N], own[N];
  glk_real factors[N];
  draw(values);
  draw(gradient);
  const glk_handle x = variable(values, "x"), scaled = optimizer(GLK_ADAM, 0.01);
  for (int i = 0; i < N; i++) factors[i] = (glk_real)(0.05 * (i + 1));
  CHECK_STATUS(glk_optimizer_scale_rate(c, scaled, x, factors, N), GLK_OK);
  step(scaled, x, gradient);
  glk_read(c, x, mixed, N);
  for (int i = 0; i < N; i++) {
    const glk_handle y = variable(values, "y"), o = optimizer(GLK_ADAM, 0.01 * (double)factors[i]);
    step(o, y, gradient);
    glk_read(c, y, own, N);
    const double length = (double)(own[i] - values[i]), ulp = 1.2e-7;
    CHECK_NEAR((double)mixed[i], (double)own[i],
               4 * ulp * (length < 0 ? -length : length) + ulp * 3);
    glk_dispose(c, y);
    glk_dispose(c, o);
  }
  end();
}

static void factors_can_be_read_and_undone_and_change_between_any_two_steps(void) {
  begin();
  glk_real values[N], gradient[N], before[N], after[N];
  glk_real factors[N], read[N];
  uint32_t clock[N];
  draw(values);
  draw(gradient);
  const glk_handle x = variable(values, "x"), y = variable(values, "y");
  const glk_handle o = optimizer(GLK_ADAM, 0.01);
  CHECK_STATUS(glk_optimizer_rates(c, o, x, read, N), GLK_OK);
  for (int i = 0; i < N; i++) CHECK(read[i] == 1);
  for (int i = 0; i < N; i++) factors[i] = (glk_real)(i % 2);
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, factors, N), GLK_OK);
  CHECK_STATUS(glk_optimizer_rates(c, o, x, read, N), GLK_OK);
  CHECK(!memcmp(read, factors, sizeof read));
  step(o, x, gradient);
  const glk_real zero = 0, one = 1;
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, &zero, 1), GLK_OK);
  glk_read(c, x, before, N);
  step(o, x, gradient);
  glk_read(c, x, after, N);
  CHECK(!memcmp(before, after, sizeof before));
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, &one, 1), GLK_OK);
  step(o, x, gradient);
  glk_optimizer_clock(c, o, x, clock, N);
  for (uint32_t i = 0; i < N; i++) CHECK_EQ(clock[i], 1 + i % 2);
  CHECK_STATUS(glk_optimizer_rates(c, o, y, read, N), GLK_OK); /* another's are its own */
  for (int i = 0; i < N; i++) CHECK(read[i] == 1);
  end();
}

static void decay_leaves_out_what_is_excluded_and_nothing_else(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    begin();
    glk_real values[N], gradient[N];
    draw(values);
    const glk_handle x = variable(values, "x"), y = variable(values, "y"),
                     z = variable(values, "z");
    const glk_handle decaying = optimizer((glk_rule)rule, 0.1);
    const glk_handle plain = optimizer((glk_rule)rule, 0.1);
    const char *name = "weightDecay";
    const double none = 0;
    CHECK_STATUS(glk_optimizer_set(c, plain, &name, &none, 1), GLK_OK);
    CHECK_STATUS(glk_optimizer_exclude_decay(c, decaying, x, 1), GLK_OK);
    for (int i = 0; i < STEPS; i++) {
      draw(gradient);
      step(decaying, x, gradient);
      step(decaying, z, gradient);
      step(plain, y, gradient);
    }
    expect_same(x, y, "excluded");
    uint64_t a, b;
    glk_digest(c, x, &a);
    glk_digest(c, z, &b);
    CHECK(a != b);
    CHECK_STATUS(glk_optimizer_exclude_decay(c, decaying, x, 0), GLK_OK);
    step(decaying, x, gradient);
    step(plain, y, gradient);
    glk_digest(c, x, &a);
    glk_digest(c, y, &b);
    CHECK(a != b);
    end();
  }
}

static void bad_factors_are_refused_and_change_nothing(void) {
  begin();
  const glk_handle x = variable(NULL, "x"), o = optimizer(GLK_SGD, 1);
  const glk_real bad[] = {-1, (glk_real)-1e-30, (glk_real)__builtin_nan(""),
                          (glk_real)__builtin_inf(), (glk_real)2e30};
  glk_real factors[N], read[N];
  for (int i = 0; i < N; i++) factors[i] = (glk_real)i;
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, factors, N), GLK_OK);
  for (int k = 0; k < 5; k++) {
    glk_real list[N] = {0};
    list[N - 1] = bad[k];
    CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, list, N), GLK_ERROR_OPTION);
    CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, &bad[k], 1), GLK_ERROR_OPTION);
  }
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, factors, N - 1), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, x, NULL, N), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_optimizer_scale_rate(c, o, o, factors, N), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_scale_rate(c, x, x, factors, N), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_exclude_decay(c, o, 0, 1), GLK_ERROR_HANDLE);
  CHECK_STATUS(glk_optimizer_rates(c, o, x, read, 3), GLK_ERROR_SHAPE);
  CHECK_STATUS(glk_optimizer_rates(c, o, x, read, N), GLK_OK);
  CHECK(!memcmp(read, factors, sizeof read));
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(one_factor_is_to_the_bit_a_rate_that_is_the_product);
  TEST(a_factor_of_two_each_is_to_the_bit_its_own_rate);
  TEST(other_factors_change_a_step_by_roundings_of_its_rate);
  TEST(factors_can_be_read_and_undone_and_change_between_any_two_steps);
  TEST(decay_leaves_out_what_is_excluded_and_nothing_else);
  TEST(bad_factors_are_refused_and_change_nothing);
  return harness_report();
}
