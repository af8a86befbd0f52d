/* Holders against a model of one byte an element and holder (docs/laws.md, law 20), and policies
 * inside of a training loop against the same locks set by hand between single steps (law 17):
 * values, slots, clocks and locks, byte for byte.
 */
#include "harness.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { N = 75, HOLDERS = 4, STEPS = 24 };

static const char *const names[HOLDERS] = {"", "drag", "policy",
                                           "a"}; /* the first is the default */
static glk_context *c;

/* -------------------------------------------------------------------------------------- holders */

static uint8_t model[HOLDERS][N];

static glk_handle random_set(uint8_t *mask, uint32_t odds) {
  const uint32_t n = N;
  glk_handle set = 0;
  for (uint32_t i = 0; i < N; i++) mask[i] = rng_below(odds) == 0;
  OK(glk_locks_create(c, 1, &n, &set));
  OK(glk_locks_add_mask(c, set, mask, N));
  return set;
}

static void holders_agree(glk_handle x, const char *after) {
  uint8_t mask[N], all[N] = {0};
  uint32_t count = 0, locked = 0, named = 0;
  for (int k = 0; k < HOLDERS; k++) {
    glk_handle copy;
    uint32_t held = 0;
    OK(glk_holder_copy(c, x, names[k], &copy));
    OK(glk_locks_to_mask(c, copy, mask, N));
    CHECK_MSG(!memcmp(mask, model[k], N), "holder '%s' after %s", names[k], after);
    for (int i = 0; i < N; i++) all[i] |= model[k][i], held += model[k][i];
    named += k && held;
    OK(glk_dispose(c, copy));
  }
  for (int i = 0; i < N; i++) count += all[i];
  OK(glk_locks_to_mask(c, x, mask, N));
  OK(glk_locks_count(c, x, &locked));
  CHECK_MSG(!memcmp(mask, all, N) && locked == count, "all holders together after %s", after);
  const char *name;
  for (uint32_t i = 0; i < named; i++) OK(glk_holder_name(c, x, i, &name));
  CHECK_STATUS(glk_holder_name(c, x, named, &name), GLK_ERROR_INDEX); /* empty holders are gone */
}

static void holders_lock_together_what_any_of_them_holds(void) {
  const uint32_t n = N;
  glk_handle x;
  OK(glk_context_create(NULL, &c));
  OK(glk_variable_create(c, 1, &n, NULL, N, "x", 1, &x));
  memset(model, 0, sizeof model);
  for (int round = 0; round < 600; round++) {
    const uint32_t k = rng_below(HOLDERS);
    const glk_locks_op op = (glk_locks_op)rng_below(5);
    uint32_t before, after;
    uint8_t mask[N];
    const glk_handle set = random_set(mask, op == GLK_LOCKS_OR ? 20 : 1 + rng_below(3));
    OK(glk_locks_version(c, x, &before));
    switch (rng_below(8)) {
    case 0: /* the default holder by the other ways to change it */
      OK(glk_variable_fix(c, x, round % n, 0));
      model[0][round % n] = 1;
      break;
    case 1:
      OK(glk_locks_invert(c, x));
      for (int i = 0; i < N; i++) model[0][i] ^= 1;
      break;
    case 2: /* all that is locked, as a source of itself */
      OK(k ? glk_holder_combine(c, x, names[k], op, x) : glk_locks_combine(c, x, op, x));
      OK(glk_locks_to_mask(c, x, mask, N));
      for (int i = 0; i < N; i++) {
        const uint8_t a = model[k][i];
        uint8_t b = 0;
        for (int l = 0; l < HOLDERS; l++) b |= model[l][i];
        model[k][i] = (const uint8_t[]){b, a | b, a & b, a & !b, a ^ b}[op];
      }
      break;
    default:
      OK(k ? glk_holder_combine(c, x, names[k], op, set) : glk_locks_combine(c, x, op, set));
      for (int i = 0; i < N; i++) {
        const uint8_t a = model[k][i], b = mask[i];
        model[k][i] = (const uint8_t[]){b, a | b, a & b, a & !b, a ^ b}[op];
      }
    }
    OK(glk_locks_version(c, x, &after));
    CHECK(before != after);
    holders_agree(x, "a change");
    OK(glk_dispose(c, set));
  }
  glk_context_dispose(c);
}

