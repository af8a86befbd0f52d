/* How fuzz_api.c makes arguments of bytes: handles, numbers, shapes, values, attributes that fit an op's signature or do
 * not. Mostly what makes sense, now and then what no caller would write. */
#ifndef GLK_TESTS_API_INPUT_H
#define GLK_TESTS_API_INPUT_H

#include "fuzz.h"
#include "op_order.h"

enum { SLOTS = 24, FOREIGN = 4, VALUES = 4096, LISTED = 24 };

static glk_context *c;
static bytes input;
static glk_handle slots[SLOTS];     /* what was made */
static glk_handle foreign[FOREIGN]; /* of another context */
static uint32_t next_slot;
static float values[VALUES];

static struct {
  char signature[128];
  uint32_t inputs;
} ops[MOST_OPS];
static uint32_t op_count;

/* -------------------------------------------------------------------------------------------- handles */

/* Keep a handle; where there is no room, the oldest is disposed. */
static void keep(glk_handle handle) {
  if (!handle) return;
  for (uint32_t i = 0; i < SLOTS; i++) {
    if (slots[i]) continue;
    slots[i] = handle;
    return;
  }
  glk_dispose(c, slots[next_slot % SLOTS]);
  slots[next_slot++ % SLOTS] = handle;
}

static glk_handle any_handle(void) {
  const uint32_t k = next_u8(&input);
  if (k == 255) return foreign[next_below(&input, FOREIGN)];
  if (k == 254) return next_u32(&input);
  return k == 253 ? 0 : slots[k % SLOTS];
}

static glk_handle handle_of(glk_kind kind, glk_kind or_kind) {
  const uint32_t k = next_u8(&input);
  if (k >= 250) return any_handle();
  for (uint32_t i = 0; i < SLOTS; i++) {
    const glk_handle h = slots[(k + i) % SLOTS];
    const glk_kind is = h ? glk_handle_kind(c, h) : GLK_KIND_NONE;
    if (h && (is == kind || is == or_kind)) return h;
  }
  return slots[k % SLOTS];
}

static glk_handle a_value(void) { return handle_of(GLK_KIND_TENSOR, GLK_KIND_VARIABLE); }
static glk_handle a_variable(void) { return handle_of(GLK_KIND_VARIABLE, GLK_KIND_VARIABLE); }
static glk_handle a_lock_set(void) { return handle_of(GLK_KIND_LOCKS, GLK_KIND_VARIABLE); }
static glk_handle a_program(void) { return handle_of(GLK_KIND_PROGRAM, GLK_KIND_PROGRAM); }
static glk_handle an_optimizer(void) { return handle_of(GLK_KIND_OPTIMIZER, GLK_KIND_OPTIMIZER); }
static glk_handle a_solver(void) { return handle_of(GLK_KIND_SOLVER, GLK_KIND_SOLVER); }
static glk_handle a_trainer(void) { return handle_of(GLK_KIND_OPTIMIZER, GLK_KIND_SOLVER); }

/* -------------------------------------------------------------------------------------------- numbers */

static double next_number(uint32_t rank, const uint32_t *dims) {
  static const double odd[16] = {
      0.5,          -0.25,        1e-3,  7,          1e9,          -1e9,      16777216,
      4294967295.0, 4294967296.0, 1e300, 2147483647, 2147483648.0, 536870912, 9007199254740991.0,
      -1,           65536};
  const uint32_t k = next_u8(&input);
  if (k < 140) return (double)(k % 6) - 1;
  if (k < 180) return rank ? dims[k % rank] : 1;
  if (k < 200) return k - 190.0;
  if (k < 232) return odd[k % 16];
  if (k == 232) return __builtin_nan("");
  if (k == 233) return __builtin_inf();
  return k == 234 ? -0.0 : k % 4;
}

static double number(void) { return next_number(0, NULL); }

static float next_value(void) {
  const float odd[9] = {0,
                        -0.0f,
                        1e-40f,
                        3e38f,
                        -3e38f,
                        1e10f,
                        __builtin_nanf(""),
                        __builtin_inff(),
                        -__builtin_inff()};
  const uint32_t k = next_u8(&input);
  if (k < 200) return ((float)k - 100) / 32;
  return k < 230 ? (float)(k % 5) : odd[k % 9];
}

/* Room for ranks that are too high. */
static uint32_t next_shape(uint32_t dims[32]) {
  const uint32_t k = next_u8(&input);
  uint32_t rank = k % 8 == 7 ? 2 : k % 8;
  for (uint32_t a = 0; a < rank; a++) {
    const uint32_t d = next_u8(&input);
    dims[a] = d < 200   ? 1 + d % 4
              : d < 210 ? 0
              : d < 245 ? d % 40
              : d < 250 ? next_u16(&input)
                        : next_u32(&input);
  }
  for (uint32_t a = rank; a < 32; a++) dims[a] = 1;
  if (k >= 240) rank = k - 233;
  return rank;
}

