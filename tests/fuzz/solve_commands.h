/* What fuzz_solve.c does between steps. Each command reads its arguments and makes one call that
 * changes something, so that it can be made again where memory failed. */
#ifndef GLK_TESTS_SOLVE_COMMANDS_H
#define GLK_TESTS_SOLVE_COMMANDS_H

#include "solve_promises.h"

/* ------------------------------------------------------------------------------ locks and values */

static glk_status make_set(uint32_t i, glk_handle *out) {
  const uint32_t dims[2] = {p.sizes[i], 1}, bits = next_u16(&input);
  uint8_t mask[MOST];
  for (uint32_t k = 0; k < MOST; k++) mask[k] = bits >> k % 16 & 1;
  const glk_status status = glk_locks_create(c, 2, dims, out);
  return status ? status : glk_locks_add_mask(c, *out, mask, dims[0]);
}

static glk_status lock(void) {
  const uint32_t k = next_u8(&input), i = k % p.count, is_pin = k / 2 % 2;
  const glk_locks_op op = (glk_locks_op)(k / 4 % 5);
  glk_handle set = 0;
  glk_status status = make_set(i, &set);
  if (!status) {
    status =
        is_pin ? glk_holder_combine(c, x[i], "pin", op, set) : glk_locks_combine(c, x[i], op, set);
  }
  glk_dispose(c, set);
  return status;
}

static glk_status assign(void) {
  glk_real values[MOST] = {0};
  const uint32_t k = next_u8(&input), i = k % p.count;
  next_reals(values, p.sizes[i]);
  if (k / 2 % 4 == 0) return glk_variable_fix(c, x[i], k / 8 % 6, values[0]);
  return glk_variable_assign(c, x[i], values, p.sizes[i], k / 2 % 2);
}

static glk_status give_policy(void) {
  const uint32_t k = next_u8(&input), i = k % p.count;
  glk_policy policy = {.choice = {.amount = 0.5, .is_fraction = 1, .low = -1, .high = 1}};
  policy.choice.kind = k / 2 % GLK_CHOICE_COUNT;
  policy.choice.by = next_below(&input, GLK_BY_COUNT);
  policy.every = 1 + next_below(&input, 3);
  policy.over = next_below(&input, 4);
  policy.is_inverted = k / 8 % 2;
  has_policies = 1;
  return glk_holder_policy(c, x[i], "policy", k / 16 % 4 ? &policy : NULL);
}

static glk_status give_timetable(void) {
  const uint32_t k = next_u8(&input), i = k % p.count, steps[2] = {k / 2 % 3, 1 + k / 6 % 4};
  glk_handle sets[2] = {0};
  glk_status status = make_set(i, &sets[0]);
  if (!status) status = make_set(i, &sets[1]);
  has_policies = 1;
  if (!status) status = glk_holder_schedule(c, x[i], "table", steps, sets, 2, 0);
  for (int j = 0; j < 2; j++) glk_dispose(c, sets[j]);
  return status;
}

/* --------------------------------------------------------------------------------------- options */

static glk_status set_options(void) {
  const char *names[2];
  double values[2];
  const uint32_t count = 1 + next_below(&input, 2);
  uint32_t options = 0;
  if (is_solver()) {
    glk_method_describe((glk_method)(p.trainer - SOLVERS_FROM), NULL, &options);
  } else {
    glk_rule_describe((glk_rule)p.trainer, NULL, NULL, &options);
  }
  for (uint32_t i = 0; i < count; i++) {
    glk_option_info of;
    const uint32_t option = next_below(&input, options);
    if (is_solver()) {
      glk_method_option((glk_method)(p.trainer - SOLVERS_FROM), option, &of);
    } else {
      glk_rule_option((glk_rule)p.trainer, option, &of);
    }
    names[i] = of.name;
    values[i] = next_setting(&of);
  }
  return is_solver() ? glk_solver_set(c, trainer, names, values, count)
                     : glk_optimizer_set(c, trainer, names, values, count);
}

/* Values, and boundaries that ascend unless one is negative. */
static uint32_t next_pieces(double *out) {
  const glk_option_info any = {.high = 1};
  const uint32_t k = next_u8(&input), count = k < 250 ? k % 8 : GLK_MAX_SCHEDULE + k - 254;
  for (uint32_t i = 0; i < count; i++) {
    out[i] = count > 8 ? i : next_setting(&any);
    if (i % 2 && i > 2) out[i] += out[i - 2];
  }
  return count;
}

