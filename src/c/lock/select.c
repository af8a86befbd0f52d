/* Selections of elements to lock: all, by mask, indices, axis, slice, predicate, or by value and
 * chance (select_by_value.c). Every function checks all of its input before it writes the first
 * bit. */
#include <string.h>

#include "core/memory.h"
#include "core/tensor.h"
#include "lock/locks.h"
#include "lock/select_by_value.h"

glk_status glk_locks_add_all(glk_context *context, glk_handle locks) {
  glk_lockset *set;
  GLK_TRY(glk_expect_target(context, locks, &set));
  glk_lockset_add_range(set, 0, set->shape.count);
  glk_lockset_changed(context, set);
  return GLK_OK;
}

glk_status glk_locks_add_mask(glk_context *context, glk_handle locks, const uint8_t *mask,
                              size_t count) {
  glk_lockset *set;
  GLK_TRY(glk_expect_target(context, locks, &set));
  GLK_TRY(glk_expect_count(context, &set->shape, count));
  if (count && !mask) return glk_fail(context, GLK_ERROR_ARGUMENT, "the mask is missing");
  for (size_t i = 0; i < count; i++) set->words[i / 32] |= (uint32_t)(mask[i] != 0) << (i % 32);
  glk_lockset_changed(context, set);
  return GLK_OK;
}

glk_status glk_locks_add_indices(glk_context *context, glk_handle locks, const uint32_t *indices,
                                 size_t count) {
  glk_lockset *set;
  GLK_TRY(glk_expect_target(context, locks, &set));
  if (count && !indices) return glk_fail(context, GLK_ERROR_ARGUMENT, "the indices are missing");
  for (size_t i = 0; i < count; i++) {
    if (indices[i] >= set->shape.count) {
      return glk_fail(context, GLK_ERROR_INDEX,
                      "index %u (number %z of the list) is outside of shape %S", indices[i], i,
                      &set->shape);
    }
  }
  for (size_t i = 0; i < count; i++) glk_lockset_add(set, indices[i]);
  glk_lockset_changed(context, set);
  return GLK_OK;
}

/* Every outer part is walked once, whatever is named twice. */
static glk_status add_along(glk_context *context, glk_lockset *set, uint32_t axis,
                            const uint32_t *indices, size_t count) {
  const glk_shape *shape = &set->shape;
  const uint32_t size = shape->dims[axis], word_count = (size + 31) / 32;
  const size_t outer = glk_shape_product(shape, 0, axis);
  const size_t inner = glk_shape_product(shape, axis + 1, shape->rank);
  if (!shape->count) return GLK_OK;
  uint32_t *named;
  GLK_TRY(glk_allocate(context, word_count, sizeof(uint32_t), &named));
  for (size_t i = 0; i < count; i++) named[indices[i] / 32] |= 1u << (indices[i] % 32);
  for (size_t o = 0; o < outer; o++) {
    for (uint32_t w = 0; w < word_count; w++) {
      for (uint32_t word = named[w]; word; word &= word - 1) {
        const size_t index = w * 32 + (size_t)__builtin_ctz(word);
        const size_t start = (o * size + index) * inner;
        glk_lockset_add_range(set, start, start + inner);
      }
    }
  }
  glk_release(context, named, word_count, sizeof(uint32_t));
  return GLK_OK;
}

glk_status glk_locks_add_axis(glk_context *context, glk_handle locks, uint32_t axis,
                              const uint32_t *indices, size_t count) {
  glk_lockset *set;
  GLK_TRY(glk_expect_target(context, locks, &set));
  const glk_shape *shape = &set->shape;
  if (axis >= shape->rank) {
    return glk_fail(context, GLK_ERROR_INDEX, "axis %u is outside of shape %S", axis, shape);
  }
  if (count && !indices) return glk_fail(context, GLK_ERROR_ARGUMENT, "the indices are missing");
  for (size_t i = 0; i < count; i++) {
    if (indices[i] >= shape->dims[axis]) {
      return glk_fail(context, GLK_ERROR_INDEX, "index %u is outside of axis %u of shape %S",
                      indices[i], axis, shape);
    }
  }
  GLK_TRY(add_along(context, set, axis, indices, count));
  glk_lockset_changed(context, set);
  return GLK_OK;
}

