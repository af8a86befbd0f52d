/* The networks of fuzz_images.c: lists of nodes, each made from earlier ones in a first context, so
 * that another context can make them, too. */
#ifndef GLK_TESTS_IMAGES_NET_H
#define GLK_TESTS_IMAGES_NET_H

#include "fuzz.h"

enum { NODES = 96, NONE = NODES, MOST_ELEMENTS = 1 << 12, MOST_VALUES = 1 << 16, IMAGES = 4 };

/* DERIVE is the gradient of its first operand by its second. MOVE moves a variable to a value. */
typedef enum node_kind { TENSOR, VARIABLE, APPLY, DERIVE, MOVE } node_kind;

typedef struct node {
  node_kind kind;
  uint32_t rank, dims[GLK_MAX_RANK], elements; /* of what it gives */
  float *values;                               /* of tensors and variables */
  uint32_t op, in[GLK_MAX_INPUTS], inputs, count;
  double attributes[GLK_MAX_ATTRIBUTES];
  glk_status status; /* in the first world */
} node;

/** A context, and what the nodes are there. */
typedef struct world {
  heap memory;
  glk_context *c;
  glk_handle at[NODES], program, optimizer;
} world;

static bytes input;
static world first; /* where the network is made, op by op */
static node nodes[NODES];
static uint32_t node_count, current; /* the images, of rank 4, that the next layer takes */
static float values[MOST_VALUES];
static size_t value_count;

/** A number below n, from a seed that changes. */
static uint32_t draw(uint32_t *seed, uint32_t n) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % n;
}

/** Make a node in a world. */
static glk_status perform(world *w, uint32_t i) {
  const node *n = &nodes[i];
  glk_handle in[GLK_MAX_INPUTS], *out = &w->at[i];
  for (uint32_t k = 0; k < GLK_MAX_INPUTS; k++) in[k] = w->at[n->in[k]];
  *out = 0;
  switch (n->kind) {
  case TENSOR: return glk_tensor_create(w->c, n->rank, n->dims, n->values, n->elements, out);
  case VARIABLE:
    return glk_variable_create(w->c, n->rank, n->dims, n->values, n->elements, "v", 1, out);
  case APPLY: return glk_apply(w->c, n->op, in, n->inputs, n->attributes, n->count, out);
  case DERIVE: return glk_gradients(w->c, 0, &in[0], NULL, 1, &in[1], 1, out);
  default: return glk_assign_moving_average(w->c, in[0], in[1], n->attributes[0]);
  }
}

/** True if a node gave a value that is not too large to go on with. */
static int is_usable(uint32_t i) {
  return i != NONE && nodes[i].status == GLK_OK && first.at[i] &&
         nodes[i].elements <= MOST_ELEMENTS;
}

static uint32_t add(node n) {
  for (uint32_t k = 0; k < n.inputs; k++) {
    if (!is_usable(n.in[k])) return NONE;
  }
  if (node_count == NODES) return NONE;
  const uint32_t i = node_count++;
  nodes[i] = n;
  nodes[i].status = n.kind == MOVE ? GLK_OK : perform(&first, i);
  if (glk_shape_of(first.c, first.at[i], &nodes[i].rank, nodes[i].dims) == GLK_OK) {
    nodes[i].elements = (uint32_t)product(nodes[i].rank, nodes[i].dims);
  }
  return i;
}

/* --------------------------------------------------------------------------------------- leaves */

static float next_value(uint32_t *seed, uint32_t way) {
  const float odd[8] = {-0.0f, 1e-40f, 3e38f, -1e10f, NAN, -NAN, INFINITY, -INFINITY};
  if (way > 247 && draw(seed, 6) == 0) return odd[draw(seed, 8)];
  return way % 4 ? (float)(int)(draw(seed, 65) - 32) / 32 : (float)(int)(draw(seed, 3) - 1);
}

/** A tensor or variable; with `whole`, of indices below it. */
static uint32_t leaf(node_kind kind, uint32_t rank, const uint32_t *dims, uint32_t whole) {
  node n = {.kind = kind, .rank = rank, .elements = (uint32_t)product(rank, dims)};
  uint32_t way = next_u8(&input), seed = way;
  if (n.elements > MOST_ELEMENTS || value_count + n.elements > MOST_VALUES) return NONE;
  memcpy(n.dims, dims, rank * sizeof *dims);
  n.values = values + value_count;
  for (uint32_t i = 0; i < n.elements; i++) {
    n.values[i] = whole ? (float)draw(&seed, whole) : next_value(&seed, way);
  }
  value_count += n.elements;
  return add(n);
}

/* ------------------------------------------------------------------------------------------ ops */

/* An op that does not fit: another operand, an odd attribute, or one too many or too few. */
static void spoil(node *n, uint32_t k) {
  static const double odd[8] = {0, -1, 2, 1.5, 1e9, 4294967296.0, NAN, 64};
  if (k % 3 == 0) {
    const uint32_t other = next_below(&input, node_count);
    if (nodes[other].kind != VARIABLE) n->in[k % n->inputs] = other; /* which may follow a value */
  } else if (k % 3 == 1 && n->count) {
    n->attributes[next_below(&input, n->count)] = odd[next_below(&input, 8)];
  } else {
    n->count += k & 1 || !n->count ? 1 : -1u;
  }
}

static uint32_t apply_number(uint32_t op, const uint32_t *in, const double *attributes,
                             uint32_t count) {
  glk_op_info info;
  glk_op_describe(op, &info);
  node n = {.kind = APPLY, .op = op, .inputs = info.inputs, .count = count};
  memcpy(n.in, in, info.inputs * sizeof *in);
  if (count) memcpy(n.attributes, attributes, count * sizeof *attributes);
  const uint32_t k = next_u8(&input);
  if (k > 246) spoil(&n, k);
  return add(n);
}

static uint32_t apply(const char *name, uint32_t a, uint32_t b, uint32_t third,
                      const double *attributes, uint32_t count) {
  uint32_t op;
  if (glk_op_find(first.c, name, &op)) BROKEN("there is no op %s", name);
  return apply_number(op, (const uint32_t[]){a, b, third}, attributes, count);
}

static uint32_t reshape(uint32_t i, uint32_t rank, const uint32_t *dims) {
  double sizes[GLK_MAX_RANK];
  for (uint32_t a = 0; a < rank; a++) sizes[a] = dims[a];
  return apply("reshape", i, 0, 0, sizes, rank);
}

/** Go on with what a node gave, as images. */
static void advance(uint32_t i) {
  if (!is_usable(i)) return;
  const node *n = &nodes[i];
  uint32_t dims[IMAGES] = {1, 1, 1, 1};
  if (n->rank != IMAGES) {
    if (n->rank > IMAGES) dims[0] = n->elements;
    if (n->rank < IMAGES) memcpy(dims + IMAGES - n->rank, n->dims, n->rank * sizeof *dims);
    i = reshape(i, IMAGES, dims);
  }
  if (is_usable(i) && nodes[i].rank == IMAGES) current = i;
}

#endif