/* ------------------------------------------------------------------------------------- policies */

typedef struct run {
  glk_handle x, y, target, program, optimizer;
  uint32_t slots;
} run;

static glk_handle apply(const char *name, glk_handle a, glk_handle b) {
  uint32_t op;
  glk_handle out = 0;
  OK(glk_op_find(c, name, &op));
  OK(glk_apply(c, op, (glk_handle[]){a, b}, b ? 2 : 1, NULL, 0, &out));
  return out;
}

/* sum((x y - target)^2), from the same values each time */
static run new_run(glk_rule rule, uint64_t seed) {
  const uint32_t n = N;
  glk_real values[3][N];
  run r;
  const uint64_t kept = harness.state;
  harness.state = seed;
  for (int k = 0; k < 3; k++) {
    for (int i = 0; i < N; i++) values[k][i] = rng_real(-1, 1);
  }
  harness.state = kept;
  OK(glk_variable_create(c, 1, &n, values[0], N, "x", 1, &r.x));
  OK(glk_variable_create(c, 1, &n, values[1], N, "y", 1, &r.y));
  OK(glk_tensor_create(c, 1, &n, values[2], N, &r.target));
  OK(glk_program_begin(c, GLK_TRACE));
  const glk_handle loss =
      apply("sum", apply("square", apply("sub", apply("mul", r.x, r.y), r.target), 0), 0);
  OK(glk_program_end(c, &loss, 1, &r.program));
  OK(glk_optimizer_create(c, rule, &r.optimizer));
  OK(glk_rule_describe(rule, NULL, &r.slots, NULL));
  return r;
}

static void minimize(const run *r, uint32_t steps) {
  OK(glk_optimizer_minimize(c, r->optimizer, r->program, (glk_handle[]){r->x, r->y}, 2, steps,
                            NULL));
}

static void same_bytes(const run *a, const run *b, const char *what) {
  glk_real values[2][N];
  uint32_t clocks[2][N];
  uint8_t masks[2][N];
  const run *runs[2] = {a, b};
  for (int v = 0; v < 2; v++) {
    for (int k = 0; k < 2; k++) {
      OK(glk_read(c, v ? runs[k]->y : runs[k]->x, values[k], N));
      OK(glk_optimizer_clock(c, runs[k]->optimizer, v ? runs[k]->y : runs[k]->x, clocks[k], N));
      OK(glk_locks_to_mask(c, v ? runs[k]->y : runs[k]->x, masks[k], N));
    }
    CHECK_MSG(!memcmp(values[0], values[1], sizeof values[0]), "%s: values of %d", what, v);
    CHECK_MSG(!memcmp(clocks[0], clocks[1], sizeof clocks[0]), "%s: clocks of %d", what, v);
    CHECK_MSG(!memcmp(masks[0], masks[1], N), "%s: locks of %d", what, v);
    for (uint32_t slot = 0; slot < a->slots; slot++) {
      for (int k = 0; k < 2; k++) {
        OK(glk_optimizer_slot(c, runs[k]->optimizer, v ? runs[k]->y : runs[k]->x, slot, values[k],
                              N));
      }
      CHECK_MSG(!memcmp(values[0], values[1], sizeof values[0]), "%s: slot %u", what, slot);
    }
  }
}

