/* Gradients of every differentiable row of the op table against central differences: a row without
 * a sample fails the run, and so does an operand. Then what no difference quotient shows: which way
 * ties go, that what was not chosen leaves no trace, and what has no gradient at all.
 *
 * With the step h = cbrt(eps) max(1, |x|) the truncation, h^2 |f'''| / 6, and the rounding of the
 * loss, eps M / h, are both of the order of eps^(2/3), so
 *   |dL/dx - difference| <= 8 eps^(2/3) (1 + |dL/dx| + M),  L = sum w y, M = sum |w y|.
 * Samples keep |f'''| below about 40. In `double` that is a proof, to 3e-10; in f32, 2e-4, a check.
 */
#include "op_lines.h"
#include "samples/all.h"

static const double cbrt_eps = sizeof(glk_real) == 4 ? 0x1.428a2f98d728bp-8 : 0x1.965fea53d6e3dp-18;

/* A letter for each operand: a is a variable in -2..2, p in 1..3; q and r are such that neither is
 * near 0 or near the other, so nothing ties; no two elements of d are near each other; w is a
 * variable whose values are in the line. A capital (and c, which is 0 or 1) is a constant, and v a
 * constant whose values are in the line: indices. */
/* clang-format off */
static const char *const operands_of[3][9] = {
    {"[]", "[5]", "[2,3]", "[0,2]", "[1,2,1,3,1,2]"},
    {"[] []", "[3] [3]", "[2,3] [3]", "[3] [2,3]", "[2,1] [1,3]", "[] [2,2]", "[2,1,3] [4,1]",
     "[0,3] [3]", "[1,2,1,1,2,1] [2,1,2,2,1,2]"},
    {"[2,3] [2,3] [2,3]", "[3] [] [2,1]", "[] [2,3] [3]", "[2,1] [1,3] []", "[0] [1] []",
     "[1,2] [2,1,2] [2]"}};
/* clang-format on */

static int is_variable(const line *l, uint32_t k) {
  return strchr("adpqrw", l->letters[k]) != NULL;
}

static void draw(char letter, uint32_t count, glk_real *out) {
  if (letter == 'v' || letter == 'w') return;
  for (uint32_t i = 0; i < count; i++) {
    const glk_real any = rng_real(-2, 2), whole = (glk_real)rng_below(5) - 2;
    out[i] = letter == 'p' ? any / 2 + 2 : letter == 'c' ? (glk_real)rng_below(2) : any;
    if (letter == 'q' || letter == 'Q') out[i] = whole + (glk_real)0.25;
    if (letter == 'r') out[i] = whole + (glk_real)0.5;
    if (letter == 'd') { /* shuffled as they come */
      const uint32_t other = rng_below(i + 1);
      out[i] = out[other];
      out[other] = ((glk_real)i - (glk_real)count / 2) / 4;
    }
  }
}

static glk_handle apply(glk_context *c, uint32_t op, glk_handle a, glk_handle b) {
  const glk_handle in[4] = {a, b, b, b};
  glk_handle out = 0;
  OK(glk_apply(c, op, in, glk_op_at(op)->inputs, NULL, 0, &out));
  return out;
}

/* A program of sum(weights * op(in...)) */
static glk_handle record(glk_context *c, glk_record_mode mode, const line *l, const glk_handle *in,
                         glk_handle weights) {
  glk_handle y = 0, out = 0;
  OK(glk_program_begin(c, mode));
  OK(glk_apply(c, l->op, in, l->inputs, l->attributes, l->count, &y));
  const glk_handle loss = apply(c, OP("sum"), apply(c, OP("mul"), y, weights), 0);
  OK(glk_program_end(c, &loss, 1, &out));
  return out;
}

static double loss_of(glk_context *c, glk_handle program) {
  glk_handle out = 0;
  glk_real loss = 0;
  OK(glk_program_run(c, program));
  OK(glk_program_output(c, program, 0, &out));
  OK(glk_read(c, out, &loss, 1));
  glk_dispose(c, out);
  return (double)loss;
}

static void check_differences(glk_context *c, const char *text, glk_handle program,
                              glk_handle handle, const value *x, const glk_real *gradient,
                              double magnitude) {
  const uint32_t n = x->shape.count;
  for (uint32_t i = 0; i < n; i++) {
    const glk_real old = x->values[i], size = old > 1 ? old : old < -1 ? -old : 1;
    const glk_real points[2] = {old + (glk_real)cbrt_eps * size, old - (glk_real)cbrt_eps * size};
    double losses[2];
    for (int k = 0; k < 2; k++) {
      x->values[i] = points[k];
      OK(glk_variable_assign(c, handle, x->values, n, 0));
      losses[k] = loss_of(c, program);
    }
    x->values[i] = old;
    const double slope = (losses[0] - losses[1]) / ((double)points[0] - (double)points[1]);
    const double g = (double)gradient[i], scale = 1 + (g < 0 ? -g : g) + magnitude;
    if (!CHECK_NEAR(g, slope, 8 * cbrt_eps * cbrt_eps * scale)) printf("  %s, at %u\n", text, i);
  }
  OK(glk_variable_assign(c, handle, x->values, n, 0));
}

