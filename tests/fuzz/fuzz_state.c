/* Bytes of a state: they are refused and nothing changes, or training goes on from them: saving gives a fixed point, steps
 * leave locked elements alone, and no more memory is asked for than such bytes can fill.
 *
 * Input: which optimizer or solver (its rule, 10 and 11 the solvers), how it is set up (a bit each), the state. */
#include "fuzz.h"

enum { MOST = 64, SOLVERS_FROM = 10 };

static glk_context *c;
static glk_handle trained, program, x[2];
static uint32_t sizes[2], is_solver;

#ifdef GLK_FUZZING
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

enum { HEAD_BYTES = 2 + 16 }; /* what is before the items */

static uint32_t draw(unsigned *seed, uint32_t n) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % n;
}

/* Some number of the state becomes one of those that software trips over. */
static void write_special(uint8_t *data, size_t size, unsigned *seed) {
  static const double reals[] = {
      0,     -0.0,   1,      -1,     0.5,  2,   3, 1e9, 4294967295.0, 4294967296.0,
      1e300, -1e300, 1e-310, 0x1p53, 1e10, 1e-3};
  static const uint32_t words[] = {0,  1,   2,     3,          31,          32,
                                   33, 255, 65536, 0x7fffffff, 0x80000000u, 0xffffffffu};
  const size_t at = HEAD_BYTES + draw(seed, (uint32_t)(size - HEAD_BYTES));
  double real = reals[draw(seed, 16)];
  const uint32_t word = words[draw(seed, 12)], kind = draw(seed, 4);
  if (draw(seed, 8) == 0) real = draw(seed, 2) ? __builtin_nan("") : __builtin_inf();
  const float single = (float)real;
  if (kind == 0 && at + sizeof real <= size) {
    memcpy(data + at, &real, sizeof real);
  } else if (kind == 1 && at + sizeof word <= size) {
    memcpy(data + at, &word, sizeof word);
  } else if (kind == 2 && at + sizeof single <= size) {
    memcpy(data + at, &single, sizeof single);
  } else {
    data[at] = (uint8_t)draw(seed, 256);
  }
}

/* Take a stretch away, or have it twice. */
static size_t cut_or_repeat(uint8_t *data, size_t size, size_t most, unsigned *seed) {
  const size_t at = HEAD_BYTES + draw(seed, (uint32_t)(size - HEAD_BYTES));
  size_t count = 1 + draw(seed, 48);
  if (at + count > size) count = size - at;
  if (draw(seed, 2)) {
    memmove(data + at, data + at + count, size - at - count);
    return size - count;
  }
  if (size + count > most) return size;
  memmove(data + at + count, data + at, size - at);
  return size + count;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
  unsigned drawn = seed;
  const uint32_t kind = size < 30 ? 9 : draw(&drawn, 8);
  if (kind < 3) {
    write_special(data, size, &drawn);
  } else if (kind < 5) {
    size = cut_or_repeat(data, size, most, &drawn);
  } else {
    size = LLVMFuzzerMutate(data, size, most);
  }
  if (seed % 16 == 0 || size < 24) return size; /* else a frame that is right */
  const uint32_t version = 1;
  const uint64_t total = size - 2;
  memcpy(data + 2, "GLKS", 4);
  memcpy(data + 6, &version, sizeof version);
  memcpy(data + 10, &total, sizeof total);
  const uint32_t hash = checksum(data + 2, size - 2 - 4);
  memcpy(data + size - 4, &hash, sizeof hash);
  return size;
}
#endif

/* ------------------------------------------------------------------------------------- what is trained */

static glk_handle locks_at(uint32_t count, const uint32_t *at, uint32_t n) {
  glk_handle set = 0;
  glk_locks_create(c, 1, &count, &set);
  if (n) glk_locks_add_indices(c, set, at, n);
  return set;
}