/* The selection of a policy at step t, by the public selections. */
static void set_by_hand(const run *r, const glk_policy *policy, uint32_t t) {
  const uint32_t n = N;
  glk_handle set, gradient = 0;
  if (t % policy->every) return;
  glk_choice choice = policy->choice;
  choice.draw += t / policy->every;
  if (policy->over) {
    const double part = t >= policy->over ? 1 : (double)t / policy->over;
    choice.amount = part == 1 ? policy->to : choice.amount + (policy->to - choice.amount) * part;
    if (!choice.is_fraction) choice.amount = (uint32_t)(choice.amount + 0.5);
  }
  if (choice.by == GLK_BY_GRADIENT) {
    OK(glk_program_gradient(c, r->program, &r->x, 1, NULL, &gradient));
  }
  OK(glk_locks_create(c, 1, &n, &set));
  OK(glk_locks_add_choice(c, &set, &choice, gradient ? &gradient : &r->x, 1));
  if (policy->is_inverted) OK(glk_locks_invert(c, set));
  OK(glk_holder_combine(c, r->x, "policy", GLK_LOCKS_SET, set));
  OK(glk_dispose(c, set));
  if (gradient) OK(glk_dispose(c, gradient));
}

static glk_policy random_policy(void) {
  glk_policy p = {.every = 1 + rng_below(4), .is_inverted = rng_below(2)};
  p.choice.kind = rng_below(GLK_CHOICE_COUNT);
  p.choice.by = rng_below(GLK_BY_COUNT);
  p.choice.is_fraction = rng_below(2);
  p.choice.amount = p.choice.is_fraction ? rng_below(5) / 4.0 : rng_below(N + 1);
  p.to = p.choice.is_fraction ? rng_below(5) / 4.0 : rng_below(N + 1);
  p.over = rng_below(2) * rng_below(20);
  p.choice.low = (double[]){-0.3, 0.2, -__builtin_inf()}[rng_below(3)];
  p.choice.high = (double[]){0.4, 0.6, __builtin_inf()}[rng_below(3)];
  p.choice.seed = rng_below(100);
  if (p.choice.kind == GLK_CHOICE_RANDOM) p.choice.by = GLK_BY_VALUE;
  return p;
}

static void a_policy_in_the_loop_is_the_same_locks_set_between_steps(void) {
  for (int round = 0; round < 120; round++) {
    OK(glk_context_create(NULL, &c));
    const glk_policy policy = random_policy();
    const glk_rule rule = round % 2 ? GLK_ADAM : GLK_SGD;
    const run a = new_run(rule, 7), b = new_run(rule, 7), d = new_run(rule, 7);
    const double reset = round % 3 == 0;
    const run *all[3] = {&a, &b, &d};
    uint8_t mask[N];
    const glk_handle pins = random_set(mask, 4);
    for (int k = 0; k < 3; k++) {
      OK(glk_optimizer_set(c, all[k]->optimizer, (const char *[]){"resetOnUnlock"}, &reset, 1));
      if (round % 4) OK(glk_locks_combine(c, all[k]->x, GLK_LOCKS_OR, pins));
    }
    glk_program_info before, after;
    OK(glk_holder_policy(c, a.x, "policy", &policy));
    OK(glk_holder_policy(c, d.x, "policy", &policy));
    minimize(&a, 1);
    OK(glk_program_describe(c, a.program, &before));
    minimize(&a, STEPS - 1);
    OK(glk_program_describe(c, a.program, &after));
    CHECK_EQ(before.nodes, after.nodes); /* nothing was recorded again */
    for (uint32_t t = 0; t < STEPS; t++) {
      set_by_hand(&b, &policy, t);
      minimize(&b, 1);
      minimize(&d, 1); /* and cut in steps */
    }
    same_bytes(&a, &b, "in the loop and by hand");
    same_bytes(&a, &d, "at once and step by step");
    uint32_t steps = 0;
    OK(glk_holder_steps(c, a.x, "policy", &steps));
    CHECK_EQ(steps, STEPS);
    glk_context_dispose(c);
  }
}

