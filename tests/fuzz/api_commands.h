/* The second half of fuzz_api.c's commands, ops, programs and training, and the table of all. */
#ifndef GLK_TESTS_API_COMMANDS_H
#define GLK_TESTS_API_COMMANDS_H

#include "api_locks.h"

/* So many handles. */
static uint32_t next_list(uint32_t count, glk_handle (*next)(void), glk_handle *out) {
  for (uint32_t i = 0; i < count; i++) out[i] = next();
  return count;
}

/* ------------------------------------------------------------------------------------ ops, programs */

static void apply_op(uint32_t k) {
  glk_handle in[MOST_NAMED] = {0}, h = 0;
  double attributes[32] = {0};
  const uint32_t op = next_u8(&input) % (op_count + 1);
  uint32_t inputs = op < op_count ? ops[op].inputs : 1;
  (void)k;
  if (next_u8(&input) > 252) inputs = next_below(&input, 6);
  next_list(inputs, a_value, in);
  const uint32_t count = op < op_count ? next_attributes(op, inputs ? in[0] : 0, attributes) : 0;
  if (is_traced && op < op_count) fprintf(stderr, "%s\n", ops[op].signature);
  CALL(glk_apply(c, op < op_count ? op_numbers[op] : op, in, inputs, attributes, count, &h));
  keep(h);
}

static void begin_program(uint32_t k) {
  const glk_record_mode mode = next_below(&input, 3) ? GLK_TRACE : GLK_TAPE;
  (void)k;
  CALL(glk_program_begin(c, mode));
}

/* Often of a mean, which can be trained by. */
static void end_program(uint32_t k) {
  glk_handle outputs[2], h = 0;
  const double keep_dims = 0;
  uint32_t mean = 0;
  const uint32_t count = 1 + next_below(&input, 2);
  (void)k;
  next_list(count, a_value, outputs);
  if (next_u8(&input) > 60 && glk_op_find(c, "mean", &mean) == GLK_OK &&
      glk_apply(c, mean, outputs, 1, &keep_dims, 1, &h) == GLK_OK) {
    outputs[0] = h;
    keep(h);
  }
  h = 0;
  CALL(glk_program_end(c, outputs, count, &h));
  keep(h);
}

static void cancel_program(uint32_t k) {
  (void)k;
  if (next_u8(&input) > 128) glk_program_cancel(c);
}

static void run_program(uint32_t k) {
  const glk_handle program = a_program();
  (void)k;
  CALL(glk_program_run(c, program));
}

static void read_output(uint32_t k) {
  glk_handle h = 0;
  const glk_handle program = a_program();
  const uint32_t output = next_below(&input, 3);
  (void)k;
  CALL(glk_program_output(c, program, output, &h));
  keep(h);
  glk_real values[4];
  CALL(glk_program_read(c, program, output, values, 1 + output));
}

static void take_gradient(uint32_t k) {
  glk_handle variables[3], gradients[3] = {0};
  double loss;
  const glk_handle program = a_program();
  const uint32_t count = 1 + next_below(&input, 3);
  (void)k;
  next_list(count, a_variable, variables);
  if (CALL(glk_program_gradient(c, program, variables, count, &loss, gradients)) != GLK_OK) return;
  for (uint32_t i = 0; i < count; i++) keep(gradients[i]);
}

static void take_gradients(uint32_t k) {
  glk_handle targets[2], seeds[2], sources[3], gradients[3] = {0};
  const glk_handle program = next_u8(&input) & 1 ? 0 : a_program();
  const uint32_t target_count = 1 + next_below(&input, 2), count = 1 + next_below(&input, 3);
  (void)k;
  for (uint32_t i = 0; i < target_count; i++) {
    targets[i] = a_value();
    seeds[i] = next_u8(&input) & 1 ? a_value() : 0;
  }
  next_list(count, a_value, sources);
  const glk_handle *given = next_u8(&input) & 1 ? seeds : NULL;
  if (CALL(glk_gradients(c, program, targets, given, target_count, sources, count, gradients)) !=
      GLK_OK)
    return;
  for (uint32_t i = 0; i < count; i++) keep(gradients[i]);
}

static void customize(uint32_t k) {
  uint32_t dims[32];
  glk_handle h = 0, in[4];
  const uint32_t rank = next_shape(dims);
  if (k & 64) {
    CALL(glk_placeholder(c, rank, dims, &h));
  } else {
    next_list(4, a_value, in);
    CALL(glk_custom_gradient(c, in[0], in[1], in[2], in[3], &h));
  }
  keep(h);
}

/* ------------------------------------------------------------------------------------------ training */

static void make_optimizer(uint32_t k) {
  glk_handle h = 0;
  const uint32_t rule = next_below(&input, 11);
  (void)k;
  CALL(glk_optimizer_create(c, (glk_rule)rule, &h));
  keep(h);
}