glk_status glk_locks_add_slice(glk_context *context, glk_handle locks, uint32_t rank,
                               const uint32_t *start, const uint32_t *stop) {
  glk_lockset *set;
  GLK_TRY(glk_expect_target(context, locks, &set));
  const glk_shape *shape = &set->shape;
  if (rank != shape->rank) {
    return glk_fail(context, GLK_ERROR_SHAPE, "a slice over %u axes does not fit shape %S", rank,
                    shape);
  }
  if (rank && (!start || !stop)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "the slice is missing");
  }
  int is_empty = shape->count == 0;
  for (uint32_t a = 0; a < rank; a++) {
    if (start[a] > stop[a] || stop[a] > shape->dims[a]) {
      return glk_fail(context, GLK_ERROR_INDEX, "range %u to %u is outside of axis %u of shape %S",
                      start[a], stop[a], a, shape);
    }
    is_empty |= start[a] == stop[a];
  }
  if (!is_empty) {
    uint32_t at[GLK_MAX_RANK] = {0};
    for (uint32_t a = 0; a < rank; a++) at[a] = start[a];
    const uint32_t last = rank ? rank - 1 : 0;
    const size_t run = rank ? stop[last] - start[last] : 1;
    for (;;) {
      size_t index = 0;
      for (uint32_t a = 0; a < rank; a++) index = index * shape->dims[a] + at[a];
      glk_lockset_add_range(set, index, index + run);
      uint32_t a = last; /* the last axis is the run itself */
      while (a > 0 && ++at[a - 1] == stop[a - 1]) at[a - 1] = start[a - 1], a--;
      if (a == 0) break;
    }
  }
  glk_lockset_changed(context, set);
  return GLK_OK;
}

/* Values to select by, one an element. */
static glk_status expect_source(glk_context *context, glk_handle source, const glk_shape *shape,
                                glk_tensor **out) {
  GLK_TRY(glk_expect_value(context, source, "the source of values", out));
  if (glk_shape_equal(&(*out)->shape, shape)) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "values of shape %S cannot select from shape %S",
                  &(*out)->shape, shape);
}

glk_status glk_locks_add_where(glk_context *context, glk_handle locks, glk_handle source,
                               int (*predicate)(glk_real value, uint32_t index, void *user),
                               void *user) {
  glk_lockset *set;
  glk_tensor *tensor;
  GLK_TRY(glk_expect_target(context, locks, &set));
  if (!predicate) return glk_fail(context, GLK_ERROR_ARGUMENT, "the predicate is missing");
  GLK_TRY(expect_source(context, source, &set->shape, &tensor));
  for (uint32_t i = 0; i < set->shape.count; i++) {
    if (predicate(tensor->storage->values[i], i, user)) glk_lockset_add(set, i);
  }
  glk_lockset_changed(context, set);
  return GLK_OK;
}

static glk_status read_parts(glk_context *context, const glk_choice *choice,
                             const glk_handle *locks, const glk_handle *sources, uint32_t count,
                             glk_candidates *parts) {
  uint32_t total = 0;
  for (uint32_t i = 0; i < count; i++) {
    glk_lockset *set;
    glk_tensor *tensor;
    GLK_TRY(glk_expect_target(context, locks[i], &set));
    parts[i] = (glk_candidates){NULL, set->shape.count, set->words};
    if (!glk_choice_is_random(choice)) {
      GLK_TRY(expect_source(context, sources[i], &set->shape, &tensor));
      parts[i].values = tensor->storage->values;
    }
    if (set->shape.count > UINT32_MAX - 1 - total) {
      return glk_fail(context, GLK_ERROR_LIMIT, "choose among fewer than 2^32 elements");
    }
    total += set->shape.count;
  }
  return glk_choice_check(context, choice, total);
}

glk_status glk_locks_add_choice(glk_context *context, const glk_handle *locks,
                                const glk_choice *choice, const glk_handle *sources,
                                uint32_t count) {
  GLK_REFUSE_IF(context,
                !choice || (count && (!locks || (!sources && !glk_choice_is_random(choice)))));
  glk_candidates *parts;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_candidates), &parts));
  const glk_status status = read_parts(context, choice, locks, sources, count, parts);
  if (status == GLK_OK) glk_choice_add(choice, parts, count);
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
    glk_lockset *set;
    GLK_TRY(glk_expect_target(context, locks[i], &set));
    glk_lockset_changed(context, set);
  }
  glk_release(context, parts, count, sizeof(glk_candidates));
  return status;
}

glk_status glk_locks_pick(glk_context *context, glk_handle locks, glk_handle source,
                          glk_handle *out) {
  GLK_REFUSE_IF(context, !out);
  glk_lockset *set;
  glk_tensor *tensor, *made;
  GLK_TRY(glk_require_idle(context, "picking by locks"));
  GLK_TRY(glk_expect_locks(context, locks, "the lock set", &set));
  GLK_TRY(expect_source(context, source, &set->shape, &tensor));
  GLK_TRY(glk_tensor_filled(context, &set->shape, NULL, &made));
  for (uint32_t i = 0; i < set->shape.count; i++) {
    if (!glk_lockset_has(set, i)) continue;
    memcpy(&made->storage->values[i], &tensor->storage->values[i], sizeof(glk_real));
  }
  return glk_publish(context, &made->object, out);
}
