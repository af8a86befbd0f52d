/* Bounds by variable: set, read, saved; and the holder that shows what they stop. Refuses bounds
 * that cross, and starts outside of them. A locked element may be anywhere: a lock beats a bound
 * (docs/laws.md, law 10). */
#include "solve/bounds.h"

#include <string.h>

#include "core/memory.h"

glk_bound *glk_bounds_find(const glk_bounds *bounds, const glk_variable *variable) {
  for (uint32_t i = 0; i < bounds->count; i++) {
    if (bounds->items[i].variable == variable) return &bounds->items[i];
  }
  return NULL;
}

/* Set the holder's locks to bound->held. */
static void hold(glk_context *context, glk_bound *bound, glk_holder *holder) {
  const uint32_t words = bound->others.word_count;
  glk_lockset_pad(&bound->others.shape, bound->held);
  if (!memcmp(holder->set.words, bound->held, words * sizeof *bound->held)) return;
  memcpy(holder->set.words, bound->held, words * sizeof *bound->held);
  glk_lockset_changed(context, &holder->set);
}

/* Clear the holder's locks. `owner`: only if this solver set them; 0: in any case. */
static void clear_locks(glk_context *context, glk_bound *bound, glk_handle owner) {
  glk_holders *holders = bound->variable->holders;
  glk_holder *holder = glk_holder_find(holders, GLK_BOUND_HOLDER);
  if (!holder || (owner && holder->owner != owner)) return;
  memset(bound->held, 0, bound->others.word_count * sizeof *bound->held);
  hold(context, bound, holder);
  holder->owner = 0;
  glk_holder_drop_unused(context, holders, holder);
}

static void free_bound(glk_context *context, glk_bound *bound) {
  const glk_lockset *others = &bound->others;
  glk_release(context, bound->lower, 2 * (size_t)others->shape.count, sizeof *bound->lower);
  glk_release(context, bound->held, others->word_count, sizeof *bound->held);
  glk_lockset_free(context, &bound->others);
}

static void remove_bound(glk_context *context, glk_bounds *bounds, glk_bound *bound) {
  free_bound(context, bound);
  glk_drop(context, &bound->variable->tensor.object);
  *bound = bounds->items[--bounds->count];
}

void glk_bounds_clear_locks(glk_context *context, const glk_bounds *bounds) {
  for (uint32_t i = 0; i < bounds->count; i++) {
    clear_locks(context, &bounds->items[i], bounds->owner);
  }
}

void glk_bounds_take_over(const glk_bounds *bounds) {
  for (uint32_t i = 0; i < bounds->count; i++) {
    glk_holder *holder = glk_holder_find(bounds->items[i].variable->holders, GLK_BOUND_HOLDER);
    if (holder) holder->owner = bounds->owner;
  }
}

void glk_bounds_free(glk_context *context, glk_bounds *bounds) {
  while (bounds->count) remove_bound(context, bounds, bounds->items);
  glk_release(context, bounds->items, bounds->capacity, sizeof *bounds->items);
}

static void remove_disposed(glk_context *context, glk_bounds *bounds) {
  for (uint32_t i = bounds->count; i-- > 0;) {
    glk_bound *bound = &bounds->items[i];
    if (!bound->variable->tensor.object.handle) remove_bound(context, bounds, bound);
  }
}

/* Memory for the bounds of a variable, whose limits are 0. */
static glk_status make_bound(glk_context *context, glk_variable *variable, glk_bound *out) {
  const glk_shape *shape = &variable->tensor.shape;
  glk_bound bound = {.variable = variable};
  GLK_TRY(glk_lockset_init(context, shape, &bound.others));
  glk_status status =
      glk_allocate(context, 2 * (size_t)shape->count, sizeof(glk_real), &bound.lower);
  if (status == GLK_OK) {
    status = glk_allocate(context, bound.others.word_count, sizeof(uint32_t), &bound.held);
  }
  if (status == GLK_OK) {
    bound.upper = bound.lower + shape->count;
    *out = bound;
  } else {
    free_bound(context, &bound);
  }
  return status;
}