/* Values for so many elements; NULL for zeros. */
static const float *next_values(size_t count) {
  if (count > VALUES || next_u8(&input) % 4 == 0) return NULL;
  const uint32_t way = next_u8(&input);
  for (size_t i = 0; i < count; i++)
    values[i] = way % 3 ? next_value() : (float)(i % (1 + way % 7));
  return values;
}

/* The elements of a handle's shape; `none` for what has no shape. */
static size_t elements_of(glk_handle handle, size_t none) {
  uint32_t rank = 0, dims[GLK_MAX_RANK];
  return glk_shape_of(c, handle, &rank, dims) == GLK_OK ? product(rank, dims) : none;
}

/* ----------------------------------------------------------------------------------------- attributes */

static void describe_ops(void) {
  order_ops();
  op_count = glk_op_count();
  for (uint32_t i = 0; i < op_count; i++) {
    glk_op_info info;
    glk_op_describe(op_numbers[i], &info);
    snprintf(ops[i].signature, sizeof ops[i].signature, "%s", info.signature);
    ops[i].inputs = info.inputs;
  }
}

static int is_one_of(const char *name, const char *const *names) {
  while (*names && strcmp(name, *names)) names++;
  return *names != NULL;
}

/* Operand 0's shape, and how the list is written. */
typedef struct listing {
  uint32_t rank, dims[GLK_MAX_RANK], way, count;
  double *out;
} listing;

static void list(listing *l, double number) {
  if (l->count < LISTED) l->out[l->count++] = number;
}

static void list_per_axis(listing *l, const char *name, uint32_t axes) {
  for (uint32_t i = 0; i < axes && l->count < LISTED; i++) {
    const uint32_t v = next_u8(&input);
    list(l, v > 240                                             ? next_number(l->rank, l->dims)
            : !strcmp(name, "size") && i < l->rank && v < 150   ? l->dims[i]
            : !strcmp(name, "begin")                            ? v % 2
            : !strcmp(name, "stride") || !strcmp(name, "times") ? 1 + v % 3
                                                                : v % 4);
  }
}

static void list_single(listing *l, const char *name, uint32_t k) {
  static const char *const sizes[] = {"height", "width", "n", "depth", "numSegments", NULL};
  static const char *const counts[] = {"seed", "step", NULL};
  static const char *const shares[] = {"rate", "p", "labelSmoothing", NULL};
  if (!strcmp(name, "axis")) {
    list(l, l->rank ? (double)(k % (l->rank + 1)) - (k > 120) : 0);
  } else if (!strncmp(name, "stride", 6) || !strncmp(name, "dilation", 8)) {
    list(l, 1 + k % 3);
  } else if (is_one_of(name, sizes) || !strncmp(name, "image", 5)) {
    list(l, 1 + k % 9);
  } else if (is_one_of(name, counts)) {
    list(l, k);
  } else if (is_one_of(name, shares)) {
    list(l, k / 256.0);
  } else if (!*name) {
    while (l->count < LISTED && next_u8(&input) % 3) list(l, next_number(l->rank, l->dims));
  } else {
    list(l, k % 2);
  }
}

static void list_named(listing *l, const char *name, int is_many, uint32_t axes) {
  static const char *const per_axis[] = {"size",   "begin",  "end",   "stride",
                                         "before", "behind", "times", NULL};
  const uint32_t k = next_u8(&input);
  if (k > 235) {
    uint32_t count = is_many ? next_below(&input, 7) : 1;
    while (count-- && l->count < LISTED) list(l, next_number(l->rank, l->dims));
  } else if (!strcmp(name, "axis") && is_many) {
    const uint32_t count = l->way % 3 == 0 ? l->rank : l->rank ? 1 + k % l->rank : 0;
    for (uint32_t i = 0; i < count; i++) list(l, (k + i) % (l->rank ? l->rank : 1));
  } else if (is_one_of(name, per_axis)) {
    list_per_axis(l, name, axes);
  } else {
    list_single(l, name, k);
  }
}

/* Attributes of an op, by the names in its signature "op(operands; name, name...)"; returns how many. */
static uint32_t next_attributes(uint32_t op, glk_handle first, double *out) {
  listing l = {.out = out};
  glk_shape_of(c, first, &l.rank, l.dims);
  const char *at = strchr(ops[op].signature, ';');
  if (!at) return next_u8(&input) > 250 ? 1 : 0;
  l.way = next_u8(&input);
  if (l.way > 245) {
    const uint32_t count = next_below(&input, 26);
    for (uint32_t i = 0; i < count && i < LISTED; i++) list(&l, next_number(l.rank, l.dims));
    return count;
  }
  const uint32_t axes = l.way % 5 == 0 ? next_below(&input, 7) : l.rank;
  for (at++; *at && *at != ')' && l.count < LISTED;) {
    char name[32];
    at += strspn(at, " ,");
    const size_t length = strcspn(at, ",)");
    if (!length) break;
    snprintf(name, sizeof name, "%.*s", (int)length, at);
    at += length;
    const int is_many = length > 3 && !strcmp(name + length - 3, "...");
    if (is_many) name[length - 3] = 0;
    list_named(&l, name, is_many, axes);
  }
  return l.count;
}

#endif