static void check_sample(const line *l) {
  glk_context *c = NULL;
  glk_handle in[GLK_MAX_INPUTS], variables[GLK_MAX_INPUTS], g[3][GLK_MAX_INPUTS], y = 0;
  value x[GLK_MAX_INPUTS], w = {{.rank = 0}, storage[4]};
  const glk_real *outcome;
  uint32_t count = 0;
  size_t n = 0;
  double magnitude = 0, loss = 0;
  OK(glk_context_create(NULL, &c));
  for (uint32_t k = 0; k < l->inputs; k++) {
    draw(l->letters[k], l->in[k].shape.count, l->in[k].values);
    in[k] = make(c, &l->in[k], is_variable(l, k));
    if (is_variable(l, k)) x[count] = l->in[k], variables[count++] = in[k];
  }
  OK(glk_apply(c, l->op, in, l->inputs, l->attributes, l->count, &y));
  OK(glk_shape_of(c, y, &w.shape.rank, w.shape.dims));
  OK(glk_view(c, y, &outcome, &n));
  draw('a', count_of(&w.shape), w.values);
  for (size_t i = 0; i < n; i++) {
    const double term = (double)w.values[i] * (double)outcome[i];
    magnitude += term < 0 ? -term : term;
  }
  const glk_handle weights = make(c, &w, 0), trace = record(c, GLK_TRACE, l, in, weights);
  const glk_handle tape = record(c, GLK_TAPE, l, in, weights);
  OK(glk_program_gradient(c, trace, variables, count, &loss, g[0]));
  OK(glk_program_gradient(c, tape, variables, count, NULL, g[1]));
  for (uint32_t k = 0; k < count; k++) OK(glk_locks_add_all(c, variables[k]));
  OK(glk_program_gradient(c, trace, variables, count, NULL, g[2]));
  CHECK_NEAR(loss_of(c, trace), loss, 0);
  for (uint32_t k = 0; k < count; k++) {
    uint32_t rank, dims[GLK_MAX_RANK];
    const glk_shape *s = &x[k].shape;
    OK(glk_locks_invert(c, variables[k]));
    for (int way = 0; way < 3; way++) { /* replayed, taped, all locked: the same bits */
      glk_real *d = storage[5 + way];
      OK(glk_shape_of(c, g[way][k], &rank, dims));
      CHECK_MSG(rank == s->rank && !memcmp(dims, s->dims, rank * sizeof *dims), "%s", l->text);
      OK(glk_read(c, g[way][k], d, s->count));
      const value got = {*s, d}, first = {*s, storage[5]};
      CHECK_MSG(!differ(&got, &first), "%s, way %d%s", l->text, way, difference);
    }
    check_differences(c, l->text, trace, variables[k], &x[k], storage[5], magnitude);
  }
  glk_context_dispose(c);
}

static int seen[MAX_OPS][GLK_MAX_INPUTS];

static void check_line(const char *text, const char *operands) {
  const line l = line_parse(text, operands);
  for (uint32_t k = 0; k < l.inputs; k++) seen[l.op][k] |= is_variable(&l, k);
  check_sample(&l);
}

static int is_flat(uint32_t op, uint32_t operand) {
  char name[48];
  snprintf(name, sizeof name, "%s %u", glk_op_at(op)->name, operand);
  FOR_SAMPLES(text, flat) if (!strcmp(text, name)) return 1;
  return 0;
}

static void every_gradient_is_the_slope_of_its_op(void) {
  FOR_SAMPLES(text, broadcasting) {
    const size_t inputs = strlen(strchr(text, ' ')) - 1;
    const char *const *operands = operands_of[inputs - 1];
    for (int k = 0; k < 9 && operands[k]; k++) check_line(text, operands[k]);
  }
  FOR_SAMPLES(text, slopes) check_line(text, NULL);
  for (uint32_t op = 0; op < glk_op_count(); op++) {
    for (uint32_t k = 0; k < glk_op_at(op)->inputs && glk_op_is_differentiable(glk_op_at(op));
         k++) {
      CHECK_MSG(seen[op][k] || is_flat(op, k), "%s: no sample of %u", glk_op_at(op)->name, k);
    }
  }
}