static void policies_see_given_gradients_too(void) {
  for (int round = 0; round < 40; round++) {
    OK(glk_context_create(NULL, &c));
    const run a = new_run(GLK_ADAM, 5), b = new_run(GLK_ADAM, 5);
    glk_policy policy = random_policy();
    OK(glk_holder_policy(c, a.x, "policy", &policy));
    OK(glk_holder_policy(c, b.x, "policy", &policy));
    for (int t = 0; t < STEPS; t++) {
      glk_handle gradients[2];
      const glk_handle both[2] = {a.x, a.y};
      OK(glk_program_gradient(c, a.program, both, 2, NULL, gradients));
      OK(glk_optimizer_apply(c, a.optimizer, both, gradients, 2));
      minimize(&b, 1);
    }
    same_bytes(&a, &b, "given gradients");
    glk_context_dispose(c);
  }
}

static void a_timetable_locks_from_its_steps_on(void) {
  static const uint32_t at[3] = {2, 5, 11};
  for (uint32_t start = 0; start < 13; start += 4) {
    OK(glk_context_create(NULL, &c));
    const run a = new_run(GLK_ADAM, 3), b = new_run(GLK_ADAM, 3);
    uint8_t masks[3][N];
    glk_handle sets[3];
    for (int i = 0; i < 3; i++) sets[i] = random_set(masks[i], 2);
    OK(glk_holder_schedule(c, a.x, "policy", at, sets, 3, start));
    OK(glk_locks_invert(c, sets[0])); /* the timetable has copies */
    minimize(&a, STEPS);
    OK(glk_locks_invert(c, sets[0]));
    for (uint32_t t = start; t < start + STEPS; t++) {
      for (int i = 0; i < 3; i++) {
        if (t >= at[i]) OK(glk_holder_combine(c, b.x, "policy", GLK_LOCKS_SET, sets[i]));
      }
      minimize(&b, 1);
    }
    same_bytes(&a, &b, "a timetable");
    glk_context_dispose(c);
  }
}

static void a_policy_that_is_taken_away_leaves_its_locks(void) {
  OK(glk_context_create(NULL, &c));
  const run r = new_run(GLK_ADAM, 1);
  const glk_policy policy = {.choice = {.kind = GLK_CHOICE_RANDOM, .amount = 20, .seed = 4},
                             .every = 1};
  uint32_t count, steps = 7;
  uint8_t before[N], after[N];
  const char *name;
  OK(glk_holder_policy(c, r.x, "p", &policy));
  OK(glk_holder_name(c, r.x, 0, &name));
  OK(glk_locks_count(c, r.x, &count));
  CHECK_EQ(count, 0); /* it waits for the first step */
  minimize(&r, 2);
  OK(glk_locks_to_mask(c, r.x, before, N));
  OK(glk_holder_policy(c, r.x, "p", NULL));
  OK(glk_holder_policy(c, r.x, "p", NULL));
  minimize(&r, 2);
  OK(glk_locks_to_mask(c, r.x, after, N));
  CHECK(!memcmp(before, after, N));
  OK(glk_locks_count(c, r.x, &count));
  OK(glk_holder_steps(c, r.x, "p", &steps));
  CHECK(count == 20 && steps == 0);
  OK(glk_holder_combine(c, r.x, "p", GLK_LOCKS_AND_NOT, r.x));
  CHECK_STATUS(glk_holder_name(c, r.x, 0, &name), GLK_ERROR_INDEX);
  glk_context_dispose(c);
}

/* Law 12 with a policy: what a policy locks whole is not computed, unless it has to look at the
 * gradient. */
static void a_policy_that_locks_all_stops_the_gradient(void) {
  OK(glk_context_create(NULL, &c));
  const run r = new_run(GLK_SGD, 1);
  glk_program_info full, less;
  const glk_policy all = {.choice = {.amount = 1, .is_fraction = 1}, .every = 3};
  minimize(&r, 1);
  OK(glk_program_describe(c, r.program, &full));
  OK(glk_holder_policy(c, r.x, "p", &all));
  minimize(&r, 2);
  OK(glk_program_describe(c, r.program, &less));
  CHECK(less.active_nodes < full.active_nodes);
  glk_context_dispose(c);
}

