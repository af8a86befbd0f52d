/* What fuzz_solve.c holds of steps: what was before them is remembered, and compared with what is. */
#ifndef GLK_TESTS_SOLVE_PROMISES_H
#define GLK_TESTS_SOLVE_PROMISES_H

#include "solve_problem.h"

enum { VALUES, AVERAGE, FIRST_SLOT, LISTS = FIRST_SLOT + GLK_MAX_SLOTS };

/* What a variable was before a step; `kept`: holders other than policies and bounds lock it. */
typedef struct image {
  glk_real lists[LISTS][MOST];
  uint32_t clock[MOST];
  uint8_t kept[MOST];
} image;

static image was[2];

/* Allocations that the fuzzer causes itself do not fail: until `memory.countdown` is what this
 * returns. */
static long stop_countdown(void) {
  const long countdown = memory.countdown;
  memory.countdown = -1;
  return countdown;
}

/** Add what a holder locks to a mask; returns how many these are. */
static uint32_t read_holder(uint32_t i, const char *holder, uint8_t *mask) {
  uint8_t held[MOST];
  uint32_t count = 0;
  glk_handle set = 0;
  if (glk_holder_copy(c, x[i], holder, &set)) BROKEN("no holder");
  glk_locks_to_mask(c, set, held, p.sizes[i]);
  for (uint32_t k = 0; k < p.sizes[i]; k++) mask[k] |= held[k];
  glk_locks_count(c, set, &count);
  glk_dispose(c, set);
  return count;
}

static void read_image(uint32_t i, image *out) {
  glk_read(c, x[i], out->lists[VALUES], p.sizes[i]);
  for (uint32_t slot = 0; !is_solver() && slot < GLK_MAX_SLOTS; slot++) {
    glk_optimizer_slot(c, trainer, x[i], slot, out->lists[FIRST_SLOT + slot], p.sizes[i]);
  }
  if (!is_solver()) glk_optimizer_average(c, trainer, x[i], out->lists[AVERAGE], p.sizes[i]);
  if (!is_solver()) glk_optimizer_clock(c, trainer, x[i], out->clock, p.sizes[i]);
}

static void remember(void) {
  const long countdown = stop_countdown();
  memset(was, 0, sizeof was);
  for (uint32_t i = 0; i < p.count; i++) {
    read_image(i, &was[i]);
    read_holder(i, "", was[i].kept);
    read_holder(i, "pin", was[i].kept);
  }
  memory.countdown = countdown;
}

/** What can be seen of the variables: a digest. */
static uint32_t picture(void) {
  image is[2];
  uint8_t mask[2][MOST] = {0};
  memset(is, 0, sizeof is);
  for (int i = 0; i < 2; i++) {
    read_image(i, &is[i]);
    glk_locks_to_mask(c, x[i], mask[i], p.sizes[i]);
  }
  return checksum((uint8_t *)is, sizeof is) ^ checksum(mask[0], sizeof mask);
}

/* True if nothing of an element differs. An average becomes the value where a lock is new. */
static int is_same(const image *a, const image *b, uint32_t k) {
  int is_equal = a->clock[k] == b->clock[k];
  for (int j = 0; j < LISTS; j++) {
    if (j == AVERAGE && !a->kept[k]) continue;
    is_equal &= !memcmp(&a->lists[j][k], &b->lists[j][k], sizeof(glk_real));
  }
  return is_equal;
}

/* After a single step also what a policy or a bound locked in it. */
static void check_locked(uint32_t i, uint32_t steps) {
  static image is;
  uint8_t mask[MOST];
  uint32_t changed = 0;
  memset(&is, 0, sizeof is);
  read_image(i, &is);
  glk_locks_to_mask(c, x[i], mask, p.sizes[i]);
  for (uint32_t k = 0; k < p.sizes[i]; k++) {
    const int is_locked = was[i].kept[k] || (steps == 1 && mask[k]);
    if (is_locked && !is_same(&was[i], &is, k)) BROKEN("locked %u moved", k);
  }
  if (p.is_watched && (glk_locks_audit(c, x[i], &changed, NULL, NULL) || changed)) {
    BROKEN("audit: %u changed", changed);
  }
}

