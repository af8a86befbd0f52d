/* Random programs: graphs of ops drawn from the op table, with random shapes (rank 0, size 0), random attributes
 * (many of them nonsense), constants, variables and locks. Each is computed op by op, on a tape, and compiled, more
 * than once: the same bits in all ways, values and gradients. What is refused is refused in every way with the same
 * typed error, which names the op, and leaves nothing behind. Some programs run out of memory at every allocation on
 * the way. The digests of all results are printed: they are the same natively and as WebAssembly.
 *
 * No row takes part by name: a new one does by itself, and a public row that did not succeed often enough fails the run.
 *
 * GLK_PROGRAMS=n runs n programs instead of the usual number.
 */
#include "random_programs.h"

enum { PROGRAMS = 6000, LEAST = 100, OUTPUTS = 8 };

static const char *sample_of(uint32_t op) {
  (void)op;
  return NULL;
}

/* --------------------------------------------------------------------------- memory that runs out */

typedef struct meter {
  long countdown; /* fails the countdown-th request from now; negative: never */
  size_t live, failures;
} meter;

static meter memory = {.countdown = -1};

static void *meter_allocate(void *user, size_t bytes, size_t alignment) {
  meter *m = user;
  if (bytes > most_bytes) return NULL;
  if (m->countdown > 0 && --m->countdown == 0) {
    m->failures++;
    m->countdown = -1;
    return NULL;
  }
  void *out = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  m->live += out != NULL;
  return out;
}

static void meter_release(void *user, void *block) {
  ((meter *)user)->live--;
  free(block);
}

static int is_starved; /* every call fails at each of its allocations before it succeeds */

static size_t objects_held(void) {
  glk_memory held;
  glk_context_memory(c, &held);
  return held.objects;
}

/* Each failure five times: what a failed call may keep (room in a list, a gradient that was found before a plan for
 * it was not) is there after a few, and the last must not leave more behind than the one before it. */
#define CALL(status, call)                                                                       \
  do {                                                                                           \
    const size_t objects_before = objects_held();                                                \
    size_t blocks = 0;                                                                           \
    for (long attempt = 5, is_done = 0; !is_done; attempt++) {                                   \
      memory.countdown = is_starved ? attempt / 5 : -1;                                          \
      const size_t failed = memory.failures;                                                     \
      status = (call);                                                                           \
      memory.countdown = -1;                                                                     \
      is_done = memory.failures == failed;                                                       \
      if (is_done) break;                                                                        \
      CHECK_MSG(status == GLK_ERROR_OUT_OF_MEMORY, "%s, allocation %ld: %s", #call, attempt / 5, \
                glk_status_name(status));                                                        \
      CHECK_MSG(objects_held() == objects_before, "%s: an object more", #call);                  \
      CHECK_MSG(attempt % 5 != 4 || memory.live <= blocks, "%s, allocation %ld leaks", #call,    \
                attempt / 5);                                                                    \
      blocks = memory.live;                                                                      \
    }                                                                                            \
  } while (0)

/* -------------------------------------------------------------------------------------- outcomes */

typedef struct outcome {
  uint32_t count;
  uint64_t digests[OUTPUTS];
} outcome;

static outcome wanted; /* op by op */
static uint32_t outputs[OUTPUTS];
static int draws_anew[VALUES]; /* depends on a row that takes a seed: a second run differs */
static uint64_t all_digests;

static void mix(uint64_t digest) { all_digests = (all_digests ^ digest) * 1099511628211u; }

static uint64_t digest_of(glk_handle handle, const glk_shape *shape) {
  glk_shape is = {0};
  uint64_t digest = 0;
  OK(glk_shape_of(c, handle, &is.rank, is.dims));
  CHECK(is.rank == shape->rank && !memcmp(is.dims, shape->dims, is.rank * sizeof *is.dims));
  OK(glk_digest(c, handle, &digest));
  return digest;
}

static void print_program(void) {
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    if (s->status != GLK_OK) continue;
    printf("  v%u = %s(", s->value, glk_ops[s->op]->name);
    for (uint32_t k = 0; k < glk_ops[s->op]->inputs; k++) printf(" v%u", s->in[k]);
    printf(" ;");
    for (uint32_t k = 0; k < s->attributes.count; k++) printf(" %g", s->attributes.values[k]);
    printf(" ) [");
    const glk_shape *shape = &program.shapes[s->value];
    for (uint32_t a = 0; a < shape->rank; a++) printf("%s%u", a ? "," : "", shape->dims[a]);
    printf("]\n");
  }
}

/* ----------------------------------------------------------------------------------- the other ways */

static glk_handle variables[LEAVES];
static uint32_t variable_count;

