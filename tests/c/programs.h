/* Programs as data: leaves with values, and steps that apply ops to what came before; building and
 * printing them.
 *
 * A program is built by running it op by op: an op that succeeds gives a value for later ops. An op
 * that is refused stays in the program, and must be refused wherever the program runs. Memory is
 * the tests' own, so that it can run out. The test programs that include this differ in where their
 * programs come from.
 */
#ifndef GLK_TESTS_PROGRAMS_H
#define GLK_TESTS_PROGRAMS_H

#include "op_lines.h"

enum { LEAVES = 48, STEPS = 128, VALUES = LEAVES + STEPS, LEAF_MOST = 1 << 11, OUTPUTS = 8 };

typedef struct leaf {
  glk_shape shape;
  glk_real values[LEAF_MOST];
  int is_variable;
  uint32_t value;
} leaf;

typedef struct step {
  uint32_t op, in[GLK_MAX_INPUTS];
  glk_attributes attributes;
  glk_status status;
  char detail[256];
  uint32_t value; /* what it made, if anything */
} step;

/** Values are numbered in the order in which they were made. */
typedef struct recipe {
  leaf leaves[LEAVES];
  step steps[STEPS];
  glk_shape shapes[VALUES];
  uint32_t leaf_count, step_count, value_count;
  uint32_t loss;    /* a value without axes */
  int has_specials; /* infinities, NaN, subnormal numbers among the leaves */
} recipe;

static recipe program;
static glk_context *c;
static glk_handle eager[VALUES]; /* the values, computed op by op */

/* ------------------------------------------------------------------------- memory that runs out */

/* Memory that hosts do not have: what one block may take. */
static harness_memory memory = {.countdown = -1, .most = (size_t)1 << 26};

static int is_starved; /* every call fails at each of its allocations before it succeeds */

static size_t objects_held(void) {
  glk_memory held;
  glk_context_memory(c, &held);
  return held.objects;
}

/* Each failure five times: a failed call may keep some memory (room in a list, a gradient that was
 * found before its plan failed). After a few calls this memory exists, and the last call must not
 * leave more than the one before it. */
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

/* ------------------------------------------------------------------------------------- building */

static uint32_t add_leaf(const glk_shape *shape, const glk_real *values, int is_variable) {
  leaf *l = &program.leaves[program.leaf_count];
  const uint32_t count = shape->count;
  l->shape = *shape;
  l->is_variable = is_variable;
  l->value = program.value_count;
  memcpy(l->values, values, count * sizeof *values);
  const value made = {*shape, l->values};
  eager[program.value_count] = make(c, &made, is_variable);
  program.shapes[program.value_count] = *shape;
  program.leaf_count++;
  return program.value_count++;
}

static const glk_status typed[] = {GLK_ERROR_ARGUMENT, GLK_ERROR_SHAPE, GLK_ERROR_INDEX,
                                   GLK_ERROR_LIMIT, GLK_ERROR_OUT_OF_MEMORY};

static int says(const char *detail, uint32_t op) {
  const size_t n = strlen(glk_op_at(op)->name);
  return !strncmp(detail, glk_op_at(op)->name, n) && detail[n] == ':';
}

static void check_refusal(uint32_t op, glk_status status) {
  int is_typed = 0;
  for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) is_typed |= status == typed[i];
  const char *name = glk_op_at(op)->name, *detail = glk_context_detail(c);
  CHECK_MSG(is_typed, "%s: %s: %s", name, glk_status_name(status), detail);
  if (status == GLK_ERROR_OUT_OF_MEMORY) return;
  /* A row that is not public may speak for the one that it is a part of. */
  int is_named = says(detail, op);
  for (uint32_t other = 0; other < glk_op_count() && !(glk_op_at(op)->flags & GLK_OP_PUBLIC);
       other++) {
    is_named |= says(detail, other);
  }
  CHECK_MSG(is_named, "%s: the message does not begin with its name: %s", name, detail);
}

static size_t memory_held(void) {
  glk_memory memory;
  glk_context_memory(c, &memory);
  return memory.bytes + memory.objects;
}

