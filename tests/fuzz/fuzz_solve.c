/* Fits and training by construction (solve_problem.h): steps of solvers and optimizers, and between
 * them locks, bounds, options, schedules, policies, writes and states. Each input is run twice. The
 * second time memory fails at each allocation of a call before it succeeds, and states carry the
 * training to another context. Both times every call must leave the same bits.
 *
 * What is held: locked elements, their slots and clocks keep their bits, and audits agree. Elements
 * stay within bounds. A solver's loss is that of its variables, and never rises. Its counts and its
 * reason to stop are true. A schedule gives the rate. A call that fails changes nothing. */
#include "solve_promises.h"

enum { COMMANDS_RUN = 20, STATE_BYTES = 1 << 19 };

typedef struct saved {
  size_t size;
  uint64_t digest;
  uint8_t bytes[STATE_BYTES];
} saved;

static saved now, snapshot;
static int is_disturbed;
static uint32_t steps_asked; /* by the command before, if it succeeded */

static glk_status train(void);

/* -------------------------------------------------------------------------------------- states */

/** The state, runs of the program, and how many objects there are: all that can be observed. */
static uint64_t observe(void) {
  const long countdown = stop_countdown();
  glk_program_info info;
  glk_memory held;
  const glk_handle of = is_solver() ? program : 0;
  glk_program_describe(c, program, &info);
  const double runs = info.runs;
  if (glk_state_save(c, trainer, of, x, p.count, &runs, 1, now.bytes, STATE_BYTES, &now.size)) {
    BROKEN("saving: %s", glk_context_detail(c));
  }
  glk_context_memory(c, &held);
  now.digest = checksum(now.bytes, now.size) + ((uint64_t)held.objects << 32);
  memory.countdown = countdown;
  return now.digest;
}

static glk_status load(const saved *from, int force) {
  double runs = 0;
  const glk_handle of = is_solver() ? program : 0;
  const glk_status status =
      glk_state_load(c, trainer, of, x, p.count, &runs, 1, from->bytes, from->size, force, NULL);
  if (status == GLK_OK) glk_program_resume(c, program, (uint32_t)runs);
  return status;
}

static void copy_state(saved *out) {
  observe();
  memcpy(out, &now, offsetof(saved, bytes) + now.size);
}

static glk_status keep_state(void) {
  copy_state(&snapshot);
  return GLK_OK;
}

static glk_status load_state(void) {
  const int force = (int)next_below(&input, 2);
  if (!snapshot.size) return GLK_OK;
  const glk_status status = load(&snapshot, force);
  if (status == GLK_OK && observe() != snapshot.digest) BROKEN("another state than was loaded");
  return status;
}

/* States hold schedules, but that the caller sets the rate it must say again. */
static int has_own_schedule(void) {
  double numbers[GLK_MAX_SCHEDULE];
  uint32_t kind = 0, count;
  return glk_optimizer_scheduled(c, trainer, &kind, numbers, &count) == GLK_OK &&
         kind == GLK_OWN_SCHEDULE;
}

/** Go on in another context, from a state; undisturbed, in the same. A solver does so after a step:
 *  what it has learnt is not saved while other locks hide it. */
static glk_status move(void) {
  static saved carried;
  if (!is_disturbed || (is_solver() && !steps_asked)) return GLK_OK;
  stop_countdown();
  copy_state(&carried);
  const int is_own = has_own_schedule();
  dispose_all(c, &memory);
  make();
  if (is_own) glk_optimizer_schedule(c, trainer, GLK_OWN_SCHEDULE, NULL, 0);
  if (load(&carried, 0)) BROKEN("own state: %s", glk_context_detail(c));
  return GLK_OK;
}

/* -------------------------------------------------------------------------------------- training */

static glk_status solve(uint32_t steps, int is_measured) {
  glk_solver_info info;
  double loss;
  const double before = is_measured ? measure() : NAN;
  glk_solver_describe(c, trainer, &info);
  const glk_status status = glk_solver_minimize(c, trainer, program, x, p.count, steps, &loss);
  if (status) return status;
  stop_countdown();
  check_stop(&info, steps);
  for (uint32_t i = 0; i < p.count && steps; i++) check_bounds(i);
  if (is_measured) check_loss(before, loss);
  return status;
}