static glk_handle make_leaf(const leaf *l) {
  glk_handle out = 0;
  glk_status status;
  const glk_shape *s = &l->shape;
  if (l->is_variable) {
    CALL(status, glk_variable_create(c, s->rank, s->dims, l->values, s->count, "it", 1, &out));
    variables[variable_count++] = out;
  } else {
    CALL(status, glk_tensor_create(c, s->rank, s->dims, l->values, s->count, &out));
  }
  OK(status);
  return out;
}

static void make_leaves(glk_handle *h) {
  variable_count = 0;
  for (uint32_t i = 0; i < program.leaf_count; i++) {
    h[program.leaves[i].value] = make_leaf(&program.leaves[i]);
  }
}

/* Refused while recording as it was at once. Only a trace may learn later, when it runs, that values are bad. */
static void check_refused_again(const step *s, glk_status status, glk_handle result,
                                glk_record_mode mode) {
  const char *name = glk_ops[s->op]->name;
  if (mode == GLK_TRACE && status == GLK_OK) {
    OK(glk_dispose(c, result));
    return;
  }
  CHECK_MSG(status == s->status, "%s: %s while recording, %s at once", name,
            glk_status_name(status), glk_status_name(s->status));
  CHECK_MSG(!strcmp(glk_context_detail(c), s->detail), "%s while recording, %s at once",
            glk_context_detail(c), s->detail);
}

/* Record the program over leaves that exist. */
static glk_handle record(glk_record_mode mode, glk_handle *h) {
  glk_handle list[OUTPUTS], out = 0;
  glk_status status;
  CALL(status, glk_program_begin(c, mode));
  OK(status);
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    const glk_attributes *a = &s->attributes;
    glk_handle in[GLK_MAX_INPUTS] = {0}, result = 0;
    for (uint32_t k = 0; k < glk_ops[s->op]->inputs; k++) in[k] = h[s->in[k]];
    CALL(status, glk_apply(c, s->op, in, glk_ops[s->op]->inputs, a->values, a->count, &result));
    if (s->status != GLK_OK) {
      check_refused_again(s, status, result, mode);
    } else if (OK(status)) {
      h[s->value] = result;
    }
  }
  for (uint32_t i = 0; i < wanted.count; i++) list[i] = h[outputs[i]];
  CALL(status, glk_program_end(c, list, wanted.count, &out));
  OK(status);
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    if (s->status == GLK_OK) OK(glk_dispose(c, h[s->value]));
  }
  return out;
}

static void check_outputs(glk_handle recorded, const char *way, int is_first) {
  for (uint32_t i = 0; i < wanted.count; i++) {
    glk_handle out = 0;
    glk_status status;
    CALL(status, glk_program_output(c, recorded, i, &out));
    if (!OK(status)) continue;
    const uint64_t digest = digest_of(out, &program.shapes[outputs[i]]);
    OK(glk_dispose(c, out));
    if (!is_first && draws_anew[outputs[i]]) continue;
    if (!CHECK_MSG(digest == wanted.digests[i], "v%u differs %s", outputs[i], way)) print_program();
  }
}

/* -------------------------------------------------------------------------------------- gradients */

typedef struct slopes {
  glk_status status[LEAVES];
  uint64_t digests[LEAVES];
} slopes;

static const leaf *leaf_of(uint32_t index) {
  uint32_t seen = 0;
  for (uint32_t i = 0; i < program.leaf_count; i++) {
    if (program.leaves[i].is_variable && seen++ == index) return &program.leaves[i];
  }
  return NULL;
}

static slopes differentiate(glk_handle recorded) {
  slopes out = {{GLK_OK}, {0}};
  for (uint32_t k = 0; k < variable_count; k++) {
    glk_handle d = 0;
    double loss = 0;
    CALL(out.status[k], glk_program_gradient(c, recorded, &variables[k], 1, &loss, &d));
    if (out.status[k] == GLK_OK) {
      out.digests[k] = digest_of(d, &leaf_of(k)->shape);
      OK(glk_dispose(c, d));
    } else {
      CHECK_STATUS(out.status[k], GLK_ERROR_GRADIENT);
    }
  }
  return out;
}

static void check_slopes(const slopes *got, const slopes *want, const char *way) {
  for (uint32_t k = 0; k < variable_count; k++) {
    CHECK_STATUS(got->status[k], want->status[k]);
    if (!CHECK_MSG(got->digests[k] == want->digests[k], "dL/dv%u differs %s", leaf_of(k)->value,
                   way)) {
      print_program();
    }
  }
}

