/* A program that was built op by op (programs.h) gives the same bits in every other way: on a tape,
 * and compiled, run after run; values and gradients. An op that is refused is refused in every way
 * with the same typed error, which names the op, and leaves nothing behind. So does running out of
 * memory.
 */
#ifndef GLK_TESTS_WAYS_H
#define GLK_TESTS_WAYS_H

#include "programs.h"

/* ------------------------------------------------------------------------------------- outcomes */

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

/* For who reads a failure. */
static void describe_program(void) {
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    if (s->status != GLK_OK) continue;
    printf("  %u = %s ", s->value, glk_op_at(s->op)->name);
    print_step(s);
    printf(" gives [");
    print_list(program.shapes[s->value].dims, program.shapes[s->value].rank);
    printf("]\n");
  }
}

/* ------------------------------------------------------------------------------- the other ways */

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

/* Refused while recording as it was at once. Only a trace may learn later, when it runs, that
 * values are bad. */
static void check_refused_again(const step *s, glk_status status, glk_handle result,
                                glk_record_mode mode) {
  const char *name = glk_op_at(s->op)->name;
  if (mode == GLK_TRACE && status == GLK_OK) {
    OK(glk_dispose(c, result));
    return;
  }
  CHECK_MSG(status == s->status, "%s: %s while recording, %s at once", name,
            glk_status_name(status), glk_status_name(s->status));
  CHECK_MSG(!strcmp(glk_context_detail(c), s->detail), "%s while recording, %s at once",
            glk_context_detail(c), s->detail);
}

/* Record the steps over leaves that exist. */
static void record_steps(glk_record_mode mode, glk_handle *h) {
  glk_status status;
  CALL(status, glk_program_begin(c, mode));
  OK(status);
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    const glk_attributes *a = &s->attributes;
    glk_handle in[GLK_MAX_INPUTS] = {0}, result = 0;
    for (uint32_t k = 0; k < glk_op_at(s->op)->inputs; k++) in[k] = h[s->in[k]];
    CALL(status, glk_apply(c, s->op, in, glk_op_at(s->op)->inputs, a->values, a->count, &result));
    if (s->status != GLK_OK) {
      check_refused_again(s, status, result, mode);
    } else if (OK(status)) {
      h[s->value] = result;
    }
  }
}

static glk_handle end_recording(const glk_handle *list, uint32_t count, const glk_handle *h) {
  glk_handle out = 0;
  glk_status status;
  CALL(status, glk_program_end(c, list, count, &out));
  OK(status);
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    if (s->status == GLK_OK) OK(glk_dispose(c, h[s->value]));
  }
  return out;
}

static glk_handle record(glk_record_mode mode, glk_handle *h) {
  glk_handle list[OUTPUTS];
  record_steps(mode, h);
  for (uint32_t i = 0; i < wanted.count; i++) list[i] = h[outputs[i]];
  return end_recording(list, wanted.count, h);
}

static void check_outputs(glk_handle recorded, const char *way) {
  for (uint32_t i = 0; i < wanted.count; i++) {
    glk_handle out = 0;
    glk_status status;
    CALL(status, glk_program_output(c, recorded, i, &out));
    if (!OK(status)) continue;
    const uint64_t digest = digest_of(out, &program.shapes[outputs[i]]);
    OK(glk_dispose(c, out));
    if (!CHECK_MSG(digest == wanted.digests[i], "v%u differs %s", outputs[i], way))
      describe_program();
  }
}

static int has_draws(void) {
  int has = 0;
  for (uint32_t i = 0; i < wanted.count; i++) has |= draws_anew[outputs[i]];
  return has;
}

/* Random numbers of a second run are the same in the second run of another recording. It may be of
 * no use, such as an index that is out of range now: then both say so. */
