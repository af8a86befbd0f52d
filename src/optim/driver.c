/* The driver: one step of any rule over any variables. What a lock promises (docs/laws.md) is kept here and in
 * kernels/update.h, once for all rules: norms see only what is free, clocks are the elements' own, and values and slots
 * of locked elements are never written.
 *
 * A step is prepared (all memory) and then carried out (no failure), so that running out of memory changes nothing. */
#include <string.h>

#include "core/memory.h"
#include "lock/policy.h"
#include "optim/optimizer.h"

glk_status glk_expect_shares(glk_context *context, const glk_handle *variables, uint32_t count,
                             glk_share *shares) {
  const uint64_t mark = glk_mark_new(context);
  for (uint32_t i = 0; i < count; i++) {
    shares[i] = (glk_share){0};
    GLK_TRY(glk_expect_variable(context, variables[i], "a variable to train", &shares[i].variable));
    GLK_TRY(glk_variable_mark(context, shares[i].variable, mark, i));
  }
  return GLK_OK;
}

uint64_t glk_mark_shares(glk_context *context, const glk_share *shares, uint32_t count) {
  const uint64_t mark = glk_mark_new(context);
  for (uint32_t i = 0; i < count; i++) {
    shares[i].variable->tensor.mark = mark;
    shares[i].variable->tensor.place = i;
  }
  return mark;
}

/* ------------------------------------------------------------------------------------------ memory */

static glk_status make_entry(glk_context *context, glk_variable *variable, glk_entry *entry) {
  *entry = (glk_entry){.variable = variable,
                       .padded_count = variable->tensor.storage->count,
                       .is_decayed = 1,
                       .scale = 1};
  return glk_clock_init(context, &variable->locks, &entry->clock);
}

/* The slots that the options need by now. */
static glk_status reserve_slots(glk_context *context, const glk_optimizer *optimizer,
                                glk_entry *entry) {
  const glk_rule_row *rule = optimizer->rule;
  const uint32_t needed = rule->needs ? rule->needs(optimizer->options) : ~(uint32_t)0;
  for (uint32_t k = 0; k < rule->slot_count; k++) {
    if (needed >> k & 1) GLK_TRY(glk_entry_reserve_slot(context, optimizer, entry, k));
  }
  return GLK_OK;
}

static void number_entries(glk_optimizer *optimizer) {
  for (uint32_t i = 0; i < optimizer->entry_count; i++) optimizer->entries[i].variable->entry = i;
}

/* Slots of disposed variables go when room is needed for others. */
static void forget_disposed(glk_context *context, glk_optimizer *optimizer) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < optimizer->entry_count; i++) {
    glk_entry *entry = &optimizer->entries[i];
    if (entry->variable->tensor.object.handle) {
      optimizer->entries[kept++] = *entry;
    } else {
      glk_entry_free(context, entry);
      glk_drop(context, &entry->variable->tensor.object);
    }
  }
  optimizer->entry_count = kept;
  number_entries(optimizer);
}

static glk_status add_entry(glk_context *context, glk_optimizer *optimizer,
                            glk_variable *variable) {
  glk_entry entry;
  void *entries = optimizer->entries;
  const glk_status status = glk_reserve(context, &entries, &optimizer->entry_capacity,
                                        optimizer->entry_count + 1, sizeof *optimizer->entries);
  optimizer->entries = entries;
  if (status != GLK_OK) return status;
  GLK_TRY(make_entry(context, variable, &entry));
  glk_retain(&variable->tensor.object);
  variable->entry = optimizer->entry_count;
  optimizer->entries[optimizer->entry_count++] = entry;
  return GLK_OK;
}

glk_status glk_optimizer_entry(glk_context *context, glk_optimizer *optimizer,
                               glk_variable *variable, uint32_t *out) {
  uint32_t entry = glk_optimizer_find(optimizer, variable);
  if (entry == optimizer->entry_count) {
    forget_disposed(context, optimizer);
    entry = optimizer->entry_count;
    GLK_TRY(add_entry(context, optimizer, variable));
  }
  *out = entry;
  return GLK_OK;
}

static int knows_all(const glk_optimizer *optimizer, const glk_share *shares, uint32_t count) {
  int known = 1;
  for (uint32_t i = 0; i < count; i++) known &= glk_optimizer_knows(optimizer, shares[i].variable);
  return known;
}

glk_status glk_driver_prepare(glk_context *context, glk_optimizer *optimizer, glk_share *shares,
                              uint32_t count) {
  const int reset = optimizer->options[GLK_OPTION_RESET_ON_UNLOCK] != 0;
  if (!knows_all(optimizer, shares, count)) {
    number_entries(optimizer); /* which another optimizer may have numbered */
    if (!knows_all(optimizer, shares, count)) forget_disposed(context, optimizer);
  }
  for (uint32_t i = 0; i < count; i++) {
    glk_variable *variable = shares[i].variable;
    if (!glk_optimizer_knows(optimizer, variable)) GLK_TRY(add_entry(context, optimizer, variable));
    shares[i].entry = variable->entry;
    glk_entry *kept = &optimizer->entries[variable->entry];
    GLK_TRY(reserve_slots(context, optimizer, kept));
    glk_entry_follow(context, kept);
    GLK_TRY(glk_clock_reserve(context, &kept->clock, glk_entry_locks(kept), reset));
    GLK_TRY(glk_constraint_check(context, kept));
    GLK_TRY(glk_average_reserve(context, optimizer, kept));
    GLK_TRY(glk_accumulate_reserve(context, optimizer, kept));
  }
  return GLK_OK;
}