/* A variable's bounds, made if it has none. */
static glk_status find_or_make(glk_context *context, glk_bounds *bounds, glk_variable *variable,
                               glk_bound **out) {
  *out = glk_bounds_find(bounds, variable);
  if (*out) return GLK_OK;
  GLK_TRY(glk_reserve(context, &bounds->items, &bounds->capacity, bounds->count + 1,
                      sizeof *bounds->items));
  GLK_TRY(make_bound(context, variable, &bounds->items[bounds->count]));
  glk_retain(&variable->tensor.object);
  *out = &bounds->items[bounds->count++];
  return GLK_OK;
}

static glk_status check_limits(glk_context *context, const glk_variable *v, const glk_real *lower,
                               const glk_real *upper) {
  const glk_real infinity = (glk_real)__builtin_inf();
  for (uint32_t i = 0; i < v->tensor.shape.count; i++) {
    if (lower[i] <= upper[i] && lower[i] < infinity && upper[i] > -infinity) continue;
    return glk_fail(context, GLK_ERROR_OPTION,
                    "variable '%s' %S: the bounds of the element at flat index %u are %g and %g, "
                    "expected a lower one that is at most the upper one; nothing was changed",
                    v->name, &v->tensor.shape, i, (double)lower[i], (double)upper[i]);
  }
  return GLK_OK;
}

glk_status glk_bounds_set(glk_context *context, glk_bounds *bounds, glk_variable *variable,
                          const glk_real *lower, const glk_real *upper) {
  const uint32_t count = variable->tensor.shape.count;
  glk_bound *bound;
  remove_disposed(context, bounds);
  GLK_TRY(check_limits(context, variable, lower, upper));
  GLK_TRY(find_or_make(context, bounds, variable, &bound));
  if (count) memcpy(bound->lower, lower, count * sizeof *lower);
  if (count) memcpy(bound->upper, upper, count * sizeof *upper);
  clear_locks(context, bound, 0);
  return GLK_OK;
}

void glk_bounds_remove(glk_context *context, glk_bounds *bounds, const glk_variable *variable) {
  remove_disposed(context, bounds);
  glk_bound *bound = glk_bounds_find(bounds, variable);
  if (!bound) return;
  clear_locks(context, bound, 0);
  remove_bound(context, bounds, bound);
}

static const glk_lockset *sync_others(glk_context *context, glk_bound *bound) {
  const glk_variable *v = bound->variable;
  glk_holders_others(context, v->holders, &v->locks, GLK_BOUND_HOLDER, &bound->others);
  return &bound->others;
}

const glk_lockset *glk_bounds_locks(glk_context *context, const glk_bounds *bounds,
                                    glk_variable *variable) {
  glk_bound *bound = glk_bounds_find(bounds, variable);
  return bound ? sync_others(context, bound) : &variable->locks;
}

static glk_status check_start(glk_context *context, const glk_bound *bound) {
  const glk_variable *v = bound->variable;
  const glk_real *x = v->tensor.storage->values;
  for (uint32_t i = 0; i < v->tensor.shape.count; i++) {
    if (glk_lockset_has(&bound->others, i)) continue;
    if (!(x[i] < bound->lower[i]) && !(x[i] > bound->upper[i])) continue;
    return glk_fail(context, GLK_ERROR_CONSTRAINT,
                    "variable '%s' %S: the element at flat index %u is %g, outside of its bounds "
                    "%g to %g: start inside, or lock it; nothing was changed",
                    v->name, &v->tensor.shape, i, (double)x[i], (double)bound->lower[i],
                    (double)bound->upper[i]);
  }
  return GLK_OK;
}