static void make_variables(uint32_t way) {
  const uint32_t grid[2] = {3, 2}, indices[2][2] = {{1, 4}, {0, 3}};
  float values[48];
  for (int i = 0; i < 48; i++) values[i] = 0.1f * (float)i - 1;
  sizes[0] = 6;
  sizes[1] = way & 8 ? 40 : 5;
  glk_variable_create(c, 2, grid, values, sizes[0], "x", 1, &x[0]);
  glk_variable_create(c, 1, &sizes[1], values, sizes[1], "y", 1, &x[1]);
  if (way & 1) glk_locks_add_indices(c, x[0], indices[0], 2);
  if (!(way & 2)) return;
  const glk_policy policy = {.choice = {.amount = 0.5, .is_fraction = 1, .by = GLK_BY_MAGNITUDE},
                             .every = 2,
                             .to = 1,
                             .over = 4};
  const glk_handle some = locks_at(sizes[1], indices[1], 2), none = locks_at(sizes[1], NULL, 0);
  glk_holder_combine(c, x[1], "drag", GLK_LOCKS_SET, some);
  if (!is_solver && (way & 16)) glk_holder_policy(c, x[1], "policy", &policy);
  if (!is_solver && (way & 32)) {
    const uint32_t steps[2] = {0, 3};
    const glk_handle sets[2] = {some, none};
    glk_holder_schedule(c, x[1], "table", steps, sets, 2, 0);
  }
  glk_dispose(c, some);
  glk_dispose(c, none);
}

static void make_optimizer(uint32_t rule, uint32_t way) {
  static const struct {
    const char *name;
    double value;
  } options[] = {{"useEma", 1},        {"amsgrad", 1},    {"gradientAccumulationSteps", 2},
                 {"weightDecay", 0.1}, {"momentum", 0.1}, {"clipnorm", 0.1},
                 {"centered", 1}};
  const double decay[4] = {0.1, 10, 0.9, 0};
  const float factors[6] = {1, 0, 2, 1, 1, 0.5f};
  const uint32_t axis = 0;
  glk_optimizer_create(c, (glk_rule)(rule % GLK_RULE_COUNT), &trained);
  for (uint32_t k = 0; k < 7; k++) {
    if (way >> k % 6 & 1) glk_optimizer_set(c, trained, &options[k].name, &options[k].value, 1);
  }
  if (way & 4) glk_optimizer_schedule(c, trained, GLK_EXPONENTIAL, decay, 4);
  if (way & 1) glk_optimizer_scale_rate(c, trained, x[0], factors, 6);
  if (way & 4) glk_optimizer_constrain(c, trained, x[0], GLK_MAX_NORM, 0, 10, &axis, 1);
}

static glk_handle apply(const char *name, glk_handle a, glk_handle b) {
  const glk_handle in[2] = {a, b};
  glk_handle out = 0;
  uint32_t op = 0;
  if (glk_op_find(c, name, &op) || glk_apply(c, op, in, b ? 2 : 1, NULL, 0, &out)) {
    BROKEN("%s: %s", name, glk_context_detail(c));
  }
  return out;
}

/* The squares of both, added up; for residuals, of the first alone. */
static void record(int has_residuals) {
  glk_program_begin(c, GLK_TRACE);
  const glk_handle a = apply("square", x[0], 0), b = apply("square", x[1], 0);
  glk_handle out = a;
  if (!has_residuals) out = apply("add", apply("sum", a, 0), apply("sum", b, 0));
  if (glk_program_end(c, &out, 1, &program)) BROKEN("%s", glk_context_detail(c));
}

static void make(uint32_t which, uint32_t way) {
  is_solver = which >= SOLVERS_FROM;
  make_variables(way);
  if (is_solver) {
    glk_solver_create(c, (glk_method)((which - SOLVERS_FROM) % GLK_METHOD_COUNT), &trained);
  } else {
    make_optimizer(which, way);
  }
  record(is_solver && (which - SOLVERS_FROM) % 2);
}