/* ----------------------------------------------------------------------------------------- policies */

int glk_driver_turn(glk_context *context, const glk_share *shares, uint32_t count,
                    int by_gradient) {
  int changed = 0;
  for (uint32_t i = 0; i < count; i++) {
    const glk_real *gradient = by_gradient ? shares[i].gradient : NULL;
    if (by_gradient && !gradient) continue;
    glk_variable *v = shares[i].variable;
    changed |= glk_policies_apply(context, v->holders, v->tensor.storage->values, gradient);
  }
  return changed;
}

int glk_driver_wants(const glk_variable *variable, const glk_lockset *locks) {
  return !glk_lockset_is_full(locks) || glk_policies_want_gradient(variable->holders);
}

void glk_driver_settle(glk_context *context, const glk_share *shares, uint32_t count,
                       int is_taken) {
  for (uint32_t i = 0; i < count; i++) {
    glk_holders *holders = shares[i].variable->holders;
    if (is_taken) {
      if (holders) glk_policies_commit(holders);
    } else {
      glk_policies_rollback(context, holders);
    }
  }
}

/* -------------------------------------------------------------------------------------------- norms */

typedef struct squares {
  double free, all;
} squares;

/* Over what is free, and over everything. A NaN behind a lock is not added (law 7). */
static squares sum_squares(const glk_optimizer *optimizer, const glk_share *share) {
  squares s = {0, 0};
  const glk_real *gradient = glk_step_gradient(optimizer, share);
  if (!gradient) return s;
  const glk_lockset *locks = glk_entry_locks(&optimizer->entries[share->entry]);
  glk_kernel_squares(locks->shape.count, locks->words, gradient, &s.free, &s.all);
  return s;
}

/* Keras's clip_by_norm: g limit / max(norm, limit); 1 exactly while the norm is within the limit. An infinite norm
 * leaves zeros and NaNs. */
static glk_real clip_factor(double limit, double norm) {
  return norm <= limit ? 1 : (glk_real)(limit / norm);
}

/* Keras's and TensorFlow's clip_by_global_norm: the same, but NaN for all where the norm is not finite. */
static glk_real global_clip_factor(double limit, double norm) {
  return clip_factor(limit, norm) + (glk_real)(norm - norm);
}

/* --------------------------------------------------------------------------------------------- step */

static void reset_freed(const glk_optimizer *optimizer, glk_entry *entry,
                        const glk_lockset *locks) {
  const uint32_t *seen = entry->clock.words;
  if (!seen || !glk_clock_is_freeing(&entry->clock, locks)) return;
  for (uint32_t i = 0; i < locks->shape.count; i++) {
    if (!(seen[i / 32] >> (i % 32) & 1) || glk_lockset_has(locks, i)) continue;
    for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
      if (entry->slots[k]) entry->slots[k][i] = glk_slot_start(optimizer, k);
    }
  }
}

static void step_variable(glk_optimizer *optimizer, const glk_share *share, glk_clip clip_mode,
                          glk_real clip) {
  const glk_rule_row *rule = optimizer->rule;
  glk_entry *entry = &optimizer->entries[share->entry];
  const glk_lockset *locks = glk_entry_locks(entry);
  const double *options = optimizer->options;
  double scaled[GLK_MAX_OPTIONS];
  if (entry->scale != 1) {
    memcpy(scaled, options, sizeof scaled);
    scaled[GLK_OPTION_LEARNING_RATE] *= entry->scale;
    options = scaled;
  }
  glk_clock *clock = &entry->clock;
  const int reset = options[GLK_OPTION_RESET_ON_UNLOCK] != 0;
  if (reset) reset_freed(optimizer, entry, locks);
  glk_clock_follow(clock, locks, reset);
  const glk_real *gradient = glk_step_gradient(optimizer, share);
  if (!gradient || glk_lockset_is_full(locks)) return;

  glk_update u = {.words = locks->word_count,
                  .locks = locks->words,
                  .x = share->variable->tensor.storage->values,
                  .gradient = gradient,
                  .clip_mode = clip_mode,
                  .clip = clip,
                  .decay = entry->is_decayed ? (glk_real)options[GLK_OPTION_WEIGHT_DECAY] : 0,
                  .decay_rate = (glk_real)options[GLK_OPTION_LEARNING_RATE],
                  .factor = entry->factors};
  for (uint32_t k = 0; k < rule->slot_count; k++) u.slots[k] = entry->slots[k];
  glk_clock_tick(clock);
  const uint32_t cohort = glk_clock_free_cohort(clock);
  if (cohort < clock->cohort_count || !rule->clocked) {
    const double steps = cohort < clock->cohort_count ? clock->cohorts[cohort].steps : 1;
    rule->coefficients(options, steps, u.coefficient);
  } else {
    for (uint32_t k = 0; k < clock->cohort_count; k++) {
      if (clock->cohorts[k].is_locked) continue;
      rule->coefficients(options, clock->cohorts[k].steps, u.coefficient);
      memcpy(clock->coefficient + k * rule->clocked, u.coefficient,
             rule->clocked * sizeof *u.coefficient);
    }
    u.clocked = rule->clocked;
    u.cohort = clock->cohort;
    u.cohort_coefficient = clock->coefficient;
  }
  rule->update(options, &u);
  share->variable->writes++;
}

