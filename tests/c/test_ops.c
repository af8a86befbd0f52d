/* Every row of the op table: exact examples, broadcasting and moving of elements compared with
 * plain loops over indices, and the inputs that each row refuses, with status and message.
 */
#include "op_lines.h"
#include "samples/all.h"

static size_t bytes_of(glk_context *c) {
  glk_memory memory;
  glk_context_memory(c, &memory);
  return memory.bytes + memory.objects;
}

static glk_context *new_context(void) {
  glk_context *c = NULL;
  glk_handle h[600];
  OK(glk_context_create(NULL, &c));
  for (int i = 0; i < 600; i++) glk_locks_create(c, 0, NULL, &h[i]);
  for (int i = 0; i < 600; i++) glk_dispose(c, h[i]); /* the handle table has its size */
  return c;
}

/* True if op(in...) has this shape and, bit by bit, these values; if not, `difference` says why. A
 * NaN is the canonical one. */
static int gives(glk_context *c, uint32_t op, const value *in, uint32_t inputs,
                 const double *attributes, uint32_t count, const value *expected) {
  glk_handle h[GLK_MAX_INPUTS], out = 0;
  value got = {{.rank = 0}, NULL};
  const glk_real *values = NULL;
  size_t n = 0;
  for (uint32_t i = 0; i < inputs; i++) h[i] = make(c, &in[i], 0);
  int ok = glk_apply(c, op, h, inputs, attributes, count, &out) == GLK_OK &&
           glk_shape_of(c, out, &got.shape.rank, got.shape.dims) == GLK_OK &&
           glk_view(c, out, &values, &n) == GLK_OK;
  if (!ok) say(0, ": %s", glk_context_detail(c));
  got.values = (glk_real *)values;
  ok = ok && CHECK_EQ(count_of(&got.shape), n) && !differ(&got, expected);
  if (out) glk_dispose(c, out);
  for (uint32_t i = 0; i < inputs; i++) glk_dispose(c, h[i]);
  return ok;
}

/* ------------------------------------------------------------------------------------- examples */

static void check_examples(glk_context *c) {
  const size_t before = bytes_of(c);
  int seen[MAX_OPS] = {0};
  FOR_SAMPLES(text, examples) {
    line l = line_parse(text, NULL);
    const value out = value_parse(&l.outcome, storage[4]);
    CHECK_MSG(gives(c, l.op, l.in, l.inputs, l.attributes, l.count, &out), "%s%s", text,
              difference);
    seen[l.op] = 1;
  }
  for (uint32_t op = 0; op < glk_op_count(); op++)
    CHECK_MSG(seen[op], "%s has no example", glk_op_at(op)->name);
  CHECK_EQ(bytes_of(c), before);
}

static void every_op_gives_the_values_of_its_examples(void) {
  glk_context *c = new_context();
  check_examples(c);
  glk_context_dispose(c);
}

/* Threads share even the smallest examples. */
static void every_op_gives_them_on_three_threads(void) {
  glk_context *c = new_context();
  if (CHECK_STATUS(glk_context_threads(c, 3, 0), GLK_HAS_THREADS ? GLK_OK : GLK_ERROR_LIMIT)) {
    check_examples(c);
  }
  glk_context_dispose(c);
}

static void the_epsilon_of_layer_norm_is_a_thousandth_unless_named(void) {
  glk_context *c = new_context();
  const double thousandth = 1e-3;
  const line l = line_parse("layerNorm [2] 1 1.5", NULL);
  const value named = {l.in[0].shape, storage[4]};
  const glk_handle x = make(c, l.in, 0);
  glk_handle out;
  OK(glk_apply(c, l.op, &x, 1, &thousandth, 1, &out));
  OK(glk_read(c, out, named.values, 2));
  CHECK_MSG(gives(c, l.op, l.in, 1, NULL, 0, &named), "%s", difference);
  glk_context_dispose(c);
}

