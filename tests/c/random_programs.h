/* A generator of random programs: leaves with values, and steps that apply ops to what came before. A program is made
 * by running it op by op: what succeeds becomes a value to go on with, what is refused stays in the program as a step
 * that must be refused in the same way wherever the program runs.
 *
 * Attributes come from what succeeded before for the row (its samples to begin with), from the forms that attribute
 * lists take (axes, sizes, orders, pairs), and from nowhere. It refuses to know any row.
 */
#ifndef GLK_TESTS_RANDOM_PROGRAMS_H
#define GLK_TESTS_RANDOM_PROGRAMS_H

#include "op_lines.h"

enum { LEAVES = 48, STEPS = 128, VALUES = LEAVES + STEPS, LEAF_MOST = 1 << 11, KNOWN = 16 };

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

/** Attribute lists that a row took, the latest ones. */
typedef struct experience {
  glk_attributes known[KNOWN];
  uint32_t known_count, tried, succeeded, differentiated;
} experience;

static recipe program;
static experience experiences[GLK_OP_COUNT];
static glk_context *c;
static glk_handle eager[VALUES];

static int chance(uint32_t percent) { return rng_below(100) < percent; }

/* --------------------------------------------------------------------------------------- leaves */

static glk_shape random_shape(uint32_t most_rank, uint32_t most) {
  glk_shape s = {.rank = rng_below(most_rank + 1)};
  for (uint32_t a = 0; a < s.rank; a++) s.dims[a] = chance(4) ? 0 : 1 + rng_below(most);
  count_of(&s);
  return s;
}

/* A shape that is likely to go with `base`. */
static glk_shape related_shape(const glk_shape *base) {
  glk_shape s = *base;
  const uint32_t way = rng_below(8);
  if (way == 0) s = random_shape(3, 4);
  if (way == 1 && s.rank) {
    const uint32_t cut = 1 + rng_below(s.rank);
    memmove(s.dims, s.dims + cut, (s.rank - cut) * sizeof *s.dims);
    s.rank -= cut;
  }
  for (uint32_t a = 0; a < s.rank && way == 2; a++) s.dims[a] = chance(50) ? 1 : s.dims[a];
  if (way == 3 && s.rank > 1) {
    const uint32_t last = s.dims[s.rank - 1];
    s.dims[s.rank - 1] = s.dims[s.rank - 2], s.dims[s.rank - 2] = last;
  }
  count_of(&s);
  return s;
}

static glk_real special(void) {
  static const double values[] = {-0.0,   1e-40, -1e-45, 3e38, -3e38, 1e10,
                                  0x1p24, -1,    0.5,    88,   -104};
  const uint32_t k = rng_below(14);
  if (k == 11) return (glk_real)__builtin_nan("");
  if (k > 11) return k == 12 ? (glk_real)__builtin_inf() : -(glk_real)__builtin_inf();
  return (glk_real)values[k];
}

static void random_values(glk_real *out, uint32_t count, int with_specials) {
  const uint32_t kind = rng_below(8);
  for (uint32_t i = 0; i < count; i++) {
    out[i] = rng_real(-2, 2);
    if (kind == 1) out[i] = rng_real(0.125, 2);
    if (kind == 2 || kind == 3) out[i] = (glk_real)rng_below(kind); /* 0, 1 and small indices */
    if (kind == 4) out[i] = (glk_real)rng_below(7) - 3;
    if (with_specials && chance(20)) out[i] = special();
  }
}

static uint32_t add_leaf(const glk_shape *shape, const glk_real *values, int is_variable) {
  leaf *l = &program.leaves[program.leaf_count];
  const uint32_t count = shape->count;
  l->shape = *shape;
  l->is_variable = is_variable;
  l->value = program.value_count;
  if (values) {
    memcpy(l->values, values, count * sizeof *values);
  } else {
    random_values(l->values, count, program.has_specials);
  }
  const value made = {*shape, l->values};
  eager[program.value_count] = make(c, &made, is_variable);
  program.shapes[program.value_count] = *shape;
  program.leaf_count++;
  return program.value_count++;
}

/* ----------------------------------------------------------------------------------- attributes */

static double random_number(const glk_shape *near) {
  static const double odd[] = {0.5, -0.25, 0.1, 1e-3, 7, 1e9, -1e9, 0x1p24, 0x1p32, 1e300};
  if (chance(70)) return (double)rng_below(6) - 2;
  if (near->rank && chance(60)) return near->dims[rng_below(near->rank)];
  const uint32_t k = rng_below(13);
  return k < 10 ? odd[k] : k == 10 ? __builtin_nan("") : k == 11 ? __builtin_inf() : -0.0;
}

static void push(glk_attributes *a, double number) {
  if (a->count < GLK_MAX_ATTRIBUTES) a->values[a->count++] = number;
}

static void push_order(glk_attributes *a, uint32_t rank) {
  const uint32_t first = a->count;
  for (uint32_t i = 0; i < rank; i++) push(a, i);
  for (uint32_t i = rank; i-- > 1 && a->count == first + rank;) {
    const uint32_t other = rng_below(i + 1);
    const double old = a->values[first + i];
    a->values[first + i] = a->values[first + other], a->values[first + other] = old;
  }
}