int glk_driver_takes_norms(const glk_optimizer *optimizer) {
  return optimizer->options[GLK_OPTION_CLIP_NORM] != 0 ||
         optimizer->options[GLK_OPTION_GLOBAL_CLIP_NORM] != 0;
}

static void update_all(glk_optimizer *optimizer, const glk_share *shares, uint32_t count) {
  const double *options = optimizer->options;
  const double clip_norm = options[GLK_OPTION_CLIP_NORM];
  const double global_norm = options[GLK_OPTION_GLOBAL_CLIP_NORM];
  const double clip_value = options[GLK_OPTION_CLIP_VALUE];
  squares total = {0, 0};
  if (global_norm != 0) {
    for (uint32_t i = 0; i < count; i++) {
      const squares s = sum_squares(optimizer, &shares[i]);
      total.free += s.free;
      total.all += s.all;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    glk_clip mode = GLK_CLIP_NONE;
    glk_real clip = 0;
    if (clip_norm != 0) {
      const squares s = sum_squares(optimizer, &shares[i]);
      total.free += s.free;
      total.all += s.all;
      mode = GLK_CLIP_SCALE;
      clip = clip_factor(clip_norm, __builtin_sqrt(s.free));
    } else if (global_norm != 0) {
      mode = GLK_CLIP_SCALE;
      clip = global_clip_factor(global_norm, __builtin_sqrt(total.free));
    } else if (clip_value != 0) {
      mode = GLK_CLIP_VALUE;
      clip = (glk_real)clip_value;
    }
    step_variable(optimizer, &shares[i], mode, clip);
  }
  if (glk_driver_takes_norms(optimizer)) {
    optimizer->norm_free = __builtin_sqrt(total.free);
    optimizer->norm_all = __builtin_sqrt(total.all);
  }
}

void glk_driver_step(glk_optimizer *optimizer, const glk_share *shares, uint32_t count) {
  const int takes_step = glk_accumulate(optimizer, shares, count);
  if (takes_step) update_all(optimizer, shares, count);
  glk_average_step(optimizer, shares, count);
  glk_constraint_step(optimizer, shares, count);
  if (!takes_step) return;
  glk_accumulate_restart(optimizer);
  optimizer->iterations++;
  glk_optimizer_follow(optimizer);
}

/* ------------------------------------------------------------------------ a step with given gradients */

static glk_status take_gradients(glk_context *context, const glk_handle *gradients, uint32_t count,
                                 glk_share *shares) {
  const uint64_t mark = glk_mark_shares(context, shares, count);
  for (uint32_t i = 0; i < count; i++) {
    glk_tensor *gradient;
    GLK_TRY(glk_expect_value(context, gradients[i], "a gradient", &gradient));
    if (!glk_shape_equal(&gradient->shape, &shares[i].variable->tensor.shape)) {
      return glk_fail(
          context, GLK_ERROR_SHAPE, "the gradient of variable '%s' has shape %S, expected %S",
          shares[i].variable->name, &gradient->shape, &shares[i].variable->tensor.shape);
    }
    if (gradient->mark == mark) { /* it would change under the step that reads it */
      return glk_fail(context, GLK_ERROR_ARGUMENT,
                      "the gradient of variable '%s' is variable '%s', which the same step trains",
                      shares[i].variable->name, shares[gradient->place].variable->name);
    }
    shares[i].gradient = gradient->storage->values;
  }
  return GLK_OK;
}

glk_status glk_optimizer_apply(glk_context *context, glk_handle optimizer,
                               const glk_handle *variables, const glk_handle *gradients,
                               uint32_t count) {
  glk_optimizer *o;
  void *memory;
  GLK_REFUSE_IF(context, (count && (!variables || !gradients)));
  GLK_TRY(glk_require_idle(context, "training"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_allocate(context, count, sizeof(glk_share), &memory));
  glk_share *shares = memory;
  glk_status status = glk_expect_shares(context, variables, count, shares);
  if (status == GLK_OK) status = take_gradients(context, gradients, count, shares);
  if (status == GLK_OK) {
    glk_driver_turn(context, shares, count, 0);
    glk_driver_turn(context, shares, count, 1);
    status = glk_driver_prepare(context, o, shares, count);
    if (status == GLK_OK) glk_driver_step(o, shares, count);
    glk_driver_settle(context, shares, count, status == GLK_OK);
  }
  glk_release(context, memory, count, sizeof(glk_share));
  return status;
}