static void the_table_describes_every_row(void) {
  glk_op_info info, other;
  uint32_t found;
  glk_context *c;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  CHECK_EQ(glk_op_count(), glk_op_count());
  for (uint32_t op = 0; op < glk_op_count(); op++) {
    if (!OK(glk_op_describe(op, &info))) continue;
    const size_t n = strlen(info.name);
    CHECK_MSG(!strncmp(info.signature, info.name, n) && info.signature[n] == '(', "%s",
              info.signature);
    CHECK_MSG(strlen(info.doc) > 1 && info.inputs <= GLK_MAX_INPUTS, "%s", info.name);
    CHECK(glk_op_find(c, info.name, &found) == GLK_OK && found == op);
  }
  CHECK_STATUS(glk_op_describe(glk_op_count(), &other), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_op_describe(0, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_op_find(c, "Add", &found), GLK_ERROR_ARGUMENT);
  CHECK_MSG(!strncmp(glk_context_detail(c), "there is no op 'Add'", 20), "%s",
            glk_context_detail(c));
  CHECK_STATUS(glk_op_find(c, NULL, &found), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_op_find(NULL, "add", &found), GLK_ERROR_ARGUMENT);
  glk_context_dispose(c);
}

/* -------------------------------------------------------------------------- against plain loops */

static glk_shape random_shape(void) {
  glk_shape s = {.rank = rng_below(GLK_MAX_RANK + 1)};
  for (uint32_t a = 0; a < s.rank; a++) s.dims[a] = rng_below(30) ? 1 + rng_below(4) : 0;
  count_of(&s);
  return s;
}

/* The flat index in `s` of an index along the last axes of a greater shape; sizes of 1 repeat. */
static uint32_t flat(const glk_shape *s, const uint32_t *index, uint32_t rank) {
  uint32_t at = 0;
  for (uint32_t a = 0; a < s->rank; a++) {
    at = at * s->dims[a] + (s->dims[a] == 1 ? 0 : index[rank - s->rank + a]);
  }
  return at;
}

/* Operands that broadcast give the same bits as operands that are written out in full. */
static void check_broadcast(glk_context *c, uint32_t op, uint32_t inputs) {
  const glk_shape whole = random_shape();
  glk_shape out = {.rank = 0}, seen = {.rank = whole.rank, .dims = {1, 1, 1, 1, 1, 1, 1}};
  value in[3], full[3];
  for (uint32_t k = 0; k < inputs; k++) {
    const uint32_t cut = rng_below(2) ? rng_below(whole.rank + 1) : 0;
    in[k] = (value){{.rank = whole.rank - cut}, storage[k]};
    for (uint32_t a = cut; a < whole.rank; a++) {
      in[k].shape.dims[a - cut] = rng_below(3) ? whole.dims[a] : 1;
      if (in[k].shape.dims[a - cut] != 1) seen.dims[a] = whole.dims[a];
    }
    if (in[k].shape.rank > out.rank) out.rank = in[k].shape.rank;
    for (uint32_t i = 0; i < count_of(&in[k].shape); i++)
      storage[k][i] = (glk_real)rng_below(5) - 2;
  }
  double sizes[GLK_MAX_RANK];
  for (uint32_t a = 0; a < out.rank; a++) {
    sizes[a] = out.dims[a] = seen.dims[whole.rank - out.rank + a];
  }
  count_of(&out);
  glk_handle h[3], result = 0;
  for (uint32_t k = 0; k < inputs; k++) {
    full[k] = (value){out, storage[4 + k]};
    for (uint32_t i = 0; i < out.count; i++) {
      uint32_t index[GLK_MAX_RANK];
      index_of(&out, i, index);
      full[k].values[i] = storage[k][flat(&in[k].shape, index, out.rank)];
    }
    h[k] = make(c, &full[k], 0);
    CHECK(gives(c, OP("broadcastTo"), &in[k], 1, sizes, out.rank, &full[k]));
  }
  OK(glk_apply(c, op, h, inputs, NULL, 0, &result));
  OK(glk_read(c, result, storage[3], out.count));
  CHECK_MSG(gives(c, op, in, inputs, NULL, 0, &(value){out, storage[3]}), "%s%s",
            glk_op_at(op)->name, difference);
  glk_dispose(c, result);
  for (uint32_t k = 0; k < inputs; k++) glk_dispose(c, h[k]);
}

static void broadcasting_is_numpys_for_every_op_that_broadcasts(void) {
  glk_context *c = new_context();
  for (uint32_t op = 0; op < glk_op_count(); op++) {
    if (glk_op_at(op)->inputs < 2 || glk_op_at(op)->infer != glk_infer_broadcast) continue;
    for (int round = 0; round < 150; round++) check_broadcast(c, op, glk_op_at(op)->inputs);
  }
  glk_context_dispose(c);
}

/* Values whose sums and products are exact in any order, folded one by one. */
static glk_real fold(uint32_t op, glk_real so_far, glk_real x, int is_first) {
  if (op == OP("prod")) return is_first ? x : so_far * x;
  if (op == OP("max")) return is_first || x > so_far ? x : so_far;
  if (op == OP("min")) return is_first || x < so_far ? x : so_far;
  if (op == OP("any")) return (glk_real)(x != 0 || (!is_first && so_far != 0));
  if (op == OP("all")) return (glk_real)(x != 0 && (is_first || so_far != 0));
  return is_first ? x : so_far + x;
}

static void reductions_over_any_axes_match_the_plain_loop(void) {
  const uint32_t ops[] = {OP("sum"), OP("mean"), OP("prod"), OP("max"),
                          OP("min"), OP("any"),  OP("all")};
  static int is_first[MOST];
  glk_context *c = new_context();
  for (int round = 0; round < 5000; round++) {
    const uint32_t op = ops[rng_below(7)];
    const int keep = round & 1;
    const uint32_t chosen = rng_below(64);
    value x = {random_shape(), storage[0]}, out = {{.rank = 0}, storage[1]};
    glk_shape kept = x.shape;
    double attributes[1 + GLK_MAX_RANK] = {keep};
    uint32_t count = 1, n = 1, index[GLK_MAX_RANK];
    for (uint32_t a = x.shape.rank; a-- > 0;) { /* some counted from the end */
      if (chosen >> a & 1)
        attributes[count++] = rng_below(2) ? (double)a : (double)a - x.shape.rank;
    }
    for (uint32_t a = 0; a < x.shape.rank; a++) {
      const int is_reduced = count == 1 || chosen >> a & 1;
      if (is_reduced) n *= x.shape.dims[a], kept.dims[a] = 1;
      if (!is_reduced || keep) out.shape.dims[out.shape.rank++] = kept.dims[a];
    }
    const int is_extreme = op == OP("max") || op == OP("min");
    if (!n && count_of(&out.shape) && is_extreme) continue; /* refused */
    for (uint32_t i = 0; i < count_of(&out.shape); i++) {
      is_first[i] = 1;
      storage[1][i] = op == OP("prod") || op == OP("all");
    }
    for (uint32_t i = 0; i < x.shape.count; i++) {
      index_of(&x.shape, i, index);
      const glk_real whole = (glk_real)rng_below(21) - 10;
      storage[0][i] = op == OP("prod") && rng_below(64) ? (whole < 0 ? -1 : 1) : whole;
      if (op == OP("any")) storage[0][i] = whole == 5;
      if (op == OP("prod") && storage[0][i] != 1 && storage[0][i] != -1) storage[0][i] = 2;
      const uint32_t at = flat(&kept, index, kept.rank);
      storage[1][at] = fold(op, storage[1][at], storage[0][i], is_first[at]);
      is_first[at] = 0;
    }
    for (uint32_t i = 0; i < out.shape.count && op == OP("mean"); i++) {
      storage[1][i] = n ? storage[1][i] / (glk_real)n : (glk_real)__builtin_nan("");
    }
    const int ok = gives(c, op, &x, 1, attributes, count, &out);
    CHECK_MSG(ok, "%s, round %d%s", glk_op_at(op)->name, round, difference);
  }
  glk_context_dispose(c);
}

/* How an op that moves elements sees one axis: where each element of the output comes from. */
typedef struct moves {
  double attributes[GLK_MAX_ATTRIBUTES];
  uint32_t count, size[GLK_MAX_RANK], from[GLK_MAX_RANK][64];
} moves;

static void take(moves *m, uint32_t a, int64_t from) { m->from[a][m->size[a]++] = (uint32_t)from; }

static void draw_slice(moves *m, uint32_t rank, uint32_t a, int64_t n) {
  const uint32_t begin = rng_below((uint32_t)n + 1), size = rng_below((uint32_t)n - begin + 1);
  for (uint32_t i = 0; i < size; i++) take(m, a, begin + i);
  m->attributes[a] = begin, m->attributes[rank + a] = size, m->count = 2 * rank;
}

/* Python's slice, element by element. */
static void draw_strided_slice(moves *m, uint32_t rank, uint32_t a, int64_t n) {
  int64_t begin = rng_below(15) - (int64_t)7, end = rng_below(15) - (int64_t)7;
  const int64_t stride = (1 + (int64_t)rng_below(3)) * (rng_below(2) ? 1 : -1);
  m->attributes[a] = (double)begin, m->attributes[rank + a] = (double)end;
  m->attributes[2 * rank + a] = (double)stride, m->count = 3 * rank;
  if (begin < 0) begin += n;
  if (end < 0) end += n;
  if (stride > 0) {
    for (int64_t i = begin < 0 ? 0 : begin; i < end && i < n; i += stride) take(m, a, i);
  } else {
    for (int64_t i = begin < n ? begin : n - 1; i > end && i >= 0; i += stride) take(m, a, i);
  }
}

static void draw_reverse(moves *m, uint32_t rank, uint32_t a, int64_t n) {
  const int is_turned = !a || rng_below(2); /* never none, which means all */
  (void)rank;
  if (is_turned) m->attributes[m->count++] = a;
  for (int64_t i = 0; i < n; i++) take(m, a, is_turned ? n - 1 - i : i);
}

static void draw_roll(moves *m, uint32_t rank, uint32_t a, int64_t n) {
  const int64_t shift = rng_below(19) - (int64_t)9;
  m->attributes[m->count++] = (double)shift, m->attributes[m->count++] = (double)a - rank;
  for (int64_t i = 0; i < n; i++) take(m, a, (i - shift + 9 * n) % n);
}

static void draw_tile(moves *m, uint32_t rank, uint32_t a, int64_t n) {
  const int64_t times = rng_below(4);
  m->attributes[a] = (double)times, m->count = rank;
  for (int64_t i = 0; i < times * n; i++) take(m, a, i % n);
}

static void draw_mirror_pad(moves *m, uint32_t rank, uint32_t a, int64_t n) {
  double *symmetric = &m->attributes[2 * rank];
  if (!a) *symmetric = rng_below(2);
  const int64_t skipped = *symmetric != 0 ? 0 : 1, most = n > skipped ? n - skipped : 0;
  const int64_t before = rng_below((uint32_t)most + 1), behind = rng_below((uint32_t)most + 1);
  m->attributes[a] = (double)before, m->attributes[rank + a] = (double)behind;
  m->count = 2 * rank + 1;
  for (int64_t i = -before; i < n + behind; i++) {
    take(m, a, i < 0 ? -i - 1 + skipped : i < n ? i : 2 * n - 1 - skipped - i);
  }
}

static void moved_elements_come_from_where_the_plain_loop_takes_them(void) {
  const struct {
    uint32_t op;
    void (*draw)(moves *m, uint32_t rank, uint32_t a, int64_t n);
  } rows[] = {{OP("slice"), draw_slice},     {OP("stridedSlice"), draw_strided_slice},
              {OP("reverse"), draw_reverse}, {OP("roll"), draw_roll},
              {OP("tile"), draw_tile},       {OP("mirrorPad"), draw_mirror_pad},
              {OP("transpose"), NULL}};
  glk_context *c = new_context();
  for (int round = 0; round < 7000; round++) {
    const uint32_t op = rows[round % 7].op;
    value x = {random_shape(), storage[0]}, out = {x.shape, storage[1]};
    const uint32_t rank = x.shape.rank;
    uint32_t axis[GLK_MAX_RANK], index[GLK_MAX_RANK], there[GLK_MAX_RANK];
    moves m = {.count = 0};
    for (uint32_t a = 0; a < rank; a++) {
      const uint32_t other = op == OP("transpose") ? rng_below(a + 1) : a;
      axis[a] = axis[other], axis[other] = a;
    }
    for (uint32_t a = 0; a < rank; a++) {
      if (op == OP("transpose")) {
        m.attributes[m.count++] = axis[a];
        for (uint32_t i = 0; i < x.shape.dims[axis[a]]; i++) take(&m, a, i);
      } else {
        rows[round % 7].draw(&m, rank, a, x.shape.dims[a]);
      }
      out.shape.dims[a] = m.size[a];
    }
    if (op == OP("mirrorPad") && !rank) m.count = 1;
    if (count_of(&out.shape) > MOST) continue;
    for (uint32_t i = 0; i < x.shape.count; i++) storage[0][i] = rng_real(-1, 1);
    for (uint32_t i = 0; i < out.shape.count; i++) {
      index_of(&out.shape, i, index);
      for (uint32_t a = 0; a < rank; a++) there[axis[a]] = m.from[a][index[a]];
      storage[1][i] = storage[0][flat(&x.shape, there, rank)];
    }
    const int ok = gives(c, op, &x, 1, m.attributes, m.count, &out);
    CHECK_MSG(ok, "%s, round %d%s", glk_op_at(op)->name, round, difference);
  }
  glk_context_dispose(c);
}

/* ------------------------------------------------------------------------------------- refusals */

static void refuses(glk_context *c, uint32_t op, const glk_handle *in, uint32_t inputs,
                    const double *attributes, uint32_t count, glk_status status, const char *says) {
  const size_t before = bytes_of(c);
  glk_handle out = 77;
  CHECK_STATUS(glk_apply(c, op, in, inputs, attributes, count, &out), status);
  const char *detail = glk_context_detail(c);
  CHECK_MSG(strstr(detail, says), "\"%s\" lacks \"%s\"", detail, says);
  CHECK_MSG(out == 77 && bytes_of(c) == before, "something changed: %s", detail);
}

static void bad_shapes_and_attributes_are_refused_by_name_and_leave_nothing(void) {
  glk_context *c = new_context();
  FOR_SAMPLES(text, refusals) {
    const line l = line_parse(text, NULL);
    const size_t length = strcspn(l.outcome, " ");
    int status = GLK_ERROR_OUT_OF_MEMORY;
    while (status < GLK_STATUS_COUNT &&
           strncmp(glk_status_name((glk_status)status) + 10, l.outcome, length))
      status++;
    const unsigned long long failures = harness.failures;
    glk_handle h[GLK_MAX_INPUTS];
    for (uint32_t k = 0; k < l.inputs; k++) h[k] = make(c, &l.in[k], 0);
    refuses(c, l.op, h, l.inputs, l.attributes, l.count, (glk_status)status, glk_op_at(l.op)->name);
    refuses(c, l.op, h, l.inputs, l.attributes, l.count, (glk_status)status,
            l.outcome + length + 1);
    if (harness.failures != failures) printf("  %s\n", text);
    for (uint32_t k = 0; k < l.inputs; k++) glk_dispose(c, h[k]);
  }
  glk_context_dispose(c);
}

static void every_op_refuses_what_no_op_takes(void) {
  static const char *const roles[] = {"operand 0", "operand 1", "operand 2", "operand 3"};
  glk_context *c = new_context();
  glk_real zeros[6] = {0};
  const double many[GLK_MAX_ATTRIBUTES + 1] = {0};
  const value v = {{2, {2, 3}, 6}, zeros}, w = {{1, {4}, 4}, zeros};
  const glk_handle x = make(c, &v, 0), y = make(c, &w, 0), gone = make(c, &v, 0);
  glk_handle locks;
  OK(glk_locks_create(c, 0, NULL, &locks));
  glk_dispose(c, gone);
  for (uint32_t op = 0; op < glk_op_count(); op++) {
    const char *name = glk_op_at(op)->name;
    const uint32_t n = glk_op_at(op)->inputs;
    glk_handle in[5] = {x, x, x, x, x};
    refuses(c, op, in, n + 1, NULL, 0, GLK_ERROR_ARGUMENT, name);
    if (n) refuses(c, op, in, n - 1, NULL, 0, GLK_ERROR_ARGUMENT, name);
    if (n) refuses(c, op, NULL, n, NULL, 0, GLK_ERROR_ARGUMENT, name);
    refuses(c, op, in, n, NULL, 1, GLK_ERROR_ARGUMENT, name);
    refuses(c, op, in, n, many, GLK_MAX_ATTRIBUTES + 1, GLK_ERROR_ARGUMENT, name);
    for (uint32_t k = 0; k < n; k++) {
      in[k] = gone;
      refuses(c, op, in, n, NULL, 0, GLK_ERROR_HANDLE, roles[k]);
      in[k] = locks;
      refuses(c, op, in, n, NULL, 0, GLK_ERROR_KIND, roles[k]);
      in[k] = x;
    }
    CHECK_STATUS(glk_apply(c, op, in, n, NULL, 0, NULL), GLK_ERROR_ARGUMENT);
    if (n < 2 || glk_op_at(op)->infer != glk_infer_broadcast) continue;
    refuses(c, op, in, n, many, 1, GLK_ERROR_ARGUMENT, name);
    in[n - 1] = y;
    refuses(c, op, in, n, NULL, 0, GLK_ERROR_SHAPE, "shapes [2,3] and [4]");
  }
  CHECK_STATUS(glk_apply(c, glk_op_count(), &x, 1, NULL, 0, &locks), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_apply(NULL, 0, &x, 1, NULL, 0, &locks), GLK_ERROR_ARGUMENT);
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(the_table_describes_every_row);
  TEST(every_op_gives_the_values_of_its_examples);
  TEST(the_epsilon_of_layer_norm_is_a_thousandth_unless_named);
  TEST(every_op_gives_them_on_three_threads);
  TEST(broadcasting_is_numpys_for_every_op_that_broadcasts);
  TEST(reductions_over_any_axes_match_the_plain_loop);
  TEST(moved_elements_come_from_where_the_plain_loop_takes_them);
  TEST(bad_shapes_and_attributes_are_refused_by_name_and_leave_nothing);
  TEST(every_op_refuses_what_no_op_takes);
  return harness_report();
}