/* All derivatives at once are those that were asked for one by one. */
static void check_together(glk_handle recorded, const slopes *want) {
  glk_handle asked[LEAVES], d[LEAVES];
  uint32_t count = 0, which[LEAVES];
  glk_status status;
  for (uint32_t k = 0; k < variable_count; k++) {
    if (want->status[k] == GLK_OK) which[count] = k, asked[count++] = variables[k];
  }
  if (!count) return;
  CALL(status, glk_program_gradient(c, recorded, asked, count, NULL, d));
  if (!OK(status)) return;
  for (uint32_t i = 0; i < count; i++) {
    CHECK_MSG(digest_of(d[i], &leaf_of(which[i])->shape) == want->digests[which[i]],
              "dL/dv%u differs when all are asked for", leaf_of(which[i])->value);
    OK(glk_dispose(c, d[i]));
  }
}

/* A step changes the free elements, the same way compiled and on a tape, and no other. */
static uint64_t train(glk_handle recorded, const slopes *known) {
  uint64_t digest = 14695981039346656037u;
  for (uint32_t k = 0; k < variable_count; k++) {
    if (known->status[k] != GLK_OK) continue;
    glk_handle optimizer = 0;
    glk_status status;
    double loss;
    const leaf *l = leaf_of(k);
    static uint8_t mask[LEAF_MOST];
    static glk_real after[LEAF_MOST];
    const uint32_t n = l->shape.count;
    for (uint32_t i = 0; i < n; i++) mask[i] = (i * 7 + k) % 3 != 0;
    OK(glk_locks_add_mask(c, variables[k], mask, n));
    CALL(status, glk_optimizer_create(c, GLK_ADAM, &optimizer));
    OK(status);
    CALL(status, glk_optimizer_minimize(c, optimizer, recorded, &variables[k], 1, 1, &loss));
    OK(status);
    OK(glk_dispose(c, optimizer));
    digest = (digest ^ digest_of(variables[k], &l->shape)) * 1099511628211u;
    const glk_real *view;
    size_t count;
    OK(glk_view(c, variables[k], &view, &count));
    memcpy(after, view, count * sizeof *after);
    for (uint32_t i = 0; i < n; i++) {
      if (mask[i]) CHECK_MSG(!memcmp(&after[i], &l->values[i], sizeof *after), "a lock leaked");
    }
    OK(glk_variable_assign(c, variables[k], l->values, n, 1));
    OK(glk_locks_combine(c, variables[k], GLK_LOCKS_AND_NOT, variables[k]));
    break; /* a tape can take one step */
  }
  return digest;
}

/* --------------------------------------------------------------------------------------- programs */

static void choose_outputs(void) {
  wanted.count = 0;
  outputs[wanted.count++] = program.loss;
  while (wanted.count < OUTPUTS) outputs[wanted.count++] = rng_below(program.value_count);
  for (uint32_t i = 0; i < wanted.count; i++) {
    wanted.digests[i] = digest_of(eager[outputs[i]], &program.shapes[outputs[i]]);
    mix(wanted.digests[i]);
  }
  memset(draws_anew, 0, sizeof draws_anew);
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    if (s->status != GLK_OK) continue;
    draws_anew[s->value] = strstr(glk_ops[s->op]->signature, "seed") != NULL;
    for (uint32_t k = 0; k < glk_ops[s->op]->inputs; k++) {
      draws_anew[s->value] |= draws_anew[s->in[k]];
    }
  }
}

/* Rows that the loss went through on its way to a variable, with a gradient to show for it. */
static void count_differentiated(const slopes *s) {
  static int depends[VALUES], matters[VALUES];
  memset(depends, 0, sizeof depends);
  memset(matters, 0, sizeof matters);
  for (uint32_t k = 0; k < variable_count; k++) {
    depends[leaf_of(k)->value] = s->status[k] == GLK_OK;
  }
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *t = &program.steps[i];
    for (uint32_t k = 0; k < glk_ops[t->op]->inputs && t->status == GLK_OK; k++) {
      depends[t->value] |= depends[t->in[k]];
    }
  }
  matters[program.loss] = 1;
  for (uint32_t i = program.step_count; i-- > 0;) {
    const step *t = &program.steps[i];
    if (t->status != GLK_OK || !matters[t->value] || !depends[t->value]) continue;
    experiences[t->op].differentiated++;
    for (uint32_t k = 0; k < glk_ops[t->op]->inputs; k++) matters[t->in[k]] = 1;
  }
}