static uint32_t next_numbers(glk_schedule kind, double *out) {
  glk_option_info of;
  uint32_t count = 0;
  if (kind == GLK_PIECEWISE_CONSTANT) return next_pieces(out);
  while (glk_schedule_number(kind, count, &of) == GLK_OK) out[count++] = next_setting(&of);
  return count + (next_u8(&input) > 250);
}

/* Set a schedule, and ask what the rate of some step is. */
static glk_status schedule(void) {
  static const double iterations[8] = {0, 1, 2, 3, 10, 1e4, 0x1p53 - 1, -1};
  double numbers[GLK_MAX_SCHEDULE + 2] = {0}, rate = 0;
  const uint32_t k = next_u8(&input);
  const glk_schedule kind = (glk_schedule)(k % (GLK_SCHEDULE_COUNT + 1));
  const uint32_t count = next_numbers(kind, numbers), at = next_below(&input, 8);
  if (glk_schedule_rate(c, kind, numbers, count, iterations[at], &rate) == GLK_OK &&
      !(rate >= 0 && rate < 1e30)) {
    BROKEN("a rate of %g", rate);
  }
  return glk_optimizer_schedule(c, trainer, kind, numbers, count);
}

/* ----------------------------------------------------------------------------- bounds and others */

/* Bounds of an element that is at `value`. */
static void next_bounds(glk_real value, glk_real *lower, glk_real *upper) {
  const uint32_t k = next_u8(&input);
  const glk_real a = next_real(), b = next_real();
  *lower = (glk_real)-INFINITY, *upper = (glk_real)INFINITY;
  if (k % 8 < 4 && k % 2) *lower = value - (a < 0 ? -a : a);
  if (k % 8 < 4 && k / 2 % 2) *upper = value + (b < 0 ? -b : b);
  if (k % 8 == 4) *lower = *upper = value;
  if (k % 8 == 5) *lower = value;
  if (k % 8 == 6) *upper = value;
  if (k % 8 == 7) *lower = a, *upper = k > 127 && b < a ? a : b;
}

static glk_status bound(void) {
  glk_real is[MOST] = {0}, lower[MOST], upper[MOST];
  const uint32_t k = next_u8(&input), i = k % p.count;
  glk_read(c, x[i], is, p.sizes[i]);
  if (k > 230) return glk_solver_bounds(c, trainer, x[i], NULL, NULL, 0);
  for (uint32_t j = 0; j < p.sizes[i]; j++) next_bounds(is[j], &lower[j], &upper[j]);
  return glk_solver_bounds(c, trainer, x[i], lower, upper, p.sizes[i]);
}

static glk_status scale_rate(void) {
  glk_real factors[MOST] = {1};
  const uint32_t k = next_u8(&input), i = k % p.count;
  if (k / 2 % 4 == 0) return glk_optimizer_exclude_decay(c, trainer, x[i], (int)(k / 8 % 2));
  next_reals(factors, p.sizes[i]);
  for (uint32_t j = 0; j < p.sizes[i] && k / 8 % 8; j++) factors[j] *= factors[j] < 0 ? -1 : 1;
  return glk_optimizer_scale_rate(c, trainer, x[i], factors, k / 2 % 4 == 1 ? 1 : p.sizes[i]);
}

static glk_status constrain(void) {
  const uint32_t k = next_u8(&input), axes[2] = {k / 16 % 2, 1};
  const double a = (double)next_real(), b = (double)next_real();
  const glk_constraint_kind kind = (glk_constraint_kind)(k / 2 % 6);
  return glk_optimizer_constrain(c, trainer, x[k % p.count], kind, a < b ? a : b, a < b ? b : a,
                                 axes, k / 32 % 3);
}

/* Another trainer, which begins anew. Bounds of one that is disposed hold nothing. */
static glk_status renew(void) {
  glk_handle other = 0;
  const glk_status status = create_trainer(&other);
  if (status) return status;
  glk_dispose(c, trainer);
  trainer = other;
  stop_countdown();
  for (uint32_t i = 0; i < p.count && is_solver(); i++) {
    uint8_t mask[MOST] = {0};
    if (read_holder(i, "bound", mask)) BROKEN("a bound outlives its solver");
  }
  return GLK_OK;
}

/* By the byte that names them; steps weigh most. */
static command *const commands[] = {
    train,       train,          train,       train,      train,    train,      train,
    lock,        lock,           assign,      bound,      bound,    bound,      move,
    move,        set_options,    set_options, schedule,   schedule, scale_rate, constrain,
    give_policy, give_timetable, keep_state,  load_state, renew};

enum { COMMANDS = sizeof commands / sizeof *commands };

#endif
