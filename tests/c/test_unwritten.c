/* No kernel computes with memory that nobody wrote: what is left over there may be subnormal, and
 * then a product takes many times as long. A debug build fills new memory, and scratch before each
 * op, with signalling NaNs (glk_poison), so that such arithmetic raises FE_INVALID. WebAssembly has
 * no such flag: there, what comes of it must not be NaN. */
#include <fenv.h>

#include "op_lines.h"
#include "runs.h"
#include "samples/all.h"
#include "solving.h"

static void start_watching(void) {
#ifdef FE_INVALID
  feclearexcept(FE_INVALID);
#endif
}

static int raised(void) {
#ifdef FE_INVALID
  return fetestexcept(FE_INVALID) != 0;
#else
  return 0;
#endif
}

static int has_nan(glk_handle x) {
  const glk_real *values = NULL;
  size_t count = 0, nans = 0;
  OK(glk_view(c, x, &values, &count));
  for (size_t i = 0; i < count; i++) nans += values[i] != values[i];
  return nans != 0;
}

/* ------------------------------------------------------------------------------------------ ops */

static int is_finite(const line *l) {
  for (uint32_t k = 0; k < l->inputs; k++) {
    if (!l->in[k].shape.count) return 0; /* means of nothing are NaN */
    for (uint32_t i = 0; i < l->in[k].shape.count; i++) {
      if (l->in[k].values[i] - l->in[k].values[i] != 0) return 0;
    }
  }
  return 1;
}

/* An op and its gradients, on a tape and compiled, with locks. Operands that are not finite,
 * and results that are NaN, raise the flag by themselves. */
static void check_op(const char *text) {
  line l = line_parse(text, NULL);
  if (l.op == glk_op_count() || !is_finite(&l) || strstr(text, "nan")) return;
  for (glk_record_mode mode = GLK_TAPE;; mode = GLK_TRACE) {
    glk_handle in[GLK_MAX_INPUTS], variables[GLK_MAX_INPUTS], gradients[GLK_MAX_INPUTS];
    glk_handle y = 0, program = 0;
    uint32_t count = 0;
    double loss;
    begin();
    for (uint32_t k = 0; k < l.inputs; k++) {
      const int varies = !!strchr("adpqrw", l.letters[0] ? l.letters[k] : 'v');
      if (mode == GLK_TAPE) line_draw(l.letters[k], &l.in[k]);
      in[k] = make(c, &l.in[k], varies);
      if (varies) variables[count++] = in[k];
      if (!varies || mode == GLK_TAPE) continue;
      for (uint32_t i = 0; i < l.in[k].shape.count; i++) {
        if (i % 11) OK(glk_locks_add_indices(c, in[k], &i, 1));
      }
    }
    start_watching();
    OK(glk_program_begin(c, mode));
    OK(glk_apply(c, l.op, in, l.inputs, l.attributes, l.count, &y));
    const glk_handle sum = apply("sum", y, 0);
    OK(glk_program_end(c, (glk_handle[]){sum, y}, 2, &program));
    if (mode == GLK_TRACE) OK(glk_program_run(c, program));
    const int has_gradients =
        count && glk_program_gradient(c, program, variables, count, &loss, gradients) == GLK_OK;
    if (has_gradients && mode == GLK_TRACE) {
      glk_handle o = 0;
      OK(glk_optimizer_create(c, GLK_SGD, &o));
      OK(glk_optimizer_minimize(c, o, program, variables, count, 1, &loss));
    }
    CHECK_MSG(!raised(), "%s", text);
    for (uint32_t k = 0; k < count && has_gradients && mode == GLK_TAPE; k++) {
      CHECK_MSG(!has_nan(gradients[k]), "%s: gradient %u has a NaN", text, k);
    }
    end();
    if (mode == GLK_TRACE) return;
  }
}

static void no_op_computes_with_what_nobody_wrote(void) {
  FOR_SAMPLES(text, examples) check_op(text);
  FOR_SAMPLES(text, slopes) check_op(text);
}

