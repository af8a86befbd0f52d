/* What fuzz_images.c does with its two contexts: allocations that fail, locks, and comparisons of
 * variables. */
#ifndef GLK_TESTS_IMAGES_WORLD_H
#define GLK_TESTS_IMAGES_WORLD_H

#include "images_net.h"

static world second;
static uint8_t locked[MOST_VALUES]; /* of the second world; elements are numbered as in `values` */
static uint32_t lock_seed, option_seed, failure_seed;
static uint32_t trained[NODES], trained_count; /* variables that the loss depends on */
static uint64_t digests[NODES];

static void begin_world(world *w) {
  memset(w, 0, sizeof *w);
  w->memory = (heap){.most = (size_t)64 << 20, .countdown = -1};
  w->c = context_on(&w->memory);
}

/** Dispose everything; nothing is left. */
static void end_world(world *w) {
  glk_memory held;
  for (uint32_t i = 0; i < node_count; i++) {
    if (w->at[i]) glk_dispose(w->c, w->at[i]);
  }
  glk_dispose(w->c, w->program);
  glk_context_memory(w->c, &held);
  if (held.objects) BROKEN("%zu objects are left", held.objects);
  dispose_all(w->c, &w->memory);
}

static size_t place_of(uint32_t i) { return (size_t)(nodes[i].values - values); }

static uint64_t digest_of(world *w, glk_handle h) {
  uint64_t out = 0;
  if (glk_digest(w->c, h, &out)) BROKEN("no digest: %s", glk_context_detail(w->c));
  return out;
}

/* ------------------------------------------------------------------------ allocations that fail */

/* A hash of a variable's bits, by words: it is computed often. */
static uint64_t hash_of(world *w, uint32_t i) {
  const float *at;
  size_t count;
  uint64_t hash = i;
  if (glk_view(w->c, w->at[i], &at, &count)) BROKEN("no view: %s", glk_context_detail(w->c));
  const uint32_t *words = (const uint32_t *)(const void *)at;
  for (size_t k = 0; k < count; k++) hash = (hash ^ words[k]) * 1099511628211u;
  return hash;
}

/* The values of variables, how often they were updated, and how many objects there are. */
static uint64_t observe(world *w) {
  glk_memory held;
  double steps = 0;
  glk_context_memory(w->c, &held);
  if (w->optimizer) glk_optimizer_iterations(w->c, w->optimizer, &steps);
  uint64_t hash = held.objects * 1024 + (uint64_t)steps;
  for (uint32_t i = 0; i < node_count; i++) {
    if (nodes[i].kind == VARIABLE && w->at[i]) hash = hash * 31 + hash_of(w, i);
  }
  return hash;
}

/* One in four calls of the second world gets an allocation that fails, and the state to compare. */
static uint64_t arm(world *w) {
  const uint32_t k = w == &second ? draw(&failure_seed, 64) : 64;
  if (k >= 16) return 0;
  w->memory.countdown = 1 + k;
  return observe(w);
}

/* Call. If an allocation failed, nothing has changed, and the call is repeated. */
#define TRY(w, call)                                                                    \
  __extension__({                                                                       \
    const uint64_t before = arm(w);                                                     \
    glk_status status = (call);                                                         \
    const int has_failed = status == GLK_ERROR_OUT_OF_MEMORY;                           \
    (w)->memory.countdown = -1;                                                         \
    if (has_failed && observe(w) != before) BROKEN(#call " failed, something changed"); \
    if (has_failed) status = (call);                                                    \
    if (status == GLK_ERROR_OUT_OF_MEMORY) BROKEN(#call " has no memory");              \
    status;                                                                             \
  })

/* A call that succeeds: SURE without failing allocations, OK with them. */
#define SURE(w, call)                                                       \
  do {                                                                      \
    if ((call) != GLK_OK) BROKEN(#call ": %s", glk_context_detail((w)->c)); \
  } while (0)
#define OK(w, call)                                                               \
  do {                                                                            \
    if (TRY(w, call) != GLK_OK) BROKEN(#call ": %s", glk_context_detail((w)->c)); \
  } while (0)

/* ---------------------------------------------------------------------------------------- locks */

/* All, none, rows, blocks, or as chance has it. */
static int next_lock(uint32_t way, uint32_t row, uint32_t element) {
  if (way < 2) return way == 1;
  if (way < 5) return draw(&lock_seed, 8) < 2 * way - 3;
  return way == 5 ? row % 5 != 2 : way == 6 ? element / 40 % 3 != 1 : element % 7 != 3;
}

/* Lock what a mask says; NULL: nothing. */
static void set_locks(world *w, uint32_t i, const uint8_t *mask) {
  const node *n = &nodes[i];
  glk_handle set = 0;
  SURE(w, glk_locks_create(w->c, n->rank, n->dims, &set));
  if (mask) SURE(w, glk_locks_add_mask(w->c, set, mask, n->elements));
  OK(w, glk_locks_combine(w->c, w->at[i], GLK_LOCKS_SET, set));
  SURE(w, glk_dispose(w->c, set));
}

/** Give the variables of the second world other locks. */
static void change_locks(void) {
  for (uint32_t i = 0; i < node_count; i++) {
    const node *n = &nodes[i];
    const uint32_t way = draw(&lock_seed, 8), rows = n->rank && n->dims[0] ? n->dims[0] : 1;
    if (n->kind != VARIABLE) continue;
    for (uint32_t k = 0; k < n->elements; k++) {
      locked[place_of(i) + k] = (uint8_t)next_lock(way, k / (n->elements / rows), k);
    }
    set_locks(&second, i, locked + place_of(i));
  }
}

/* Give all variables their first values, locked elements, too. */
static void reset_variables(world *w) {
  for (uint32_t i = 0; i < node_count; i++) {
    const node *n = &nodes[i];
    if (n->kind != VARIABLE) continue;
    SURE(w, glk_variable_assign(w->c, w->at[i], n->values, n->elements, 1));
  }
}

/* The values of a variable, as bits. */
static void read_bits(world *w, uint32_t i, uint32_t *bits) {
  SURE(w, glk_read(w->c, w->at[i], (float *)(void *)bits, nodes[i].elements));
}

/* Locked elements have the bits that they had `before`. */
static void check_locked(world *w, uint32_t i, const uint32_t *before, const char *what) {
  static uint32_t now[MOST_ELEMENTS];
  read_bits(w, i, now);
  for (uint32_t k = 0; k < nodes[i].elements; k++) {
    if (locked[place_of(i) + k] && now[k] != before[k]) BROKEN("%s moved a locked element", what);
  }
}

/* In the second world, free elements are as in the first; locked ones have their first values. */
static void compare_variable(uint32_t i, const char *what) {
  static uint32_t wanted[MOST_ELEMENTS], now[MOST_ELEMENTS];
  read_bits(&first, i, wanted);
  read_bits(&second, i, now);
  check_locked(&second, i, (const uint32_t *)(void *)nodes[i].values, what);
  for (uint32_t k = 0; k < nodes[i].elements; k++) {
    if (!locked[place_of(i) + k] && now[k] != wanted[k])
      BROKEN("%s differs where it is free", what);
  }
}

#endif