/* What a trace took but no values can be computed for: running it says so as applying it did. */
static void check_late_refusals(glk_handle *h) {
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    glk_handle in[GLK_MAX_INPUTS] = {0}, result = 0, broken = 0;
    if (s->status == GLK_OK) continue;
    OK(glk_program_begin(c, GLK_TRACE));
    const uint32_t inputs = glk_ops[s->op]->inputs;
    for (uint32_t k = 0; k < inputs; k++) in[k] = h[s->in[k]];
    if (glk_apply(c, s->op, in, inputs, s->attributes.values, s->attributes.count, &result)) {
      glk_program_cancel(c);
      continue;
    }
    OK(glk_program_end(c, &result, 1, &broken));
    for (int again = 0; again < 2; again++) {
      CHECK_STATUS(glk_program_run(c, broken), s->status);
      CHECK_MSG(!strcmp(glk_context_detail(c), s->detail), "%s when run, %s at once",
                glk_context_detail(c), s->detail);
    }
    OK(glk_dispose(c, result));
    OK(glk_dispose(c, broken));
  }
}

static void run_program(void) {
  static glk_handle h[VALUES];
  const size_t before = memory_held();
  glk_status status;
  generate();
  choose_outputs();
  check_late_refusals(eager);
  for (uint32_t v = 0; v < program.value_count; v++) OK(glk_dispose(c, eager[v]));
  CHECK_MSG(memory_held() == before, "computing op by op leaks");

  make_leaves(h);
  const glk_handle tape = record(GLK_TAPE, h), compiled = record(GLK_TRACE, h);
  check_outputs(tape, "on a tape", 1);
  for (int run = 0; run < 2; run++) {
    CALL(status, glk_program_run(c, compiled));
    OK(status);
    check_outputs(compiled, run ? "compiled, in a second run" : "compiled", !run);
  }
  const slopes taped = differentiate(tape);
  const glk_handle fresh = record(GLK_TRACE, h);
  if (!draws_anew[program.loss]) {
    const slopes first = differentiate(compiled), second = differentiate(fresh);
    check_slopes(&first, &taped, "compiled");
    check_slopes(&second, &taped, "compiled and never run before");
    check_together(fresh, &taped);
    CHECK(train(tape, &taped) == train(compiled, &taped));
    CALL(status, glk_program_run(c, fresh));
    OK(status);
    check_outputs(fresh, "compiled, after its gradient", 0);
  }
  count_differentiated(&taped);
  for (uint32_t k = 0; k < variable_count; k++) mix(taped.digests[k]);

  OK(glk_dispose(c, tape));
  OK(glk_dispose(c, compiled));
  OK(glk_dispose(c, fresh));
  for (uint32_t i = 0; i < program.leaf_count; i++) OK(glk_dispose(c, h[program.leaves[i].value]));
  CHECK_MSG(memory_held() == before, "a program leaks");
}

static void begin(void) {
  const glk_allocator allocator = {meter_allocate, meter_release, &memory};
  glk_handle h[2000];
  OK(glk_context_create(&allocator, &c));
  for (int i = 0; i < 2000; i++) glk_locks_create(c, 0, NULL, &h[i]);
  for (int i = 0; i < 2000; i++) glk_dispose(c, h[i]); /* the handle table has its size */
}

static void end(void) {
  glk_context_dispose(c);
  CHECK_EQ(memory.live, 0);
}

static uint32_t programs(void) {
  const char *asked = getenv("GLK_PROGRAMS");
  return asked ? (uint32_t)strtoul(asked, NULL, 10) : PROGRAMS;
}

static void a_program_gives_the_same_bits_in_every_way_and_leaves_nothing(void) {
  begin();
  for (uint32_t i = 0; i < programs(); i++) {
    rng_seed(i + 1); /* which a failure prints */
    run_program();
  }
  end();
}

static void a_program_survives_every_failing_allocation(void) {
  begin();
  is_starved = 1;
  for (uint32_t i = 0; i < programs() / 40; i++) {
    rng_seed(i + 1000001);
    run_program();
  }
  is_starved = 0;
  CHECK_MSG(memory.failures > programs(), "%zu allocations failed", memory.failures);
  end();
}

static void every_row_took_part(void) {
  glk_op_info info;
  for (uint32_t op = 0; op < GLK_OP_COUNT; op++) {
    const experience *e = &experiences[op];
    if (!OK(glk_op_describe(op, &info))) continue;
    const uint32_t least = info.is_public ? LEAST : 1;
    CHECK_MSG(e->succeeded >= least, "%s succeeded %u times of %u, expected %u", info.name,
              e->succeeded, e->tried, least);
    CHECK_MSG(!info.is_differentiable || e->differentiated >= least / 4,
              "%s was differentiated %u times, expected %u", info.name, e->differentiated,
              least / 4);
  }
  printf("digest random programs %016llx\n", (unsigned long long)all_digests);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(a_program_gives_the_same_bits_in_every_way_and_leaves_nothing);
  TEST(a_program_survives_every_failing_allocation);
  if (harness.tests == 2) TEST(every_row_took_part);
  return harness_report();
}