/* Sizes around whole tiles and vectors, in every layout. */
static void products_and_images_of_any_size_compute_with_nothing_else(void) {
  char text[96];
  for (uint32_t i = 0; i < 600; i++) {
    const uint32_t m = 1 + rng_below(40), n = 1 + rng_below(20), k = 1 + rng_below(20);
    const uint32_t a = i & 1, b = i >> 1 & 1, s = 1 + rng_below(2), w = 4 + rng_below(9);
    const uint32_t channels = 1 + rng_below(9), outputs = 1 + rng_below(9), f = 1 + rng_below(3);
    const char *const pool = b ? "maxPool" : "avgPool";
    switch (i / 4 % 6) {
    case 0:
      snprintf(text, sizeof text, "conv2d aa [2,%u,%u,%u] [%u,%u,%u,%u] ; %u %u %u 1 1", w, w + a,
               channels, f, f, channels, outputs, b, s, s);
      break;
    case 1:
      snprintf(text, sizeof text, "depthwiseConv2d aa [2,%u,%u,%u] [%u,%u,%u,%u] ; %u %u %u 1 1", w,
               w + a, channels, f, f, channels, 1 + i % 3, b, s, s);
      break;
    case 2:
      snprintf(text, sizeof text, "%s a [2,%u,%u,%u] ; %u %u %u %u %u", pool, w, w + a, channels, a,
               f, f, s, s);
      break;
    case 3: snprintf(text, sizeof text, "softmax a [%u,%u] ; %u", m, n, a); break;
    default:
      snprintf(text, sizeof text, "matMul aa [%u,%u] [%u,%u] ; %u %u", a ? k : m, a ? m : k,
               b ? n : k, b ? k : n, a, b);
    }
    check_op(text);
  }
}

/* --------------------------------------------------------------------------- steps and solvers */

static void set_option(glk_handle o, const char *name, double value) {
  OK(glk_optimizer_set(c, o, &name, &value, 1));
}

static void no_rule_computes_with_what_nobody_wrote(void) {
  for (size_t at = 0; at < sizeof law_lines / sizeof *law_lines; at++) {
    const run r = read_run(law_lines[at]);
    for (uint32_t n = 1; n < 70; n += 1 + n / 8) {
      glk_real values[70], gradient[70];
      uint32_t rule = 0;
      const char *name = NULL;
      glk_handle o = 0;
      begin();
      while (!glk_rule_describe((glk_rule)rule, &name, NULL, NULL) && strcmp(name, r.rule)) rule++;
      OK(glk_optimizer_create(c, (glk_rule)rule, &o));
      for (uint32_t i = 0; i < r.count; i++)
        set_option(o, r.settings[i].name, r.settings[i].numbers[0]);
      if (n % 2) set_option(o, "useEma", 1), set_option(o, "gradientAccumulationSteps", 2);
      for (uint32_t i = 0; i < n; i++) values[i] = rng_real(0.1, 2);
      const glk_handle x = variable(n, values);
      start_watching();
      for (uint32_t step = 0; step < 8; step++) {
        uint8_t mask[70];
        for (uint32_t i = 0; i < n; i++) {
          mask[i] = rng_below(4) < step % 4;
          gradient[i] = rng_real(-1, 1);
        }
        lock_mask(x, mask, n);
        const glk_handle g = tensor(n, gradient);
        OK(glk_optimizer_apply(c, o, &x, &g, 1));
        glk_dispose(c, g);
      }
      CHECK_MSG(!raised() && !has_nan(x), "%s, %u elements", law_lines[at], n);
      end();
    }
  }
}

static void no_solver_computes_with_what_nobody_wrote(void) {
  for (uint32_t n = 2; n < 40; n++) {
    for (int is_lm = 0; is_lm < 2; is_lm++) {
      glk_real values[40];
      uint8_t mask[40];
      begin();
      for (uint32_t i = 0; i < n; i++) values[i] = rng_real(0.5, 1.5);
      for (uint32_t i = 0; i < n; i++) mask[i] = rng_below(4) == 0;
      const glk_handle x = variable(n, values);
      lock_mask(x, mask, n);
      start_watching();
      solve(solver(is_lm ? GLK_LEVENBERG_MARQUARDT : GLK_LBFGS),
            trace(is_lm ? rosenbrock_residuals : rosenbrock, x, n), x, 12);
      CHECK_MSG(!raised() && !has_nan(x), "%s, %u elements", is_lm ? "LM" : "L-BFGS", n);
      end();
    }
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(no_op_computes_with_what_nobody_wrote);
  TEST(products_and_images_of_any_size_compute_with_nothing_else);
  TEST(no_rule_computes_with_what_nobody_wrote);
  TEST(no_solver_computes_with_what_nobody_wrote);
  return harness_report();
}