/* ---------------------------------------------------------------------------------------- what is held */

static uint32_t variable_count(void) {
  glk_handle read[4];
  uint32_t count = 0;
  glk_program_variables(c, program, read, 4, &count);
  return count;
}

static void take_steps(uint32_t steps) {
  double loss;
  const uint32_t count = variable_count();
  if (is_solver) {
    glk_solver_minimize(c, trained, program, x, count, steps, &loss);
  } else {
    glk_optimizer_minimize(c, trained, program, x, count, steps, &loss);
  }
}

static uint8_t *save(size_t *out_size) {
  const double also = 7;
  const glk_handle of = is_solver ? program : 0;
  const uint32_t count = variable_count();
  size_t again = 0;
  if (glk_state_save(c, trained, of, x, count, &also, 1, NULL, 0, out_size)) {
    BROKEN("measuring: %s", glk_context_detail(c));
  }
  uint8_t *out = malloc(*out_size);
  if (glk_state_save(c, trained, of, x, count, &also, 1, out, *out_size, &again)) {
    BROKEN("saving: %s", glk_context_detail(c));
  }
  if (again != *out_size) BROKEN("%zu bytes were measured, %zu saved", *out_size, again);
  return out;
}

static glk_status load(const uint8_t *data, size_t size, int force) {
  double also = 0;
  uint32_t offender = 0;
  return glk_state_load(c, trained, is_solver ? program : 0, x, variable_count(), &also, 1, data,
                        size, force, &offender);
}

static int has_holders(void) {
  const char *name;
  return glk_holder_name(c, x[0], 0, &name) == GLK_OK ||
         glk_holder_name(c, x[1], 0, &name) == GLK_OK;
}

/* Policies may lock and free in every step; without them what is locked stays. */
static void check_steps(void) {
  uint8_t masks[2][MOST];
  float before[2][MOST], after[MOST];
  for (int i = 0; i < 2; i++) {
    glk_locks_to_mask(c, x[i], masks[i], sizes[i]);
    glk_read(c, x[i], before[i], sizes[i]);
  }
  const int may_move = has_holders();
  take_steps(2);
  for (int i = 0; i < 2 && !may_move; i++) {
    glk_read(c, x[i], after, sizes[i]);
    for (uint32_t k = 0; k < sizes[i]; k++) {
      if (masks[i][k] && memcmp(&after[k], &before[i][k], sizeof *after))
        BROKEN("a locked element moved");
    }
  }
}

static void check_fixed_point(void) {
  size_t sizes_of[2];
  uint8_t *first = save(&sizes_of[0]);
  if (load(first, sizes_of[0], 1) != GLK_OK) BROKEN("own state: %s", glk_context_detail(c));
  uint8_t *second = save(&sizes_of[1]);
  if (sizes_of[0] != sizes_of[1] || memcmp(first, second, sizes_of[0]))
    BROKEN("another state is saved");
  free(first);
  free(second);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  heap memory = {.most = (size_t)256 << 20, .countdown = -1};
  size_t before, after;
  if (size < 2) return 0;
  c = context_on(&memory);
  const uint32_t way = data[1];
  make(data[0] % 12, way);
  if (way & 64) take_steps(3);
  uint8_t *was = save(&before);
  memory.largest = 0;
  const glk_status status = load(data + 2, size - 2, (int)(way >> 7));
  if (memory.largest > 65536 + 16 * size) BROKEN("%zu bytes ask for %zu", size, memory.largest);
  if (status == GLK_OK) {
    check_fixed_point();
    check_steps();
    free(save(&after));
  } else {
    uint8_t *is = save(&after);
    if (before != after || memcmp(was, is, before)) {
      BROKEN("refused with %s, and something changed", glk_status_name(status));
    }
    free(is);
  }
  free(was);
  dispose_all(c, &memory);
  return 0;
}
