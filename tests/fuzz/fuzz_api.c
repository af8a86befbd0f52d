/* Drives the whole C interface from bytes: a command, then its arguments. Objects, ops, recordings, programs, tapes, locks,
 * holders, policies, optimizers, solvers and states; stale and foreign handles, disposal in any order, allocations that fail.
 *
 * What is held: a status is a status; a call that fails changes nothing; steps leave locked elements alone, and audits find
 * that they did; what the context says of its memory is so, and nothing outlives it. */
#include "api_input.h"

/* Of larger tensors the values are not looked at, of larger lock sets the first words. */
enum { MOST_NAMED = 8, MOST_OBSERVED = 512 };

static heap memory;
static int has_policies; /* which may lock and free in any step */
static int is_traced;    /* TRACE=1 says which calls are made */

static const char *const holder_names[] = {
    "a",
    "drag",
    "",
    "b",
    "a name of more than sixty-three bytes, which is refused, as it should be.",
    "c"};
static const char *const optimizer_options[] = {"learningRate",
                                                "beta1",
                                                "beta2",
                                                "epsilon",
                                                "momentum",
                                                "nesterov",
                                                "weightDecay",
                                                "clipNorm",
                                                "clipValue",
                                                "globalClipNorm",
                                                "useEma",
                                                "emaMomentum",
                                                "emaOverwriteFrequency",
                                                "gradientAccumulationSteps",
                                                "amsgrad",
                                                "rho",
                                                "centered",
                                                "l1",
                                                "l2",
                                                "nonsense",
                                                "onUnlock"};
static const char *const solver_options[] = {
    "learningRate", "history",        "maxEvaluations", "toleranceGradient", "toleranceChange",
    "damping",      "initialDamping", "increase",       "decrease",          "nonsense"};

static const char *next_holder(void) { return holder_names[next_below(&input, 6)]; }

/* -------------------------------------------------------------------------------- what can be observed */

static uint64_t mix(uint64_t hash, const void *data, size_t size) {
  const uint8_t *p = data;
  while (size--) hash = (hash ^ *p++) * 1099511628211u;
  return hash;
}

static uint64_t mix_values(uint64_t hash, glk_handle h) {
  uint32_t rank = 0, dims[GLK_MAX_RANK] = {0};
  uint64_t digest = 0;
  glk_shape_of(c, h, &rank, dims);
  hash = mix(hash, dims, rank * sizeof *dims);
  if (product(rank, dims) <= MOST_OBSERVED) glk_digest(c, h, &digest);
  return mix(hash, &digest, sizeof digest);
}

static uint64_t mix_locks(uint64_t hash, glk_handle h) {
  const uint32_t *words;
  const char *name;
  size_t count;
  if (glk_locks_words(c, h, &words, &count) == GLK_OK) {
    hash = mix(hash, words, (count < MOST_OBSERVED ? count : MOST_OBSERVED) * sizeof *words);
  }
  for (uint32_t i = 0; glk_holder_name(c, h, i, &name) == GLK_OK; i++) {
    uint32_t steps = 0;
    hash = mix(hash, name, strlen(name));
    glk_holder_steps(c, h, name, &steps);
    hash = mix(hash, &steps, sizeof steps);
  }
  return hash;
}

static uint64_t mix_optimizer(uint64_t hash, glk_handle h) {
  double iterations = 0, rate = 0, numbers[GLK_MAX_SCHEDULE];
  uint32_t kind = 0, count = 0;
  glk_optimizer_iterations(c, h, &iterations);
  glk_optimizer_get(c, h, "learningRate", &rate);
  glk_optimizer_scheduled(c, h, &kind, numbers, &count);
  hash = mix(mix(hash, &iterations, sizeof iterations), &rate, sizeof rate);
  return mix(mix(hash, &kind, sizeof kind), numbers, count * sizeof *numbers);
}

static uint64_t mix_trainer_or_program(uint64_t hash, glk_handle h, glk_kind kind) {
  if (kind == GLK_KIND_OPTIMIZER) return mix_optimizer(hash, h);
  if (kind == GLK_KIND_SOLVER) {
    glk_solver_info info;
    memset(&info, 0, sizeof info);
    glk_solver_describe(c, h, &info);
    return mix(hash, &info, sizeof info);
  }
  glk_program_info info = {0};
  if (kind == GLK_KIND_PROGRAM) glk_program_describe(c, h, &info);
  return mix(hash, &info.runs, sizeof info.runs);
}