static void check_redrawn(glk_handle once_run, glk_handle *h) {
  const glk_handle again = record(GLK_TRACE, h);
  OK(glk_program_run(c, again));
  const glk_status status = glk_program_run(c, once_run);
  CHECK_STATUS(glk_program_run(c, again), status);
  for (uint32_t i = 0; i < wanted.count && status == GLK_OK; i++) {
    glk_handle a = 0, b = 0;
    OK(glk_program_output(c, once_run, i, &a));
    OK(glk_program_output(c, again, i, &b));
    const glk_shape *shape = &program.shapes[outputs[i]];
    const uint64_t digest = digest_of(a, shape);
    CHECK_MSG(digest == digest_of(b, shape), "v%u is drawn differently", outputs[i]);
    CHECK_MSG(draws_anew[outputs[i]] || digest == wanted.digests[i], "v%u differs", outputs[i]);
    OK(glk_dispose(c, a));
    OK(glk_dispose(c, b));
  }
  OK(glk_dispose(c, again));
}

/* ------------------------------------------------------------------------------------ gradients */

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
      describe_program();
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

/* The gradient as a part of the program: the loss, and the squares of all its derivatives, which
 * are outputs as well. */
static glk_handle record_second(glk_record_mode mode, glk_handle *h, uint32_t *count) {
  glk_handle d[LEAVES], list[1 + LEAVES], parts[2 * LEAVES], total = h[program.loss];
  uint32_t part_count = 0;
  glk_status status;
  record_steps(mode, h);
  total = h[program.loss];
  CALL(status, glk_gradients(c, 0, &total, NULL, 1, variables, variable_count, d));
  OK(status);
  *count = 1;
  for (uint32_t k = 0; k < variable_count && status == GLK_OK; k++) {
    if (!d[k]) continue;
    list[(*count)++] = d[k];
    const glk_handle pair[2] = {d[k], d[k]};
    glk_handle square = 0, sum[2] = {total, 0};
    OK(glk_apply(c, op_named("mul"), pair, 2, NULL, 0, &square));
    OK(glk_apply(c, op_named("sum"), &square, 1, NULL, 0, &sum[1]));
    OK(glk_dispose(c, square));
    OK(glk_apply(c, op_named("add"), sum, 2, NULL, 0, &total));
    parts[part_count++] = sum[1];
    parts[part_count++] = total;
  }
  list[0] = total;
  const glk_handle out = end_recording(list, *count, h);
  for (uint32_t k = 1; k < *count; k++) OK(glk_dispose(c, list[k]));
  while (part_count) OK(glk_dispose(c, parts[--part_count]));
  return out;
}

/* Derivatives inside of a program are those of the program from outside, and they have derivatives
 * in turn: the same ones on a tape and compiled. */
static void check_second(glk_handle *h, const slopes *known) {
  static slopes second[2];
  uint64_t digests[2] = {0};
  uint32_t count = 0;
  if (!variable_count) return;
  for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
    const glk_handle recorded = record_second((glk_record_mode)mode, h, &count);
    for (uint32_t i = 0, k = 0; i < count; i++) {
      glk_handle out = 0;
      OK(glk_program_output(c, recorded, i, &out));
      if (i == 0) {
        OK(glk_digest(c, out, &digests[mode]));
      } else {
        while (k < variable_count && known->status[k] != GLK_OK) k++;
        const uint64_t digest = digest_of(out, &leaf_of(k)->shape);
        CHECK_MSG(digest == known->digests[k], "dL/dv%u inside differs", leaf_of(k)->value);
        k++;
      }
      OK(glk_dispose(c, out));
    }
    if (!draws_anew[program.loss]) second[mode] = differentiate(recorded);
    OK(glk_dispose(c, recorded));
  }
  CHECK_MSG(digests[GLK_TRACE] == digests[GLK_TAPE], "squares of derivatives differ");
  if (!draws_anew[program.loss]) {
    check_slopes(&second[GLK_TRACE], &second[GLK_TAPE], "compiled, in second order");
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

/* ------------------------------------------------------------------------------------ all of it */

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
    draws_anew[s->value] = strstr(glk_op_at(s->op)->signature, "seed") != NULL;
    for (uint32_t k = 0; k < glk_op_at(s->op)->inputs; k++) {
      draws_anew[s->value] |= draws_anew[s->in[k]];
    }
  }
}

