/* The first half of fuzz_api.c's commands: values, locks, holders and writing. Each reads its arguments in order, one
 * statement a byte where their order matters, and makes its calls. `k` is the command's own byte, whose higher bits say which
 * of two forms is meant. */
#ifndef GLK_TESTS_API_LOCKS_H
#define GLK_TESTS_API_LOCKS_H

#include "api_input.h"

/* ---------------------------------------------------------------------------------- values and locks */

static void make_tensor(uint32_t k) {
  uint32_t dims[32];
  glk_handle h = 0;
  const uint32_t rank = next_shape(dims);
  const size_t whole = product(rank, dims), n = whole + (next_u8(&input) > 250);
  const float *from = next_values(n);
  (void)k;
  CALL(glk_tensor_create(c, rank, dims, from, !from && n > VALUES ? whole : n, &h));
  keep(h);
}

static void make_variable(uint32_t k) {
  uint32_t dims[32];
  glk_handle h = 0;
  const uint32_t rank = next_shape(dims);
  const size_t n = product(rank, dims);
  const float *from = next_values(n);
  const char *name = next_holder();
  const int trainable = next_u8(&input) % 8 != 0;
  (void)k;
  CALL(glk_variable_create(c, rank, dims, from, n, name, trainable, &h));
  keep(h);
}

static void make_locks(uint32_t k) {
  uint32_t dims[32];
  glk_handle h = 0;
  const uint32_t rank = next_shape(dims);
  (void)k;
  CALL(glk_locks_create(c, rank, dims, &h));
  keep(h);
}

static void add_indices(uint32_t k) {
  uint32_t at[8];
  const uint32_t count = next_below(&input, 8);
  for (uint32_t i = 0; i < count; i++) {
    at[i] = next_u8(&input) > 245 ? next_u32(&input) : next_below(&input, 10);
  }
  const glk_handle target = a_lock_set();
  const uint32_t axis = next_below(&input, 4);
  if (k & 64) {
    CALL(glk_locks_add_indices(c, target, at, count));
  } else {
    CALL(glk_locks_add_axis(c, target, axis, at, count));
  }
}

static void add_slice(uint32_t k) {
  uint32_t start[8], stop[8];
  const glk_handle target = a_lock_set();
  const uint32_t rank = next_below(&input, 7);
  (void)k;
  for (uint32_t a = 0; a < rank; a++) {
    start[a] = next_below(&input, 4);
    stop[a] = next_u8(&input) > 250 ? next_u32(&input) : next_below(&input, 6);
  }
  CALL(glk_locks_add_slice(c, target, rank, start, stop));
}

static void add_mask(uint32_t k) {
  uint8_t mask[64];
  const glk_handle target = a_lock_set();
  if (k & 128) {
    CALL(glk_locks_add_all(c, target));
    return;
  }
  const size_t n = next_below(&input, 65);
  for (size_t i = 0; i < n; i++) mask[i] = (uint8_t)next_below(&input, 3);
  CALL(glk_locks_add_mask(c, target, mask, n));
}

static void add_choice(uint32_t k) {
  glk_handle sets[3], sources[3];
  glk_choice choice = {.amount = 0};
  const uint32_t count = 1 + next_below(&input, 3);
  (void)k;
  for (uint32_t i = 0; i < count; i++) {
    sets[i] = a_lock_set();
    sources[i] = a_value();
  }
  choice.amount = number();
  choice.low = number();
  choice.high = number();
  choice.seed = next_u8(&input);
  choice.draw = next_u8(&input);
  choice.is_fraction = next_below(&input, 3);
  choice.kind = next_below(&input, 5);
  choice.by = next_below(&input, 4);
  if (next_u8(&input) & 1) choice.amount = 0.5, choice.is_fraction = 1;
#ifdef GLK_FUZZING /* who searches has no time for choices among millions of elements */
  for (uint32_t i = 0; i < count; i++) {
    if (elements_of(sets[i], 0) > 1 << 16) return;
  }
#endif
  CALL(glk_locks_add_choice(c, sets, &choice, sources, count));
}

static void combine(uint32_t k) {
  const glk_handle target = a_lock_set(), source = a_lock_set();
  const uint32_t op = next_below(&input, 6);
  (void)k;
  CALL(glk_locks_combine(c, target, (glk_locks_op)op, source));
}

static void derive_locks(uint32_t k) {
  glk_handle h = 0;
  const glk_handle from = a_lock_set();
  const uint32_t way = next_below(&input, 3);
  (void)k;
  if (way == 0) {
    CALL(glk_locks_invert(c, from));
  } else if (way == 1) {
    CALL(glk_locks_copy(c, from, &h));
  } else {
    const glk_handle source = a_value();
    CALL(glk_locks_pick(c, from, source, &h));
  }
  keep(h);
}