/* Sizes of a shape of as many elements, or one to broadcast to. */
static void push_sizes(glk_attributes *a, const glk_shape *s) {
  glk_shape to = *s;
  for (uint32_t round = rng_below(3); round > 0 && to.rank; round--) {
    const uint32_t axis = rng_below(to.rank), way = rng_below(4);
    if (way == 0 && to.rank < GLK_MAX_RANK) to.dims[to.rank++] = 1 + rng_below(2);
    if (way == 1) to.dims[axis] *= to.dims[to.rank - 1], to.dims[to.rank - 1] = 1;
    if (way == 2 && to.rank > 1) to.dims[0] *= to.dims[to.rank - 1], to.rank--;
    if (way == 3 && to.dims[axis] == 1) to.dims[axis] = 1 + rng_below(3);
  }
  for (uint32_t i = 0; i < to.rank; i++) push(a, chance(5) ? -1 : (double)to.dims[i]);
}

/* Begins, then sizes or ends, then perhaps strides. */
static void push_box(glk_attributes *a, const glk_shape *s) {
  double begin[GLK_MAX_RANK];
  const uint32_t strides = chance(40), ends = chance(50);
  for (uint32_t i = 0; i < s->rank; i++) push(a, begin[i] = rng_below(s->dims[i] + 1));
  for (uint32_t i = 0; i < s->rank; i++) {
    push(a, rng_below(s->dims[i] - (uint32_t)begin[i] + 1) + (ends ? begin[i] : 0));
  }
  for (uint32_t i = 0; i < s->rank && strides; i++) push(a, 1 + rng_below(2));
}

static glk_attributes random_attributes(uint32_t op, const glk_shape *near) {
  glk_attributes a = {0};
  const experience *e = &experiences[op];
  if (e->known_count && chance(60)) {
    a = e->known[rng_below(e->known_count < KNOWN ? e->known_count : KNOWN)];
    if (chance(30) && a.count) a.values[rng_below(a.count)] = random_number(near);
    if (chance(5)) push(&a, random_number(near));
    if (chance(5) && a.count) a.count--;
    return a;
  }
  const uint32_t lead = chance(50) ? rng_below(3) : 0; /* flags or an axis before a list */
  for (uint32_t i = 0; i < lead; i++) push(&a, rng_below(2));
  const uint32_t form = rng_below(8);
  if (form == 1) push_sizes(&a, near);
  if (form == 2) push_order(&a, near->rank);
  if (form == 3) push_box(&a, near);
  if (form == 4 && near->rank) {
    push_order(&a, near->rank);
    a.count -= rng_below(near->rank);
  }
  for (uint32_t i = 0; i < 2 * near->rank && form == 5; i++) push(&a, rng_below(3));
  for (uint32_t i = rng_below(6); i > 0 && form == 6; i--) push(&a, random_number(near));
  for (uint32_t i = 0; i < near->rank && form == 7; i++) push(&a, 1 + rng_below(2));
  return a;
}

static void remember(uint32_t op, const glk_attributes *a) {
  experience *e = &experiences[op];
  e->known[e->known_count < KNOWN ? e->known_count : rng_below(KNOWN)] = *a;
  e->known_count++;
}

/* ---------------------------------------------------------------------------------------- steps */

/* Memory that hosts do not have: what a single result may take. */
static size_t most_bytes = (size_t)1 << 26;

static const glk_status typed[] = {GLK_ERROR_ARGUMENT, GLK_ERROR_SHAPE, GLK_ERROR_INDEX,
                                   GLK_ERROR_LIMIT, GLK_ERROR_OUT_OF_MEMORY};

static void check_refusal(uint32_t op, glk_status status) {
  int is_typed = 0;
  for (size_t i = 0; i < sizeof typed / sizeof *typed; i++) is_typed |= status == typed[i];
  const char *name = glk_ops[op]->name, *detail = glk_context_detail(c);
  CHECK_MSG(is_typed, "%s: %s: %s", name, glk_status_name(status), detail);
  if (status == GLK_ERROR_OUT_OF_MEMORY) return;
  CHECK_MSG(!strncmp(detail, name, strlen(name)) && detail[strlen(name)] == ':',
            "%s: the message does not begin with its name: %s", name, detail);
}

static size_t memory_held(void) {
  glk_memory memory;
  glk_context_memory(c, &memory);
  return memory.bytes + memory.objects;
}