/* Given gradients, or those of the loss. */
static glk_status optimize(uint32_t steps, int is_given) {
  glk_handle gradients[2] = {0};
  glk_real values[MOST];
  glk_status status = GLK_OK;
  for (uint32_t i = 0; i < p.count && is_given && !status; i++) {
    const uint32_t dims[2] = {p.sizes[i], 1};
    next_reals(values, p.sizes[i]);
    status = glk_tensor_create(c, 2, dims, values, dims[0], &gradients[i]);
  }
  if (!status) {
    status = is_given ? glk_optimizer_apply(c, trainer, x, gradients, p.count)
                      : glk_optimizer_minimize(c, trainer, program, x, p.count, steps, NULL);
  }
  for (int i = 0; i < 2; i++) glk_dispose(c, gradients[i]);
  return status;
}

/* What the byte behind the command says: how many steps, and one thing more. */
static uint32_t steps_of(uint32_t k) { return k % 5; }
static int is_marked(uint32_t k) { return (int)(k / 5 % 2); }

static glk_status train(void) {
  const uint32_t k = next_u8(&input), steps = steps_of(k);
  const int marked = is_marked(k);
  steps_asked = steps;
  remember();
  const glk_status status = is_solver() ? solve(steps, marked) : optimize(steps, marked);
  if (status) return status;
  stop_countdown();
  for (uint32_t i = 0; i < p.count && (steps || marked); i++) {
    check_locked(i, !is_solver() && marked ? 1 : steps);
  }
  return status;
}

#include "solve_commands.h"

/* ------------------------------------------------------------------------------------- an input */

/* What a failing call must not change. A step of an optimizer that fails may keep memory, which its
 * state shows. */
static uint64_t unchanging(command *call) {
  return call == train && !is_solver() ? picture() : observe();
}

/* True if a call may fail between its steps, of which the first ones stay: policies change locks
 * there, and gradients that are pending need memory. */
static int may_stay(command *call) {
  const uint32_t k = input.left ? *input.at : 0; /* as train reads it */
  double calls = 1;
  if (call != train || is_solver() || is_marked(k) || steps_of(k) < 2) return 0;
  glk_optimizer_get(c, trainer, "gradientAccumulationSteps", &calls);
  return has_policies || calls > 1;
}

/* Each allocation of the call fails once, until there is none that has not. */
static void run_command(uint32_t k) {
  command *call = commands[k % COMMANDS];
  const int stays = may_stay(call), may_fail = is_disturbed && k >= 128 && !stays;
  const bytes at = input;
  const uint64_t before = unchanging(call);
  glk_status status = GLK_ERROR_OUT_OF_MEMORY;
  for (long n = 1; status == GLK_ERROR_OUT_OF_MEMORY; n++) {
    input = at;
    memory.countdown = may_fail ? n : -1;
    status = call();
    memory.countdown = -1;
    if (status && !stays && unchanging(call) != before) BROKEN("%u failed with a change", k);
    if (!may_fail && status == GLK_ERROR_OUT_OF_MEMORY) BROKEN("command %u has no memory", k);
  }
  if (status || call != train) steps_asked = 0;
  if (!is_solver()) check_rate();
}

static void run(uint64_t *seen) {
  make();
  snapshot.size = 0;
  has_policies = 0;
  steps_asked = 0;
  for (int i = 0; i < COMMANDS_RUN && input.left; i++) {
    const uint32_t k = next_u8(&input);
    run_command(k);
    const uint64_t digest = observe();
    if (is_disturbed && digest != seen[i]) BROKEN("command %u has another result", k);
    seen[i] = digest;
  }
  dispose_all(c, &memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint64_t seen[COMMANDS_RUN];
  input = (bytes){data, size};
  read_problem();
  const bytes at = input;
  for (is_disturbed = 0; is_disturbed < 2; is_disturbed++) {
    input = at;
    run(seen);
  }
  return 0;
}