/* Ops that a trace accepted but whose values cannot be computed: running it says so as applying it
 * did. */
static void check_late_refusals(glk_handle *h) {
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    glk_handle in[GLK_MAX_INPUTS] = {0}, result = 0, broken = 0;
    if (s->status == GLK_OK) continue;
    OK(glk_program_begin(c, GLK_TRACE));
    const uint32_t inputs = glk_op_at(s->op)->inputs;
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

static size_t held_before;
static int is_thorough; /* second derivatives of every program, not of every other one */

static void begin_program(int has_specials) {
  held_before = memory_held();
  program.leaf_count = program.step_count = program.value_count = 0;
  program.has_specials = has_specials;
}

static void print_results(const slopes *s) {
  for (uint32_t k = 0; k < variable_count; k++) mix(s->digests[k]);
  if (!is_printed) return;
  for (uint32_t i = 0; i < wanted.count; i++) {
    printf("digest output %u %d %016llx\n", outputs[i], draws_anew[outputs[i]],
           (unsigned long long)wanted.digests[i]);
  }
  for (uint32_t k = 0; k < variable_count; k++) {
    printf("digest slope %u %s %016llx\n", leaf_of(k)->value, glk_status_name(s->status[k]),
           (unsigned long long)s->digests[k]);
  }
}

/* Run the program that was built op by op in all other ways, and give everything back. */
static slopes check_program(const char *title) {
  static glk_handle h[VALUES];
  const size_t before = held_before;
  glk_status status;
  print_program(title);
  choose_outputs();
  check_late_refusals(eager);
  for (uint32_t v = 0; v < program.value_count; v++) OK(glk_dispose(c, eager[v]));
  CHECK_MSG(memory_held() == before, "computing op by op leaks");

  make_leaves(h);
  const glk_handle tape = record(GLK_TAPE, h), compiled = record(GLK_TRACE, h);
  check_outputs(tape, "on a tape");
  for (int run = 0; run < 2 - has_draws(); run++) {
    CALL(status, glk_program_run(c, compiled));
    OK(status);
    check_outputs(compiled, run ? "compiled, in a second run" : "compiled");
  }
  const slopes taped = differentiate(tape);
  const glk_handle fresh = record(GLK_TRACE, h);
  check_together(fresh, &taped); /* its first run */
  if (is_thorough || program.loss % 2) check_second(h, &taped);
  if (has_draws()) {
    check_redrawn(compiled, h);
  } else {
    const slopes first = differentiate(compiled), second = differentiate(fresh);
    check_slopes(&first, &taped, "compiled");
    check_slopes(&second, &taped, "compiled and never run before");
    CHECK(train(tape, &taped) == train(compiled, &taped));
    CALL(status, glk_program_run(c, fresh));
    OK(status);
    check_outputs(fresh, "compiled, after its gradient");
  }
  print_results(&taped);
  OK(glk_dispose(c, tape));
  OK(glk_dispose(c, compiled));
  OK(glk_dispose(c, fresh));
  for (uint32_t i = 0; i < program.leaf_count; i++) OK(glk_dispose(c, h[program.leaves[i].value]));
  CHECK_MSG(memory_held() == before, "a program leaks");
  return taped;
}

static void begin(void) {
  const glk_allocator allocator = {harness_allocate, harness_release, &memory};
  glk_handle h[2000];
  OK(glk_context_create(&allocator, &c));
  for (int i = 0; i < 2000; i++) glk_locks_create(c, 0, NULL, &h[i]);
  for (int i = 0; i < 2000; i++) glk_dispose(c, h[i]); /* the handle table has its size */
}

static void end(void) {
  glk_context_dispose(c);
  CHECK_EQ(memory.live, 0);
}

#endif