/* Apply an op at once and keep it as a step; a result too large for a test is given up. */
static glk_status add_step(uint32_t op, const uint32_t *in, const glk_attributes *attributes,
                           uint32_t *out) {
  step *s = &program.steps[program.step_count];
  glk_handle operands[GLK_MAX_INPUTS] = {0}, result = 0;
  const uint32_t inputs = glk_op_at(op)->inputs;
  *s = (step){.op = op, .attributes = *attributes, .value = VALUES};
  for (uint32_t k = 0; k < inputs; k++) operands[k] = eager[s->in[k] = in[k]];
  const size_t before = memory_held(), most = memory.most;
  memory.most = (size_t)1 << 20;
  s->status = glk_apply(c, op, operands, inputs, attributes->values, attributes->count, &result);
  memory.most = most;
  if (s->status != GLK_OK) {
    check_refusal(op, s->status);
    CHECK_MSG(memory_held() == before, "%s: a refusal left something", glk_op_at(op)->name);
    snprintf(s->detail, sizeof s->detail, "%s", glk_context_detail(c));
    program.step_count += s->status != GLK_ERROR_OUT_OF_MEMORY;
    return s->status;
  }
  glk_shape shape = {0};
  OK(glk_shape_of(c, result, &shape.rank, shape.dims));
  if (count_of(&shape) > LEAF_MOST) {
    OK(glk_dispose(c, result));
    return GLK_ERROR_LIMIT;
  }
  s->value = *out = program.value_count;
  program.shapes[program.value_count] = shape;
  eager[program.value_count++] = result;
  program.step_count++;
  return GLK_OK;
}

static uint32_t op_named(const char *name) {
  uint32_t op = 0;
  CHECK_MSG(glk_op_find(c, name, &op) == GLK_OK, "there is no op %s", name);
  return op;
}

/* The loss: sums over some values, the last one first, each element with a weight of its own. */
static void add_loss(uint32_t terms) {
  static glk_real weights[LEAF_MOST];
  const glk_attributes none = {0};
  const uint32_t last = program.value_count - 1;
  uint32_t loss = VALUES;
  for (uint32_t i = 0; i < terms; i++) {
    uint32_t y = i ? rng_below(last + 1) : last;
    const glk_shape shape = program.shapes[y];
    for (uint32_t k = 0; k < shape.count; k++) weights[k] = rng_real(-2, 2);
    const uint32_t w = add_leaf(&shape, weights, 0);
    OK(add_step(op_named("mul"), (const uint32_t[]){y, w}, &none, &y));
    OK(add_step(op_named("sum"), &y, &none, &y));
    if (i) OK(add_step(op_named("add"), (const uint32_t[]){loss, y}, &none, &y));
    loss = y;
  }
  program.loss = loss;
}

/* ------------------------------------------------------------------------------------- printing */

static int is_printed; /* as lines that tests/js/programs.test.js runs again */

static void print_list(const uint32_t *list, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) printf("%s%u", i ? "," : "", list[i]);
}

/* Operands and attributes: "in,in : attribute attribute". */
static void print_step(const step *s) {
  print_list(s->in, glk_op_at(s->op)->inputs);
  printf(" :");
  for (uint32_t k = 0; k < s->attributes.count; k++) printf(" %.17g", s->attributes.values[k]);
}

static void print_leaf(const leaf *l) {
  printf("digest leaf %u %d ", l->value, l->is_variable);
  print_list(l->shape.dims, l->shape.rank);
  printf(" :");
  for (uint32_t i = 0; i < l->shape.count; i++) {
    uint32_t bits = 0;
    memcpy(&bits, &l->values[i], sizeof bits);
    printf(" %x", bits);
  }
  printf("\n");
}

static void print_program(const char *title) {
  if (!is_printed) return;
  printf("digest program %s\n", title);
  for (uint32_t i = 0; i < program.leaf_count; i++) print_leaf(&program.leaves[i]);
  for (uint32_t i = 0; i < program.step_count; i++) {
    const step *s = &program.steps[i];
    printf("digest %s %s ", s->status ? glk_status_name(s->status) : "step",
           glk_op_at(s->op)->name);
    if (!s->status) printf("%u ", s->value);
    print_step(s);
    printf("\n");
  }
}

#endif