static void bad_holders_and_policies_change_nothing(void) {
  const uint32_t n = N, m = 3, up[2] = {3, 4}, down[2] = {4, 4};
  const char *name;
  char longest[65];
  glk_handle x, set, other, out = 77;
  uint8_t mask[N];
  uint32_t before, after;
  memset(longest, 'n', 64);
  longest[64] = 0;
  OK(glk_context_create(NULL, &c));
  OK(glk_variable_create(c, 1, &n, NULL, N, "x", 1, &x));
  OK(glk_locks_create(c, 1, &m, &other));
  set = random_set(mask, 2);
  OK(glk_locks_combine(c, x, GLK_LOCKS_OR, set));
  OK(glk_locks_version(c, x, &before));
  const glk_handle right[2] = {set, set}, wrong[2] = {set, other};
  const double nan = __builtin_nan("");
  const glk_policy bad[] = {
      {.every = 0},
      {.choice = {.amount = N + 1}, .every = 1},
      {.choice = {.is_fraction = 1}, .to = 2, .over = 1, .every = 1},
      {.to = 0.5, .over = 1, .every = 1},
      {.to = nan, .over = 1, .every = 1},
      {.choice = {.kind = GLK_CHOICE_BETWEEN, .low = __builtin_nan("")}, .every = 1},
      {.choice = {.kind = 9}, .every = 1},
  };
  const glk_policy good = {.every = 1};
#define REFUSED(call, status)               \
  CHECK_STATUS(call, status);               \
  CHECK(strlen(glk_context_detail(c)) > 5); \
  CHECK_STATUS(glk_holder_name(c, x, 0, &name), GLK_ERROR_INDEX)
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    REFUSED(glk_holder_policy(c, x, "p", &bad[i]), GLK_ERROR_OPTION);
  }
  REFUSED(glk_holder_policy(c, x, "", &good), GLK_ERROR_ARGUMENT);
  REFUSED(glk_holder_policy(c, x, longest, &good), GLK_ERROR_ARGUMENT);
  REFUSED(glk_holder_policy(c, set, "p", &good), GLK_ERROR_KIND);
  REFUSED(glk_holder_combine(c, x, "", GLK_LOCKS_OR, set), GLK_ERROR_ARGUMENT);
  REFUSED(glk_holder_combine(c, x, "p", (glk_locks_op)5, set), GLK_ERROR_ARGUMENT);
  REFUSED(glk_holder_combine(c, x, "p", GLK_LOCKS_OR, other), GLK_ERROR_SHAPE);
  REFUSED(glk_holder_combine(c, set, "p", GLK_LOCKS_OR, set), GLK_ERROR_KIND);
  REFUSED(glk_holder_schedule(c, x, "p", up, right, 0, 0), GLK_ERROR_ARGUMENT);
  REFUSED(glk_holder_schedule(c, x, "p", down, right, 2, 0), GLK_ERROR_OPTION);
  REFUSED(glk_holder_schedule(c, x, "p", up, wrong, 2, 0), GLK_ERROR_SHAPE);
  REFUSED(glk_holder_schedule(c, x, "", up, right, 2, 0), GLK_ERROR_ARGUMENT);
  OK(glk_program_begin(c, GLK_TRACE));
  REFUSED(glk_holder_policy(c, x, "p", &good), GLK_ERROR_RECORDING);
  REFUSED(glk_holder_combine(c, x, "p", GLK_LOCKS_OR, set), GLK_ERROR_RECORDING);
  REFUSED(glk_holder_schedule(c, x, "p", up, right, 2, 0), GLK_ERROR_RECORDING);
#undef REFUSED
  OK(glk_locks_version(c, x, &after));
  CHECK(before == after && out == 77);
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(holders_lock_together_what_any_of_them_holds);
  TEST(a_policy_in_the_loop_is_the_same_locks_set_between_steps);
  TEST(policies_see_given_gradients_too);
  TEST(a_timetable_locks_from_its_steps_on);
  TEST(a_policy_that_is_taken_away_leaves_its_locks);
  TEST(a_policy_that_locks_all_stops_the_gradient);
  TEST(bad_holders_and_policies_change_nothing);
  return harness_report();
}