static void ties_go_where_the_table_says_and_what_is_not_chosen_leaves_no_trace(void) {
  FOR_SAMPLES(text, conventions) {
    line l = line_parse(text, NULL);
    glk_context *c = NULL;
    glk_handle in[GLK_MAX_INPUTS], g;
    OK(glk_context_create(NULL, &c));
    for (uint32_t k = 0; k < l.inputs; k++) in[k] = make(c, &l.in[k], is_variable(&l, k));
    const value dy = value_parse(&l.outcome, storage[4]);
    const glk_handle program = record(c, GLK_TRACE, &l, in, make(c, &dy, 0));
    for (uint32_t k = 0; k < l.inputs; k++) {
      if (!is_variable(&l, k)) continue;
      const value d = value_parse(&l.outcome, storage[5]), got = {d.shape, storage[6]};
      OK(glk_program_gradient(c, program, &in[k], 1, NULL, &g));
      OK(glk_read(c, g, storage[6], d.shape.count));
      CHECK_MSG(!differ(&got, &d), "operand %u of %s%s", k, l.text, difference);
    }
    glk_context_dispose(c);
  }
}

/* --------------------------------------------------------------------------------- no gradients */

static void has_none(glk_context *c, glk_handle loss, const glk_handle *variables, uint32_t count,
                     const char *says) {
  glk_handle program = 0, g[2] = {77, 77};
  double number = 77;
  OK(glk_program_end(c, &loss, 1, &program));
  CHECK_STATUS(glk_program_gradient(c, program, variables, count, &number, g), GLK_ERROR_GRADIENT);
  CHECK_MSG(strstr(glk_context_detail(c), says), "%s", glk_context_detail(c));
  CHECK(g[0] == 77 && g[1] == 77 && number == 77);
  glk_handle output;
  OK(glk_program_output(c, program, 0, &output)); /* it is as good as before */
}

static void what_the_loss_cannot_feel_has_no_gradient(void) {
  for (int mode = GLK_TRACE; mode <= GLK_TAPE; mode++) {
    glk_real ones[3] = {1, 1, 1};
    const value three = {{1, {3}, 3}, ones}, one = {{1, {1}, 1}, ones};
    glk_context *c = NULL;
    OK(glk_context_create(NULL, &c));
    const glk_handle x = make(c, &three, 1), x1 = make(c, &one, 1);
    FOR_SAMPLES(text, examples) { /* comparisons, stopGradient, flat operands */
      const line l = line_parse(text, NULL);
      for (uint32_t operand = 0; operand < l.inputs; operand++) {
        if (glk_op_is_differentiable(glk_op_at(l.op)) && !is_flat(l.op, operand)) continue;
        glk_handle in[GLK_MAX_INPUTS], y = 0;
        for (uint32_t i = 0; i < l.inputs; i++) in[i] = make(c, &l.in[i], i == operand);
        OK(glk_program_begin(c, (glk_record_mode)mode));
        OK(glk_apply(c, l.op, in, l.inputs, l.attributes, l.count, &y));
        has_none(c, apply(c, OP("sum"), y, 0), &in[operand], 1, "variable 'it'");
      }
    }
    OK(glk_program_begin(c, (glk_record_mode)mode)); /* one of two is not read */
    has_none(c, apply(c, OP("sum"), x, 0), (glk_handle[]){x, x1}, 2, "variable 'it' [1]");
    OK(glk_program_begin(c, (glk_record_mode)mode));
    has_none(c, apply(c, OP("neg"), x, 0), &x, 1, "shape [3], expected a scalar");
    OK(glk_program_begin(c, (glk_record_mode)mode));
    has_none(c, apply(c, OP("neg"), x1, 0), &x1, 1, "shape [1], expected a scalar");
    OK(glk_program_begin(c, (glk_record_mode)mode)); /* only what is not stopped counts */
    const glk_handle y = apply(c, OP("mul"), x, apply(c, OP("stopGradient"), x, 0));
    const glk_handle loss = apply(c, OP("sum"), y, 0);
    glk_handle program, g;
    OK(glk_program_end(c, &loss, 1, &program));
    OK(glk_program_gradient(c, program, NULL, 0, NULL, NULL)); /* of nothing */
    OK(glk_program_gradient(c, program, &x, 1, NULL, &g));
    OK(glk_read(c, g, storage[0], 3));
    CHECK(!memcmp(storage[0], ones, sizeof ones)); /* and not 2 */
    glk_context_dispose(c);
  }
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(every_gradient_is_the_slope_of_its_op);
  TEST(ties_go_where_the_table_says_and_what_is_not_chosen_leaves_no_trace);
  TEST(what_the_loss_cannot_feel_has_no_gradient);
  return harness_report();
}