static int is_outside(glk_real value, glk_real lower, glk_real upper) {
  return value < lower || value > upper;
}

static void check_bounds(uint32_t i) {
  glk_real lower[MOST], upper[MOST], is[MOST];
  int is_bounded = 0;
  glk_read(c, x[i], is, p.sizes[i]);
  if (glk_solver_bounded(c, trainer, x[i], lower, upper, p.sizes[i], &is_bounded)) BROKEN("none");
  for (uint32_t k = 0; k < p.sizes[i]; k++) {
    if (was[i].kept[k]) continue;
    if (is_outside(was[i].lists[VALUES][k], lower[k], upper[k])) BROKEN("it began outside");
    if (is_outside(is[k], lower[k], upper[k])) BROKEN("%u is outside of its bounds", k);
  }
}

/** The loss at the variables, by a run of the program that does not count; NaN for one that the
 *  method refuses. */
static double measure(void) {
  glk_program_info info;
  glk_real values[ROWS];
  double sum = 0;
  const uint32_t count = has_residuals() ? p.rows : 1;
  if (p.loss == LOSSES - 1) return NAN;
  const long countdown = stop_countdown();
  glk_program_describe(c, program, &info);
  if (glk_program_run(c, program) || glk_program_read(c, program, 0, values, count)) {
    BROKEN("no loss: %s", glk_context_detail(c));
  }
  glk_program_resume(c, program, info.runs);
  memory.countdown = countdown;
  for (uint32_t i = 0; i < count; i++) sum += (double)values[i] * (double)values[i];
  return has_residuals() ? sum / 2 : (double)values[0];
}

/* In f64 it may rise by its rounding. */
static void check_loss(double before, double loss) {
  const double after = measure(), rounding = sizeof(glk_real) == 8 ? 1e-6 * fabs(before) : 0;
  if (isfinite(before) && !(loss <= before + rounding)) BROKEN("from %g to %g", before, loss);
  if (!(loss == after || (isnan(loss) && isnan(after))))
    BROKEN("returned %g, computed anew %g", loss, after);
}

static uint32_t free_count(void) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < p.count; i++) {
    for (uint32_t k = 0; k < p.sizes[i]; k++) count += !was[i].kept[k];
  }
  return count;
}

static int has_moved(void) {
  glk_real is[MOST];
  int moved = 0;
  for (uint32_t i = 0; i < p.count; i++) {
    glk_read(c, x[i], is, p.sizes[i]);
    moved |= memcmp(is, was[i].lists[VALUES], p.sizes[i] * sizeof *is) != 0;
  }
  return moved;
}

static void check_stop(const glk_solver_info *before, uint32_t steps) {
  glk_solver_info info;
  double tolerance;
  glk_solver_describe(c, trainer, &info);
  glk_solver_get(c, trainer, "toleranceGradient", &tolerance);
  const double taken = info.iterations - before->iterations;
  if (taken > steps || (info.stop == GLK_STOP_STEPS && taken != steps)) BROKEN("%g steps", taken);
  if ((info.stop == GLK_STOP_LOCKED) != !free_count()) BROKEN("%u are free", free_count());
  if (info.stop == GLK_STOP_GRADIENT && !(info.gradient <= tolerance)) BROKEN("it is steep");
  if (taken == 0 && has_moved()) BROKEN("no step was taken, and the variables moved");
}

static void check_rate(void) {
  double numbers[GLK_MAX_SCHEDULE], rate, expected, iteration;
  uint32_t kind, count;
  glk_optimizer_scheduled(c, trainer, &kind, numbers, &count);
  glk_optimizer_get(c, trainer, "learningRate", &rate);
  glk_optimizer_iterations(c, trainer, &iteration);
  if (kind == GLK_OWN_SCHEDULE) return;
  if (glk_schedule_rate(c, (glk_schedule)kind, numbers, count, iteration, &expected)) {
    BROKEN("no rate: %s", glk_context_detail(c));
  }
  if (rate != expected) BROKEN("the rate is %g, expected %g", rate, expected);
}

#endif