/* Apply an op at once and keep it as a step, unless nothing is to be learned from it. */
static int add_step(uint32_t op, const uint32_t *in, const glk_attributes *attributes,
                    uint32_t *out) {
  step *s = &program.steps[program.step_count];
  glk_handle operands[GLK_MAX_INPUTS] = {0}, result = 0;
  const uint32_t inputs = glk_ops[op]->inputs;
  *s = (step){.op = op, .attributes = *attributes, .value = VALUES};
  for (uint32_t k = 0; k < inputs; k++) operands[k] = eager[s->in[k] = in[k]];
  const size_t before = memory_held(), most = most_bytes;
  most_bytes = (size_t)1 << 20;
  s->status = glk_apply(c, op, operands, inputs, attributes->values, attributes->count, &result);
  most_bytes = most;
  experiences[op].tried++;
  if (s->status != GLK_OK) {
    check_refusal(op, s->status);
    CHECK_MSG(memory_held() == before, "%s: a refusal left something", glk_ops[op]->name);
    snprintf(s->detail, sizeof s->detail, "%s", glk_context_detail(c));
    program.step_count += s->status != GLK_ERROR_OUT_OF_MEMORY;
    return 0;
  }
  experiences[op].succeeded++;
  remember(op, attributes);
  glk_shape shape = {0};
  OK(glk_shape_of(c, result, &shape.rank, shape.dims));
  if (count_of(&shape) > LEAF_MOST) return OK(glk_dispose(c, result)), 0;
  s->value = *out = program.value_count;
  program.shapes[program.value_count] = shape;
  eager[program.value_count++] = result;
  program.step_count++;
  return 1;
}

/* ------------------------------------------------------------------------------------- programs */

/** A line of a row's samples gives operands and attributes that the row takes, NULL where it has none. */
static const char *sample_of(uint32_t op);

/* Operands as in a sample of the row; one of them may be a value of the program instead. */
static int operands_of_sample(uint32_t op, uint32_t *in, glk_attributes *attributes) {
  const char *text = sample_of(op);
  if (!text) return 0;
  const line l = line_parse(text, NULL);
  const int has_letters = l.letters[0] != 0;
  if (l.op != op || l.inputs != glk_ops[op]->inputs) return 0;
  for (uint32_t k = 0; k < l.inputs; k++) {
    const int as_written = !has_letters || l.letters[k] == 'v';
    if (l.in[k].shape.count > LEAF_MOST) return 0;
    in[k] = VALUES;
    for (uint32_t v = program.value_count; v-- > 0 && !as_written && chance(60);) {
      const glk_shape *s = &program.shapes[v], *want = &l.in[k].shape;
      if (s->rank == want->rank && !memcmp(s->dims, want->dims, s->rank * sizeof *s->dims))
        in[k] = v;
    }
    if (in[k] == VALUES) {
      if (program.leaf_count == LEAVES) return 0;
      const int varies = !(as_written && has_letters) && chance(50);
      in[k] = add_leaf(&l.in[k].shape, as_written ? l.in[k].values : NULL, varies);
    }
  }
  attributes->count = l.count;
  memcpy(attributes->values, l.attributes, sizeof l.attributes);
  return 1;
}

/* Rows that succeeded less are tried more. */
static uint32_t random_op(void) {
  uint32_t best = rng_below(GLK_OP_COUNT);
  for (int i = 0; i < 2; i++) {
    const uint32_t other = rng_below(GLK_OP_COUNT);
    if (experiences[other].succeeded < experiences[best].succeeded) best = other;
  }
  return best;
}

static void random_step(void) {
  const uint32_t op = random_op();
  uint32_t in[GLK_MAX_INPUTS] = {0}, made;
  glk_attributes attributes = {0};
  if (!chance(25) || !operands_of_sample(op, in, &attributes)) {
    for (uint32_t k = 0; k < glk_ops[op]->inputs; k++) {
      in[k] = rng_below(program.value_count);
      if (chance(50) && program.value_count > 4) in[k] = program.value_count - 1 - rng_below(4);
    }
    attributes = random_attributes(op, &program.shapes[in[0]]);
  }
  add_step(op, in, &attributes, &made);
}

static uint32_t op_named(const char *name) {
  uint32_t op = 0;
  CHECK_MSG(glk_op_find(name, &op) == GLK_OK, "there is no op %s", name);
  return op;
}

/* The loss: sums over some values, each element with a weight of its own. */
static void add_loss(void) {
  const glk_attributes none = {0};
  const uint32_t last = program.value_count - 1, terms = 1 + rng_below(3);
  uint32_t loss = VALUES;
  for (uint32_t i = 0; i < terms; i++) {
    uint32_t y = i ? rng_below(last + 1) : last;
    const glk_shape shape = program.shapes[y];
    const uint32_t weights = add_leaf(&shape, NULL, 0);
    add_step(op_named("mul"), (const uint32_t[]){y, weights}, &none, &y);
    add_step(op_named("sum"), &y, &none, &y);
    if (i) add_step(op_named("add"), (const uint32_t[]){loss, y}, &none, &y);
    loss = y;
  }
  program.loss = loss;
}

static void generate(void) {
  program.leaf_count = program.step_count = program.value_count = 0;
  program.has_specials = chance(25);
  const glk_shape base = random_shape(chance(85) ? 3 : GLK_MAX_RANK, 3);
  const uint32_t leaves = 3 + rng_below(4), values = 4 + rng_below(12), room = 16;
  for (uint32_t i = 0; i < leaves; i++) {
    const glk_shape shape = related_shape(&base);
    add_leaf(&shape, NULL, i == 0 || chance(50));
  }
  while (program.step_count < STEPS - room && program.leaf_count < LEAVES - room &&
         program.value_count < leaves + values) {
    random_step();
  }
  add_loss();
}

#endif
