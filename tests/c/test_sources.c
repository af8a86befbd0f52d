/* Gradients by what ops gave: any recorded value may be a source, whatever it came from. Every row
 * of the op table is held to that with its examples: the gradient by its output is the one by a
 * variable of the same values. A row without a gradient of its own is no exception, and passes
 * nothing on to its operands. */
#include "op_lines.h"
#include "samples/all.h"

enum { TAPE, ENDED_TAPE, TRACE, WAYS };

static const char *const way_names[WAYS] = {"on a tape", "on a tape that has ended", "compiled"};

static glk_context *c;

static glk_handle op2(uint32_t op, glk_handle a, glk_handle b) {
  glk_handle out = 0;
  OK(glk_apply(c, op, (glk_handle[]){a, b}, b ? 2 : 1, NULL, 0, &out));
  return out;
}

/* sum(w y^2), whose gradient by y is w y + w y. */
static glk_handle loss_of(glk_handle y, glk_handle weights) {
  return op2(OP("sum"), op2(OP("mul"), weights, op2(OP("mul"), y, y)), 0);
}

typedef struct asked {
  glk_handle sources[1 + GLK_MAX_INPUTS], gradients[1 + GLK_MAX_INPUTS];
  uint32_t count;
} asked;

static glk_handle end_with(const glk_handle *outputs, uint32_t count) {
  glk_handle program = 0;
  OK(glk_program_end(c, outputs, count, &program));
  return program;
}

/* The gradients of a loss that is being recorded, read from wherever the way of computing has
 * them. */
static void differentiate(int way, glk_handle loss, asked *a) {
  glk_handle program = 0, outputs[2 + GLK_MAX_INPUTS] = {loss};
  uint32_t count = 1;
  if (way == ENDED_TAPE) program = end_with(&loss, 1);
  OK(glk_gradients(c, program, &loss, NULL, 1, a->sources, a->count, a->gradients));
  if (way == ENDED_TAPE) return;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->gradients[i]) outputs[count++] = a->gradients[i];
  }
  program = end_with(outputs, count);
  if (way != TRACE) return;
  OK(glk_program_run(c, program));
  count = 1;
  for (uint32_t i = 0; i < a->count; i++) {
    if (a->gradients[i]) OK(glk_program_output(c, program, count++, &a->gradients[i]));
  }
}

static uint32_t read_values(glk_handle handle, glk_real *out) {
  glk_shape s = {0};
  OK(glk_shape_of(c, handle, &s.rank, s.dims));
  OK(glk_read(c, handle, out, count_of(&s)));
  return s.count;
}

static void expect_same(const char *text, int way, glk_handle got, const glk_real *expected,
                        uint32_t count) {
  glk_real *values = storage[7];
  if (!CHECK_MSG(got != 0, "%s, %s: no gradient", text, way_names[way])) return;
  if (!CHECK_EQ(read_values(got, values), count)) return;
  for (uint32_t i = 0; i < count; i++) {
    CHECK_MSG(!memcmp(&values[i], &expected[i], sizeof *values),
              "%s, %s: %g at %u, expected %g as by a variable", text, way_names[way],
              (double)values[i], i, (double)expected[i]);
  }
}

/* The gradient by a variable that holds `y`. */
static void by_a_variable(const value *y, glk_handle weights, glk_real *out) {
  asked a = {.sources = {make(c, y, 1)}, .count = 1};
  OK(glk_program_begin(c, GLK_TAPE));
  differentiate(TAPE, loss_of(a.sources[0], weights), &a);
  if (a.gradients[0]) read_values(a.gradients[0], out);
}

static void check_way(const line *l, int way, const glk_handle *in, glk_handle weights,
                      const glk_real *expected, uint32_t count) {
  asked a = {.count = 1 + l->inputs};
  OK(glk_program_begin(c, way == TRACE ? GLK_TRACE : GLK_TAPE));
  OK(glk_apply(c, l->op, in, l->inputs, l->attributes, l->count, &a.sources[0]));
  for (uint32_t k = 0; k < l->inputs; k++) a.sources[1 + k] = in[k];
  differentiate(way, loss_of(a.sources[0], weights), &a);
  expect_same(l->text, way, a.gradients[0], expected, count);
  for (uint32_t k = 0; k < l->inputs; k++) {
    CHECK_MSG(!a.gradients[1 + k] || glk_op_is_differentiable(glk_op_at(l->op)),
              "%s, %s: operand %u has a gradient", l->text, way_names[way], k);
  }
}

static void check_line(const char *text) {
  const line l = line_parse(text, NULL);
  glk_handle in[GLK_MAX_INPUTS], once = 0;
  OK(glk_context_create(NULL, &c));
  for (uint32_t k = 0; k < l.inputs; k++) in[k] = make(c, &l.in[k], 1);
  OK(glk_apply(c, l.op, in, l.inputs, l.attributes, l.count, &once));
  value y = {.values = storage[4]}, weights = {.values = storage[5]};
  OK(glk_shape_of(c, once, &y.shape.rank, y.shape.dims));
  read_values(once, y.values);
  weights.shape = y.shape;
  for (uint32_t i = 0; i < count_of(&y.shape); i++) weights.values[i] = rng_real(-2, 2);
  count_of(&weights.shape);
  const glk_handle w = make(c, &weights, 0);
  by_a_variable(&y, w, storage[6]);
  for (int way = 0; way < WAYS; way++) check_way(&l, way, in, w, storage[6], y.shape.count);
  glk_context_dispose(c);
}

static void the_gradient_by_what_any_op_gave_is_that_by_a_variable(void) {
  FOR_SAMPLES(text, examples) check_line(text);
}

/* d(y)/d(y) is 1 even where y is a target and nothing passes further down. */
static void any_value_is_its_own_derivative(void) {
  FOR_SAMPLES(text, examples) {
    const line l = line_parse(text, NULL);
    glk_handle in[GLK_MAX_INPUTS], y = 0, dy = 0;
    OK(glk_context_create(NULL, &c));
    for (uint32_t k = 0; k < l.inputs; k++) in[k] = make(c, &l.in[k], 1);
    OK(glk_program_begin(c, GLK_TAPE));
    OK(glk_apply(c, l.op, in, l.inputs, l.attributes, l.count, &y));
    OK(glk_gradients(c, 0, &y, NULL, 1, &y, 1, &dy));
    end_with(&y, 1);
    const uint32_t count = read_values(dy, storage[4]);
    for (uint32_t i = 0; i < count; i++) CHECK_MSG(storage[4][i] == 1, "%s", text);
    glk_context_dispose(c);
  }
}

/* A custom gradient's placeholder is a value of the recording, too. */
static void a_placeholder_may_be_a_source(void) {
  const uint32_t three = 3;
  glk_handle p = 0, g = 0;
  OK(glk_context_create(NULL, &c));
  OK(glk_program_begin(c, GLK_TRACE));
  OK(glk_placeholder(c, 1, &three, &p));
  const glk_handle y = op2(OP("mul"), p, p);
  OK(glk_gradients(c, 0, &y, NULL, 1, &p, 1, &g));
  CHECK(g != 0);
  glk_program_cancel(c);
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(the_gradient_by_what_any_op_gave_is_that_by_a_variable);
  TEST(any_value_is_its_own_derivative);
  TEST(a_placeholder_may_be_a_source);
  return harness_report();
}
