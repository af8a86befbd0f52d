/* Random programs: graphs of ops drawn from the op table, with random shapes (rank 0, size 0),
 * random attributes (many of them nonsense), constants, variables and locks, in every way that
 * ways.h knows. Some run out of memory at every allocation on the way. One digest of all results is
 * printed: the same natively and as WebAssembly.
 *
 * No row takes part by name. Attributes come from what succeeded before for the row (its samples to
 * begin with) and from the forms that attribute lists take (axes, sizes, orders, boxes, pairs). So
 * a new row takes part by itself, and a public row that did not succeed often enough fails the run.
 *
 * GLK_PROGRAMS=n runs n programs instead of the usual number; GLK_PRINT=n prints the first n, for
 * tests/js/programs.test.js to run them in the shipped WebAssembly.
 */
#include "samples/all.h"
#include "ways.h"

enum { PROGRAMS = 8000, LEAST = 100, KNOWN = 16, SAMPLES_EACH = 12 };

/** Attribute lists that a row took, the latest ones, and how it fared. */
typedef struct experience {
  glk_attributes known[KNOWN];
  const char *samples[SAMPLES_EACH];
  uint32_t known_count, sample_count, tried, succeeded, differentiated;
} experience;

static experience experiences[MAX_OPS];

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

static uint32_t add_random_leaf(const glk_shape *shape, int is_variable) {
  static glk_real values[LEAF_MOST];
  random_values(values, shape->count, program.has_specials);
  return add_leaf(shape, values, is_variable);
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
  e->succeeded++;
}

/* ---------------------------------------------------------------------------------------- steps */

/* Operands as in a sample of the row; one of them may be a value of the program instead. */
static int operands_of_sample(uint32_t op, uint32_t *in, glk_attributes *attributes) {
  const experience *e = &experiences[op];
  if (!e->sample_count) return 0;
  const line l = line_parse(e->samples[rng_below(e->sample_count)], NULL);
  const int has_letters = l.letters[0] != 0;
  if (l.op != op || l.inputs != glk_op_at(op)->inputs) return 0;
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
      const glk_shape *shape = &l.in[k].shape;
      in[k] = as_written ? add_leaf(shape, l.in[k].values, varies) : add_random_leaf(shape, varies);
    }
  }
  attributes->count = l.count;
  memcpy(attributes->values, l.attributes, sizeof l.attributes);
  return 1;
}

/* Rows that succeeded less are tried more. */
static uint32_t random_op(void) {
  uint32_t best = rng_below(glk_op_count());
  for (int i = 0; i < 2; i++) {
    const uint32_t other = rng_below(glk_op_count());
    if (experiences[other].succeeded < experiences[best].succeeded) best = other;
  }
  return best;
}

static void random_step(void) {
  const uint32_t op = random_op();
  uint32_t in[GLK_MAX_INPUTS] = {0}, made;
  glk_attributes attributes = {0};
  if (!chance(25) || !operands_of_sample(op, in, &attributes)) {
    for (uint32_t k = 0; k < glk_op_at(op)->inputs; k++) {
      in[k] = rng_below(program.value_count);
      if (chance(50) && program.value_count > 4) in[k] = program.value_count - 1 - rng_below(4);
    }
    attributes = random_attributes(op, &program.shapes[in[0]]);
  }
  experiences[op].tried++;
  if (add_step(op, in, &attributes, &made) == GLK_OK) remember(op, &attributes);
}

static void generate(void) {
  begin_program(chance(25));
  const glk_shape base = random_shape(chance(85) ? 3 : GLK_MAX_RANK, 3);
  const uint32_t leaves = 3 + rng_below(4), values = 4 + rng_below(12), room = 16;
  for (uint32_t i = 0; i < leaves; i++) {
    const glk_shape shape = related_shape(&base);
    add_random_leaf(&shape, i == 0 || chance(50));
  }
  while (program.step_count < STEPS - room && program.leaf_count < LEAVES - room &&
         program.value_count < leaves + values) {
    random_step();
  }
  add_loss(1 + rng_below(3));
}

/* ------------------------------------------------------------------------------------ the tests */

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
    for (uint32_t k = 0; k < glk_op_at(t->op)->inputs && t->status == GLK_OK; k++) {
      depends[t->value] |= depends[t->in[k]];
    }
  }
  matters[program.loss] = 1;
  for (uint32_t i = program.step_count; i-- > 0;) {
    const step *t = &program.steps[i];
    if (t->status != GLK_OK || !matters[t->value] || !depends[t->value]) continue;
    experiences[t->op].differentiated++;
    for (uint32_t k = 0; k < glk_op_at(t->op)->inputs; k++) matters[t->in[k]] = 1;
  }
}

static uint32_t asked(const char *name, uint32_t usual) {
  const char *text = getenv(name);
  return text ? (uint32_t)strtoul(text, NULL, 10) : usual;
}

static void keep_sample(const char *text) {
  const line l = line_parse(text, NULL);
  if (l.op == glk_op_count()) return;
  experience *e = &experiences[l.op];
  if (e->sample_count < SAMPLES_EACH) e->samples[e->sample_count++] = text;
}

static void read_samples(void) {
  FOR_SAMPLES(text, slopes) keep_sample(text);
  FOR_SAMPLES(text, examples) keep_sample(text);
}

static void run_program(uint64_t seed) {
  char title[32];
  snprintf(title, sizeof title, "%llu", (unsigned long long)seed);
  rng_seed(seed); /* which a failure prints */
  generate();
  const slopes s = check_program(title);
  count_differentiated(&s);
}

static void a_program_gives_the_same_bits_in_every_way_and_leaves_nothing(void) {
  const uint32_t count = asked("GLK_PROGRAMS", PROGRAMS), printed = asked("GLK_PRINT", 0);
  begin();
  for (uint32_t i = 0; i < count; i++) {
    is_printed = i < printed;
    run_program(i + 1);
  }
  is_printed = 0;
  end();
}

static void a_program_survives_every_failing_allocation(void) {
  const uint32_t count = asked("GLK_PROGRAMS", PROGRAMS) / 40;
  begin();
  is_starved = 1;
  for (uint32_t i = 0; i < count; i++) run_program(i + 1000001);
  is_starved = 0;
  CHECK_MSG(memory.failures > 40 * count, "%zu allocations failed", memory.failures);
  end();
}

static void every_row_took_part(void) {
  glk_op_info info;
  for (uint32_t op = 0; op < glk_op_count(); op++) {
    const experience *e = &experiences[op];
    if (!OK(glk_op_describe(op, &info))) continue;
    const uint32_t least = info.is_public ? LEAST : 1;
    CHECK_MSG(e->succeeded >= least, "%s succeeded %u times of %u, expected %u", info.name,
              e->succeeded, e->tried, least);
    CHECK_MSG(!info.is_differentiable || e->differentiated >= least / 10,
              "%s was differentiated %u times, expected %u", info.name, e->differentiated,
              least / 10);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  read_samples();
  TEST(a_program_gives_the_same_bits_in_every_way_and_leaves_nothing);
  TEST(a_program_survives_every_failing_allocation);
  /* A few programs show nothing of the table. */
  if (harness.tests == 2 && asked("GLK_PROGRAMS", PROGRAMS) >= PROGRAMS) TEST(every_row_took_part);
  printf("digest random programs %016llx\n", (unsigned long long)all_digests);
  return harness_report();
}