glk_status glk_bounds_begin(const glk_bounds *bounds, const glk_objective *objective) {
  glk_context *context = objective->context;
  glk_status status = GLK_OK;
  for (uint32_t k = 0; k < objective->variable_count && status == GLK_OK; k++) {
    const glk_bound *bound = glk_bounds_find(bounds, objective->variables[k]);
    if (bound) status = check_start(context, bound);
  }
  for (uint32_t k = 0; k < objective->variable_count && status == GLK_OK; k++) {
    glk_variable *v = objective->variables[k];
    glk_holder *holder;
    if (!glk_bounds_find(bounds, v)) continue;
    status = glk_holder_make(context, &v->holders, &v->locks, GLK_BOUND_HOLDER, &holder);
  }
  if (status != GLK_OK) glk_bounds_end(bounds, objective);
  return status;
}

void glk_bounds_gather(const glk_bounds *bounds, const glk_objective *objective, double *lower,
                       double *upper) {
  for (uint32_t k = 0; k < objective->variable_count; k++) {
    const glk_lockset *locks = objective->locks[k];
    const glk_bound *bound = glk_bounds_find(bounds, objective->variables[k]);
    for (uint32_t i = 0; i < locks->shape.count; i++) {
      if (glk_lockset_has(locks, i)) continue;
      *lower++ = bound ? (double)bound->lower[i] : -__builtin_inf();
      *upper++ = bound ? (double)bound->upper[i] : __builtin_inf();
    }
  }
}

void glk_bounds_hold(const glk_bounds *bounds, const glk_objective *objective,
                     const uint8_t *is_active) {
  for (uint32_t k = 0; k < objective->variable_count; k++) {
    const glk_lockset *locks = objective->locks[k];
    glk_variable *v = objective->variables[k];
    glk_bound *bound = glk_bounds_find(bounds, v);
    if (bound) memset(bound->held, 0, locks->word_count * sizeof *bound->held);
    for (uint32_t i = 0; i < locks->shape.count; i++) {
      if (glk_lockset_has(locks, i)) continue;
      if (bound && *is_active) bound->held[i / 32] |= 1u << (i % 32);
      is_active++;
    }
    if (!bound) continue;
    glk_holder *holder = glk_holder_find(v->holders, GLK_BOUND_HOLDER);
    holder->owner = bounds->owner;
    hold(objective->context, bound, holder);
  }
}

void glk_bounds_end(const glk_bounds *bounds, const glk_objective *objective) {
  for (uint32_t k = 0; k < objective->variable_count; k++) {
    glk_variable *v = objective->variables[k];
    glk_holder *holder = glk_holder_find(v->holders, GLK_BOUND_HOLDER);
    if (!holder || !glk_bounds_find(bounds, v)) continue;
    glk_holder_drop_unused(objective->context, v->holders, holder);
  }
}

void glk_bounds_walk(glk_archive *a, glk_bounds *bounds, glk_variable *variable) {
  glk_bound *bound = a->in ? NULL : glk_bounds_find(bounds, variable);
  uint32_t has_bounds = bound != NULL;
  glk_archive_begin(a, "bounds", '[', &has_bounds);
  if (has_bounds > 1) glk_archive_refuse(a, "it has bounds of a variable twice");
  if (has_bounds && a->status == GLK_OK) {
    const uint32_t count = variable->tensor.shape.count;
    if (a->in) a->status = find_or_make(a->context, bounds, variable, &bound);
    if (a->status != GLK_OK) return;
    glk_archive_begin(a, "", '{', NULL);
    glk_archive_values(a, "lower", GLK_ITEM_REALS, bound->lower, count);
    glk_archive_values(a, "upper", GLK_ITEM_REALS, bound->upper, count);
    glk_archive_end(a);
    if (a->in && a->status == GLK_OK) {
      a->status = check_limits(a->context, variable, bound->lower, bound->upper);
    }
  }
  glk_archive_end(a);
}