static uint64_t observe(void) {
  uint64_t hash = 14695981039346656037u;
  glk_memory held;
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (!slots[i]) continue;
    const glk_kind kind = glk_handle_kind(c, slots[i]);
    hash = mix(hash, &kind, sizeof kind);
    if (kind == GLK_KIND_TENSOR || kind == GLK_KIND_VARIABLE) hash = mix_values(hash, slots[i]);
    if (kind == GLK_KIND_LOCKS || kind == GLK_KIND_VARIABLE) hash = mix_locks(hash, slots[i]);
    hash = mix_trainer_or_program(hash, slots[i], kind);
  }
  glk_context_memory(c, &held);
  return mix(hash, &held.objects, sizeof held.objects);
}

static glk_status judge(const char *call, glk_status status, uint64_t before, int may_change) {
  if (is_traced) {
    fprintf(stderr, "%s: %s %s\n", call, glk_status_name(status),
            status ? glk_context_detail(c) : "");
  }
  if ((unsigned)status >= GLK_STATUS_COUNT) BROKEN("%s gave %d", call, status);
  if (status != GLK_OK && !may_change && observe() != before) {
    BROKEN("%s failed with %s and changed something", call, glk_status_name(status));
  }
  return status;
}

/* A call that changes nothing if it fails. */
#define CALL(call) CALL_OF_STEPS(call, 0)
/* Where the steps before a failing one stay. */
#define CALL_OF_STEPS(call, may_change)       \
  __extension__({                             \
    const uint64_t before = observe();        \
    judge(#call, (call), before, may_change); \
  })

/* ------------------------------------------------------------------------------- what locks promise */

static uint8_t masks[MOST_NAMED][VALUES];
static float olds[MOST_NAMED][VALUES];

static void remember(const glk_handle *variables, uint32_t count) {
  for (uint32_t i = 0; i < count && i < MOST_NAMED && !has_policies; i++) {
    const size_t n = elements_of(variables[i], VALUES + 1);
    const float *at;
    size_t found;
    if (n > VALUES || glk_locks_to_mask(c, variables[i], masks[i], n) != GLK_OK) continue;
    if (glk_view(c, variables[i], &at, &found) == GLK_OK && n) memcpy(olds[i], at, n * sizeof *at);
  }
}

static void check_locked(const glk_handle *variables, uint32_t count, const char *what) {
  for (uint32_t i = 0; i < count && i < MOST_NAMED && !has_policies; i++) {
    const float *at;
    size_t n;
    if (glk_handle_kind(c, variables[i]) != GLK_KIND_VARIABLE) continue;
    if (glk_view(c, variables[i], &at, &n) != GLK_OK || n > VALUES) continue;
    for (size_t k = 0; k < n; k++) {
      if (masks[i][k] && memcmp(&at[k], &olds[i][k], sizeof *at))
        BROKEN("%s moved a locked element", what);
    }
  }
}

#include "api_commands.h"

/* ------------------------------------------------------------------------------------------- one input */

static void make_strangers(glk_context *other) {
  const uint32_t dims[2] = {2, 2};
  glk_tensor_create(other, 2, dims, NULL, 4, &foreign[0]);
  glk_variable_create(other, 2, dims, NULL, 4, "f", 1, &foreign[1]);
  glk_locks_create(other, 2, dims, &foreign[2]);
  glk_optimizer_create(other, GLK_ADAM, &foreign[3]);
}

/* To begin with: three variables and a tensor that go together. */
static void make_first(void) {
  const uint32_t dims[2] = {3, 3};
  for (uint32_t i = 0; i < 4; i++) {
    const float *nine = next_values(9);
    glk_handle h = 0;
    if (i == 3) {
      glk_tensor_create(c, 2, dims, nine, 9, &h);
    } else {
      glk_variable_create(c, 2, dims, nine, 9, "v", 1, &h);
    }
    keep(h);
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  enum { MOST_COMMANDS = 160 };
  heap beside = {.most = (size_t)1 << 20, .countdown = -1};
  glk_memory held;
  if (!op_count) describe_ops();
  is_traced = getenv("TRACE") != NULL;
  input = (bytes){data, size};
  memory = (heap){.most = (size_t)3 << 20, .countdown = -1};
  memset(slots, 0, sizeof slots);
  next_slot = 0;
  has_policies = 0;
  c = context_on(&memory);
  glk_context *other = context_on(&beside);
  make_strangers(other);
  make_first();
  for (int i = 0; i < MOST_COMMANDS && input.left; i++) {
    const uint32_t k = next_u8(&input);
    commands[k % COMMANDS](k);
  }
  memory.countdown = -1;
  glk_context_memory(c, &held);
  if (held.bytes > memory.live + 4096 || held.allocations > memory.blocks) {
    BROKEN("the context holds %zu bytes by its own account, %zu by the allocator's", held.bytes,
           memory.live);
  }
  dispose_all(c, &memory);
  dispose_all(other, &beside);
  return 0;
}
