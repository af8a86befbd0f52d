/* Applications of ops as lines of text, and the shapes and indices they need: what test_ops.c and
 * test_gradients.c share. A line is "op operand... ; attribute... = what comes of it"; an operand
 * is a shape and, where they matter, values: "[2,3] 1 2 3 4 5 6". Missing values are zeros.
 */
#ifndef GLK_TESTS_OP_LINES_H
#define GLK_TESTS_OP_LINES_H

#include <stdlib.h>

#include "harness.h"
#include "ops/op.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { MOST = 1 << 15 };

/** Room for values; line_parse fills the first four. */
static glk_real storage[9][MOST];

typedef struct value {
  glk_shape shape;
  glk_real *values;
} value;

typedef struct line {
  const char *text;
  uint32_t op, inputs, count;
  char letters[8]; /* what stands between the op and its operands */
  value in[GLK_MAX_INPUTS];
  double attributes[GLK_MAX_ATTRIBUTES];
  char *outcome;
} line;

static inline uint32_t count_of(glk_shape *s) {
  s->count = 1;
  for (uint32_t a = 0; a < s->rank; a++) s->count *= s->dims[a];
  return s->count;
}

static inline void index_of(const glk_shape *s, uint32_t at, uint32_t *index) {
  for (uint32_t a = s->rank; a-- > 0; at /= s->dims[a]) index[a] = at % s->dims[a];
}

static inline value value_parse(char **at, glk_real *values) {
  value v = {{.rank = 0}, values};
  for (++*at; **at != ']'; *at += **at == ',') {
    v.shape.dims[v.shape.rank++] = (uint32_t)strtoul(*at, at, 10);
  }
  *at += strspn(*at, "] ");
  memset(values, 0, count_of(&v.shape) * sizeof *values);
  for (uint32_t i = 0; i < v.shape.count && !strchr("[;=", **at); i++) {
    values[i] = (glk_real)strtod(*at, at);
    *at += strspn(*at, " ");
  }
  return v;
}

/** `operands` NULL: they are in the text, too. */
static inline line line_parse(const char *text, const char *operands) {
  line l = {.text = text, .op = glk_op_count()};
  char name[32];
  int length = 0;
  sscanf(text, "%31s %n", name, &length);
  for (l.op = 0; l.op < glk_op_count() && strcmp(glk_op_at(l.op)->name, name) != 0;) l.op++;
  CHECK_MSG(l.op < glk_op_count(), "there is no op %s", name);
  char *at = (char *)text + length;
  if (*at && *at != '[') at += (sscanf(at, "%7s %n", l.letters, &length), length);
  if (operands) at = (char *)operands;
  for (; *at == '['; l.inputs++) l.in[l.inputs] = value_parse(&at, storage[l.inputs]);
  for (at += strspn(at, "; "); *at && *at != '='; at += strspn(at, " ")) {
    l.attributes[l.count++] = strtod(at, &at);
  }
  l.outcome = at + strspn(at, "= ");
  return l;
}

static inline glk_handle make(glk_context *c, const value *v, int is_variable) {
  const glk_shape *s = &v->shape;
  glk_handle out = 0;
  OK(is_variable ? glk_variable_create(c, s->rank, s->dims, v->values, s->count, "it", 1, &out)
                 : glk_tensor_create(c, s->rank, s->dims, v->values, s->count, &out));
  return out;
}

/** Draws an operand as its letter says, see test_gradients.c; values that are written stay. */
static inline void line_draw(char letter, const value *v) {
  for (uint32_t i = 0; i < v->shape.count; i++) {
    if (v->values[i] != 0) return;
  }
  for (uint32_t i = 0; i < v->shape.count && letter && letter != 'v'; i++) {
    v->values[i] = letter == 'p'   ? rng_real(1, 3)
                   : letter == 'c' ? (glk_real)rng_below(2)
                                   : rng_real(-2, 2);
  }
}

/* -------------------------------------------------------------------- what a failing check says */

enum { SHOWN = 16 };

/** "got and expected", after differ() was true. */
static char difference[1200];

static inline int say(int at, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  const int room = (int)sizeof difference - at;
  const int written = vsnprintf(difference + at, (size_t)room, format, arguments);
  va_end(arguments);
  return at + (written < room ? written : room - 1);
}

/* Print values as samples are written; of many values, those from `first` on. */
static inline int say_values(int at, const char *who, const value *v, uint32_t first) {
  at = say(at, "\n  %-8s [", who);
  for (uint32_t a = 0; a < v->shape.rank; a++) at = say(at, "%s%u", a ? "," : "", v->shape.dims[a]);
  at = say(at, first ? "] ..." : "]");
  for (uint32_t i = first; i < v->shape.count && i < first + SHOWN; i++) {
    at = say(at, " %.9g", (double)v->values[i]);
  }
  return say(at, first + SHOWN < v->shape.count ? " ..." : "");
}

/** Whether two tensors differ by a bit; then `difference` describes it. */
static inline int differ(const value *got, const value *expected) {
  const glk_shape *g = &got->shape, *e = &expected->shape;
  const int same_shape = g->rank == e->rank && !memcmp(g->dims, e->dims, g->rank * sizeof *g->dims);
  uint32_t i = 0;
  uint64_t bits[2] = {0}; /* every target is little-endian */
  const size_t size = sizeof(glk_real);
  while (same_shape && i < e->count && !memcmp(&got->values[i], &expected->values[i], size)) i++;
  if (same_shape && i == e->count) return 0;
  const uint32_t first = same_shape && i >= SHOWN ? i - SHOWN / 2 : 0;
  const int at = say_values(say_values(0, "got", got, first), "expected", expected, first);
  if (!same_shape) return 1;
  memcpy(&bits[0], &got->values[i], size);
  memcpy(&bits[1], &expected->values[i], size);
  say(at, "\n  first at %u: %.9g (0x%llx), expected %.9g (0x%llx)", i, (double)got->values[i],
      (unsigned long long)bits[0], (double)expected->values[i], (unsigned long long)bits[1]);
  return 1;
}

#endif