static void set_options(uint32_t k) {
  const char *names[2];
  double numbers[2];
  const glk_handle trainer = a_trainer();
  const uint32_t count = 1 + next_below(&input, 2);
  for (uint32_t i = 0; i < count; i++) {
    names[i] =
        k & 64 ? solver_options[next_below(&input, 10)] : optimizer_options[next_below(&input, 21)];
    numbers[i] = next_u8(&input) & 1 ? number() : next_u8(&input) / 256.0;
  }
  if (k & 64) {
    CALL(glk_solver_set(c, trainer, names, numbers, count));
  } else {
    CALL(glk_optimizer_set(c, trainer, names, numbers, count));
  }
}

static void schedule(uint32_t k) {
  double numbers[130], rate;
  const glk_handle optimizer = an_optimizer();
  uint32_t count = next_below(&input, 9);
  if (next_u8(&input) > 250) count = 128;
  for (uint32_t i = 0; i < count; i++) {
    numbers[i] = count > 100 ? i : next_u8(&input) & 3 ? next_u8(&input) / 64.0 : number();
  }
  const uint32_t kind = next_below(&input, 11);
  if (k & 64) {
    CALL(glk_optimizer_schedule(c, optimizer, (glk_schedule)kind, numbers, count));
  } else {
    const double iteration = number();
    CALL(glk_schedule_rate(c, (glk_schedule)kind, numbers, count, iteration, &rate));
  }
}

static void treat_variable(uint32_t k) {
  const glk_handle optimizer = an_optimizer(), variable = a_variable();
  const uint32_t way = next_below(&input, 3);
  (void)k;
  if (way == 0) {
    const size_t all = next_u8(&input) & 1 ? elements_of(variable, 1) : 1,
                 n = all > VALUES ? 1 : all;
    for (size_t i = 0; i < n; i++) values[i] = next_value();
    CALL(glk_optimizer_scale_rate(c, optimizer, variable, values, n));
  } else if (way == 1) {
    const int is_excluded = (int)next_below(&input, 2);
    CALL(glk_optimizer_exclude_decay(c, optimizer, variable, is_excluded));
  } else {
    uint32_t axes[4];
    const uint32_t count = next_below(&input, 4);
    for (uint32_t i = 0; i < count; i++) axes[i] = next_below(&input, 4);
    const uint32_t kind = next_below(&input, 6);
    const double low = number(), high = number();
    CALL(glk_optimizer_constrain(c, optimizer, variable, (glk_constraint_kind)kind, low, high, axes,
                                 count));
  }
}

static void apply_gradients(uint32_t k) {
  glk_handle variables[4], gradients[4];
  const glk_handle optimizer = an_optimizer();
  const uint32_t count = next_below(&input, 4);
  (void)k;
  for (uint32_t i = 0; i < count; i++) {
    variables[i] = a_variable();
    gradients[i] = a_value();
  }
  remember(variables, count);
  CALL(glk_optimizer_apply(c, optimizer, variables, gradients, count));
  check_locked(variables, count, "a step");
}

/* The ways of gradient hooks: what they do, and then what they give back. */
enum { LEAVES, HALVES, BREAKS, DISPOSES, SKIPS, FAILS, HOOKS };

static int run_hook(glk_real *gradients, size_t count, void *user) {
  const int way = *(const int *)user;
  for (size_t i = 0; i < count && (way == HALVES || way == BREAKS); i++) {
    gradients[i] = way == HALVES ? gradients[i] / 2 : (glk_real)NAN;
  }
  if (way == DISPOSES && glk_dispose(c, a_variable()) == GLK_OK) BROKEN("a hook disposed");
  return way < SKIPS ? GLK_HOOK_UPDATE : way == SKIPS ? GLK_HOOK_SKIP : -1;
}

static void set_hook(uint32_t k) {
  static int ways[HOOKS] = {LEAVES, HALVES, BREAKS, DISPOSES, SKIPS, FAILS};
  const glk_handle optimizer = an_optimizer();
  const uint32_t way = next_below(&input, HOOKS + 1);
  (void)k;
  CALL(glk_optimizer_hook(c, optimizer, way < HOOKS ? run_hook : NULL, ways + way % HOOKS));
}

/* All that can be trained, or any. */
static uint32_t next_trained(glk_handle program, int asks, glk_handle *out) {
  uint32_t count = 0;
  if (asks) glk_program_trainable(c, program, out, MOST_NAMED, &count);
  if (count > MOST_NAMED) count = MOST_NAMED;
  return count ? count : next_list(next_below(&input, 4), a_variable, out);
}