static void pack(uint32_t k) {
  uint8_t packed[700];
  size_t size;
  glk_handle h = 0;
  const glk_handle set = a_lock_set();
  (void)k;
  if (glk_locks_pack(c, set, packed, sizeof packed, &size) != GLK_OK) return;
  if (next_u8(&input) & 1) {
    const uint32_t bit = next_below(&input, 8);
    packed[next_u16(&input) % size] ^= (uint8_t)(1u << bit);
  }
  CALL(glk_locks_unpack(c, packed, size, &h));
  keep(h);
}

/* ---------------------------------------------------------------------------------- holders and policies */

static void combine_holder(uint32_t k) {
  const glk_handle variable = a_variable(), source = a_lock_set();
  const uint32_t op = next_below(&input, 6);
  const char *name = next_holder();
  (void)k;
  CALL(glk_holder_combine(c, variable, name, (glk_locks_op)op, source));
}

static void set_policy(glk_handle variable, const char *name) {
  glk_policy p = {.choice = {.amount = number()}};
  p.choice.low = number();
  p.choice.high = number();
  p.choice.is_fraction = next_below(&input, 2);
  p.choice.kind = next_below(&input, 5);
  p.choice.by = next_below(&input, 4);
  p.choice.seed = next_u8(&input);
  p.to = number();
  p.over = next_u8(&input);
  p.every = next_below(&input, 4);
  p.step = next_u8(&input) > 240 ? next_u32(&input) : 0;
  p.is_inverted = next_below(&input, 3);
  if (next_u8(&input) & 1) {
    p.choice.amount = 0.5;
    p.choice.is_fraction = 1;
    p.to = 0.25;
    p.choice.low = 0;
    p.choice.high = 1;
  }
  const glk_policy *given = next_u8(&input) > 230 ? NULL : &p;
  has_policies |= CALL(glk_holder_policy(c, variable, name, given)) == GLK_OK;
}

static void set_timetable(glk_handle variable, const char *name) {
  uint32_t steps[4];
  glk_handle sets[4];
  const uint32_t count = next_below(&input, 4);
  for (uint32_t i = 0; i < count; i++) {
    steps[i] = 2 * i + (next_u8(&input) > 200 ? next_u32(&input) : 0);
    sets[i] = a_lock_set();
  }
  const uint32_t step = next_below(&input, 5);
  has_policies |= CALL(glk_holder_schedule(c, variable, name, steps, sets, count, step)) == GLK_OK;
}

static void give_policy(uint32_t k) {
  const glk_handle variable = a_variable();
  const char *name = next_holder();
  (k & 64 ? set_policy : set_timetable)(variable, name);
}

static void copy_holder(uint32_t k) {
  glk_handle h = 0;
  const glk_handle variable = a_variable();
  const char *name = next_holder();
  (void)k;
  CALL(glk_holder_copy(c, variable, name, &h));
  keep(h);
}

static void audit(uint32_t k) {
  const glk_handle variable = a_variable();
  uint32_t changed = 0, first;
  uint64_t digest;
  if (k & 64) {
    const int is_watched = (int)next_below(&input, 2);
    CALL(glk_locks_watch(c, variable, is_watched));
    return;
  }
  const glk_status status = CALL(glk_locks_audit(c, variable, &changed, &first, &digest));
  if (status == GLK_OK && changed) BROKEN("audit: %u locked elements changed", changed);
}

/* ------------------------------------------------------------------------------------------- writing */

static void assign(uint32_t k) {
  const glk_handle variable = a_variable();
  size_t n = elements_of(variable, 9);
  (void)k;
  if (n > VALUES) return;
  for (size_t i = 0; i < n; i++) values[i] = next_value();
  if (next_u8(&input) > 250) n = next_below(&input, 20);
  const int force = (int)next_below(&input, 2);
  CALL(glk_variable_assign(c, variable, values, n, force));
}

static void fix(uint32_t k) {
  const glk_handle variable = a_variable();
  const uint32_t index = next_u8(&input) % 12;
  const float value = next_value();
  (void)k;
  CALL(glk_variable_fix(c, variable, index, value));
}

static void scatter(uint32_t k) {
  const glk_handle variable = a_variable(), indices = a_value(), updates = a_value();
  const uint32_t mode = next_below(&input, 8);
  const int force = (int)next_below(&input, 2);
  (void)k;
  CALL(glk_variable_scatter(c, variable, (glk_scatter)mode, indices, updates, force));
}

#endif