static void minimize(uint32_t k) {
  glk_handle variables[MOST_NAMED];
  double loss;
  const glk_handle optimizer = an_optimizer(), program = a_program();
  const int asks = next_u8(&input) > 60;
  const uint32_t count = next_trained(program, asks, variables);
  (void)k;
  remember(variables, count);
  const uint32_t steps = next_below(&input, 5);
  CALL_OF_STEPS(glk_optimizer_minimize(c, optimizer, program, variables, count, steps, &loss),
                steps > 1);
  check_locked(variables, count, "minimize");
}

static void solve(uint32_t k) {
  glk_handle variables[MOST_NAMED], h = 0;
  double loss;
  if (!(k & 192)) {
    const uint32_t method = next_below(&input, 3);
    CALL(glk_solver_create(c, (glk_method)method, &h));
    keep(h);
    return;
  }
  const glk_handle solver = a_solver(), program = a_program();
  const uint32_t count = next_trained(program, 1, variables);
  remember(variables, count);
  const uint32_t steps = next_below(&input, 4);
  CALL_OF_STEPS(glk_solver_minimize(c, solver, program, variables, count, steps, &loss), 1);
  check_locked(variables, count, "a solver");
}

static void read_slots(uint32_t k) {
  float reals[64];
  uint32_t clock[64];
  double free_norm, norm;
  const glk_handle optimizer = an_optimizer(), variable = a_variable();
  const size_t n = elements_of(variable, 65);
  (void)k;
  if (n > 64) return;
  glk_optimizer_average(c, optimizer, variable, reals, n);
  glk_optimizer_slot(c, optimizer, variable, next_below(&input, 4), reals, n);
  glk_optimizer_clock(c, optimizer, variable, clock, n);
  glk_optimizer_rates(c, optimizer, variable, reals, n);
  glk_optimizer_norms(c, optimizer, &free_norm, &norm);
}

/* Of one into another, which may be of another rule. */
static void save_and_load(uint32_t k) {
  const double also[2] = {1, 2};
  double found[2];
  glk_handle variables[4];
  size_t size, written = 0;
  uint32_t offender;
  const glk_handle from = a_trainer(), to = a_trainer();
  const glk_handle program = next_u8(&input) & 1 ? a_program() : 0;
  const uint32_t count = next_list(next_below(&input, 4), a_variable, variables);
  (void)k;
  if (glk_state_save(c, from, program, variables, count, also, 2, NULL, 0, &size) != GLK_OK) return;
  if (size >= 1u << 18) return;
  uint8_t *state = malloc(size);
  if (glk_state_save(c, from, program, variables, count, also, 2, state, size, &written) ==
      GLK_OK) {
    if (written != size) BROKEN("%zu bytes were measured, %zu saved", size, written);
    const int force = (int)next_below(&input, 2);
    CALL(glk_state_load(c, to, program, variables, count, found, 2, state, size, force, &offender));
  }
  free(state);
}

/* -------------------------------------------------------------------------------------- and the rest */

static void dispose(uint32_t k) {
  const uint32_t i = next_below(&input, SLOTS);
  const glk_handle handle = slots[i];
  (void)k;
  if (!handle) return;
  if (next_u8(&input) & 1) slots[i] = 0; /* else it stays, stale */
  CALL(glk_dispose(c, handle));
  if (next_u8(&input) & 1) CALL(glk_dispose(c, handle));
}

static void look_or_fail(uint32_t k) {
  float reals[16];
  uint64_t digest;
  glk_program_info info;
  glk_handle found[8];
  uint32_t count;
  if (k & 64) {
    memory.countdown = 1 + next_below(&input, 24);
    return;
  }
  const glk_handle value = a_value();
  CALL(glk_digest(c, value, &digest));
  const size_t n = elements_of(value, 17);
  if (n <= 16) CALL(glk_read(c, value, reals, n));
  glk_program_describe(c, value, &info);
  glk_state_variables(c, value, found, 8, &count);
}

typedef void command(uint32_t k);

/* By the byte that names them; ops weigh most. */
static command *const commands[] = {make_tensor,     make_variable,  make_locks,     add_indices,
                                    add_slice,       add_mask,       add_choice,     combine,
                                    derive_locks,    combine_holder, give_policy,    copy_holder,
                                    audit,           pack,           assign,         fix,
                                    scatter,         apply_op,       apply_op,       apply_op,
                                    apply_op,        apply_op,       apply_op,       apply_op,
                                    apply_op,        apply_op,       set_hook,       begin_program,
                                    end_program,     end_program,    cancel_program, run_program,
                                    read_output,     take_gradient,  take_gradients, customize,
                                    make_optimizer,  set_options,    schedule,       treat_variable,
                                    apply_gradients, minimize,       minimize,       read_slots,
                                    solve,           save_and_load,  dispose,        look_or_fail};

enum { COMMANDS = sizeof commands / sizeof *commands };

#endif
