/* The driver: one step of any update rule over any variables. The promises of a lock (docs/laws.md)
 * are kept here and in kernels/update.h, once for all rules: norms are over free elements only, and
 * each element has its own clock. Values and slots of locked elements are never written.
 *
 * A step is prepared (all memory) and then carried out (no failure), so that running out of memory
 * changes nothing. */
#include "optim/step.h"

#include <string.h>

#include "core/memory.h"
#include "lock/policy.h"

glk_status glk_expect_pairs(glk_context *context, const glk_handle *variables, uint32_t count,
                            glk_gradient_pair *pairs) {
  const uint64_t mark = glk_mark_new(context);
  for (uint32_t i = 0; i < count; i++) {
    pairs[i] = (glk_gradient_pair){0};
    GLK_TRY(glk_expect_variable(context, variables[i], "a variable to train", &pairs[i].variable));
    GLK_TRY(glk_variable_mark(context, pairs[i].variable, mark, i));
  }
  return GLK_OK;
}

uint64_t glk_mark_pairs(glk_context *context, const glk_gradient_pair *pairs, uint32_t count) {
  const uint64_t mark = glk_mark_new(context);
  for (uint32_t i = 0; i < count; i++) {
    pairs[i].variable->tensor.mark = mark;
    pairs[i].variable->tensor.place = i;
  }
  return mark;
}

/* --------------------------------------------------------------------------------------- memory */

static int know_all(const glk_entries *entries, const glk_gradient_pair *pairs, uint32_t count) {
  int known = 1;
  for (uint32_t i = 0; i < count; i++) known &= glk_entries_know(entries, pairs[i].variable);
  return known;
}

/* Get the memory that the next calls with these options need for one entry. */
static glk_status prepare_entry(glk_context *context, const glk_optimizer *optimizer,
                                uint32_t calls, glk_entry *entry) {
  const glk_rule_row *rule = optimizer->rule;
  const double *options = optimizer->options;
  const int accumulates = glk_is_accumulating(optimizer);
  const int whole = accumulates && glk_driver_takes_norms(optimizer); /* of locked means too */
  const int may_move = glk_policies_exist(entry->variable->holders);
  uint32_t needed = (1u << rule->slot_count) - 1;
  if (rule->needs) needed &= rule->needs(options);
  if (options[GLK_OPTION_USE_EMA] != 0) needed |= 1u << GLK_AVERAGE;
  if (accumulates) needed |= 1u << GLK_PENDING;
  glk_pages_fill fill = {.values = entry->variable->tensor.storage->values};
  for (uint32_t k = 0; k < rule->slot_count; k++) fill.starts[k] = glk_slot_start(rule, options, k);
  glk_entry_sync_locks(context, entry);
  const glk_lockset *locks = glk_entry_locks(entry);
  GLK_TRY(glk_pages_reserve(context, &entry->pages, locks, needed, whole, may_move, &fill));
  /* Until a step is taken locks may change again, and leave no trace. */
  if (glk_takes_step(optimizer, calls)) {
    const int reset = options[GLK_OPTION_RESET_ON_UNLOCK] != 0;
    GLK_TRY(glk_clock_reserve(context, &entry->clock, locks, reset));
  }
  return glk_constraint_check(context, &entry->constraint, entry->variable, locks);
}

glk_status glk_driver_prepare(glk_context *context, glk_optimizer *optimizer,
                              glk_gradient_pair *pairs, uint32_t count, uint32_t calls) {
  glk_entries *entries = &optimizer->entries;
  if (!know_all(entries, pairs, count)) {
    glk_entries_number(entries); /* which another optimizer may have numbered */
    if (!know_all(entries, pairs, count)) glk_entries_drop_unused(context, entries);
  }
  for (uint32_t i = 0; i < count; i++) {
    glk_variable *variable = pairs[i].variable;
    if (!glk_entries_know(entries, variable)) GLK_TRY(glk_entries_add(context, entries, variable));
    pairs[i].entry = variable->entry;
    GLK_TRY(prepare_entry(context, optimizer, calls, &entries->items[variable->entry]));
  }
  return GLK_OK;
}

/* ------------------------------------------------------------------------------------- policies */

int glk_driver_apply_policies(glk_context *context, const glk_gradient_pair *pairs, uint32_t count,
                              int by_gradient) {
  int changed = 0;
  for (uint32_t i = 0; i < count; i++) {
    if (by_gradient && !pairs[i].piece_count) continue;
    /* Whole, where a policy looks at it: glk_driver_wants. */
    const glk_real *gradient = by_gradient ? pairs[i].pieces->values : NULL;
    glk_variable *v = pairs[i].variable;
    changed |= glk_policies_apply(context, v->holders, v->tensor.storage->values, gradient);
  }
  return changed;
}

int glk_driver_wants(const glk_variable *variable, const glk_lockset *locks) {
  return !glk_lockset_is_full(locks) || glk_policies_want_gradient(variable->holders);
}

void glk_driver_commit_policies(const glk_gradient_pair *pairs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    glk_holders *holders = pairs[i].variable->holders;
    if (holders) glk_policies_commit(holders);
  }
}

void glk_driver_rollback_policies(glk_context *context, const glk_gradient_pair *pairs,
                                  uint32_t count) {
  for (uint32_t i = 0; i < count; i++) glk_policies_rollback(context, pairs[i].variable->holders);
}

/* ---------------------------------------------------------------------------------------- norms */

typedef struct squares {
  double free, all;
} squares;

/* Norms over free elements, and over all elements. Variables that are locked as a whole are left
 * out, since their gradient is mostly not computed. A NaN in a locked element is not added (law
 * 7). */
static squares sum_squares(const glk_optimizer *optimizer, const glk_gradient_pair *pair) {
  squares s = {0, 0};
  const glk_entry *entry = &optimizer->entries.items[pair->entry];
  const glk_lockset *locks = glk_entry_locks(entry);
  if (!pair->piece_count || glk_lockset_is_full(locks)) return s;
  if (!pair->is_mean) {
    glk_kernel_squares(locks->shape.count, locks->words, pair->pieces->values, &s.free, &s.all);
    return s;
  }
  for (uint32_t i = 0; i < entry->pages.count; i++) {
    const glk_extent *e = &entry->pages.extents[i];
    glk_kernel_squares(glk_extent_elements(e, &locks->shape), locks->words + e->first / 32,
                       e->arrays[GLK_PENDING], &s.free, &s.all);
  }
  return s;
}

/* Keras's clip_by_norm: g limit / max(norm, limit); 1 exactly while the norm is within the limit.
 * An infinite norm leaves zeros and NaNs. */
static glk_real clip_factor(double limit, double norm) {
  return norm <= limit ? 1 : (glk_real)(limit / norm);
}

/* Keras's and TensorFlow's clip_by_global_norm: the same, but NaN for all where the norm is not
 * finite. */
static glk_real global_clip_factor(double limit, double norm) {
  return clip_factor(limit, norm) + (glk_real)(norm - norm);
}

/* ----------------------------------------------------------------------------------------- step */

static void reset_freed(const glk_optimizer *optimizer, glk_entry *entry,
                        const glk_lockset *locks) {
  const uint32_t *seen = entry->clock.words;
  if (!seen || entry->clock.version == locks->version) return;
  glk_real starts[GLK_MAX_SLOTS];
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    starts[k] = glk_slot_start(optimizer->rule, optimizer->options, k);
  }
  glk_pages_reset(&entry->pages, seen, locks, starts);
}

/* The place of a piece of a gradient in its variable, and the state there. */
static void enter_piece(const glk_entry *entry, const glk_extent *extent, const glk_piece *piece,
                        glk_update *u) {
  const uint32_t first = piece->first;
  u->words = piece->count / GLK_WORD;
  u->locks = glk_entry_locks(entry)->words + first / GLK_WORD;
  u->x = entry->variable->tensor.storage->values + first;
  u->gradient = piece->values;
  u->places = NULL;
  u->factor = entry->factors ? entry->factors + first : NULL;
  u->first = first;
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) u->slots[k] = extent->arrays[k];
}

/* What one word of elements takes a rule, in nanoseconds. */
#define WORD_NS 20

typedef struct update_job {
  const glk_rule_row *rule;
  const double *options;
  const glk_update *u;
  const glk_extent *extent;
} update_job;

/* Words from..to - 1 of u, with whole arrays of slots. */
static glk_update part_of(const glk_update *whole, size_t from, size_t to) {
  const size_t first = from * GLK_WORD;
  glk_update u = *whole;
  u.words = to - from;
  u.locks += from;
  u.x += first;
  u.gradient += first;
  if (u.factor) u.factor += first;
  u.first += first;
  return u;
}

/* `slot` is where the slots of the first word begin. */
static void update_part(const update_job *job, glk_update *u, size_t slot) {
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    if (u->slots[k]) u->slots[k] += slot;
  }
  job->rule->update(job->options, u);
}

static void update_words(const void *work, size_t from, size_t to, uint32_t lane) {
  const update_job *job = work;
  glk_update u = part_of(job->u, from, to);
  (void)lane;
  update_part(job, &u, u.first - job->extent->first);
}

/* Pages from..to - 1 of those that u touches. */
static void update_pages(const void *work, size_t from, size_t to, uint32_t lane) {
  const update_job *job = work;
  const glk_extent *extent = job->extent;
  const size_t page_words = GLK_PAGE / GLK_WORD, skipped = job->u->first % GLK_PAGE / GLK_WORD;
  const glk_page_list *lists = extent->lists + (job->u->first - extent->first) / GLK_PAGE;
  (void)lane;
  for (size_t p = from; p < to; p++) {
    const size_t begin = p ? p * page_words - skipped : 0, end = (p + 1) * page_words - skipped;
    glk_update u = part_of(job->u, begin, end < job->u->words ? end : job->u->words);
    if (lists[p].form == GLK_PAGE_WORDS) {
      update_part(job, &u, lists[p].slot + (p ? 0 : skipped * GLK_WORD));
    } else {
      glk_step_listed(job->rule, job->options, &u, &lists[p], extent->places + lists[p].place);
    }
  }
}

static void update_piece(glk_team *team, const update_job *job) {
  const size_t words = job->u->words, skipped = job->u->first % GLK_PAGE / GLK_WORD;
  const double ns = WORD_NS * (double)words;
  if (!job->extent->lists) {
    glk_parallel_for(team, ns, words, 32, update_words, job);
  } else {
    const size_t pages = (skipped + words + GLK_PAGE / GLK_WORD - 1) / (GLK_PAGE / GLK_WORD);
    glk_parallel_for(team, ns, pages, 1, update_pages, job);
  }
}

/* Update where extents have a mean of gradients, or overlap pieces of one; both lists are in the
 * order of elements. */
static void step_pieces(glk_team *team, const glk_rule_row *rule, const double *options,
                        const glk_gradient_pair *pair, const glk_entry *entry, glk_update *u) {
  for (uint32_t i = 0, k = 0; i < entry->pages.count && k < pair->piece_count;) {
    const glk_extent *extent = &entry->pages.extents[i];
    const uint32_t end = extent->first + extent->count;
    glk_piece piece = {extent->first, extent->count, extent->arrays[GLK_PENDING]};
    if (!pair->is_mean) piece = glk_piece_within(&pair->pieces[k], extent);
    if (piece.count) {
      enter_piece(entry, extent, &piece, u);
      const update_job job = {rule, options, u, extent};
      update_piece(team, &job);
    }
    if (!pair->is_mean && pair->pieces[k].first + pair->pieces[k].count < end) {
      k++;
    } else {
      i++;
    }
  }
}

static void step_variable(glk_team *team, glk_optimizer *optimizer, const glk_gradient_pair *pair,
                          glk_clip clip_mode, glk_real clip) {
  const glk_rule_row *rule = optimizer->rule;
  glk_entry *entry = &optimizer->entries.items[pair->entry];
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
  glk_clock_sync_locks(clock, locks, reset);
  if (!pair->piece_count || glk_lockset_is_full(locks)) return;

  glk_update u = {.clip_mode = clip_mode,
                  .clip = clip,
                  .decay = entry->is_decayed ? (glk_real)options[GLK_OPTION_WEIGHT_DECAY] : 0,
                  .decay_rate = (glk_real)options[GLK_OPTION_LEARNING_RATE]};
  glk_clock_tick(clock);
  const uint32_t cohort = glk_clock_free_cohort(clock);
  if (cohort < clock->cohort_count || !rule->clocked) {
    const double steps = cohort < clock->cohort_count ? clock->cohorts[cohort].steps : 1;
    rule->coefficients(options, steps, u.coefficient);
  } else {
    for (uint32_t k = 0; k < clock->cohort_count; k++) {
      if (clock->cohorts[k].is_locked) continue;
      rule->coefficients(options, clock->cohorts[k].steps, u.coefficient);
      memcpy(clock->scratch + k * rule->clocked, u.coefficient,
             rule->clocked * sizeof *u.coefficient);
    }
    u.clocked = rule->clocked;
    u.pages = clock->pages;
    u.cohort_coefficient = clock->scratch;
  }
  step_pieces(team, rule, options, pair, entry, &u);
  pair->variable->writes++;
}

int glk_driver_takes_norms(const glk_optimizer *optimizer) {
  return optimizer->options[GLK_OPTION_CLIP_NORM] != 0 ||
         optimizer->options[GLK_OPTION_GLOBAL_CLIP_NORM] != 0;
}

static void update_all(glk_team *team, glk_optimizer *optimizer, const glk_gradient_pair *pairs,
                       uint32_t count) {
  const double *options = optimizer->options;
  const double clip_norm = options[GLK_OPTION_CLIP_NORM];
  const double global_norm = options[GLK_OPTION_GLOBAL_CLIP_NORM];
  const double clip_value = options[GLK_OPTION_CLIP_VALUE];
  squares total = {0, 0};
  if (global_norm != 0) {
    for (uint32_t i = 0; i < count; i++) {
      const squares s = sum_squares(optimizer, &pairs[i]);
      total.free += s.free;
      total.all += s.all;
    }
  }
  for (uint32_t i = 0; i < count; i++) {
    glk_clip mode = GLK_CLIP_NONE;
    glk_real clip = 0;
    if (clip_norm != 0) {
      const squares s = sum_squares(optimizer, &pairs[i]);
      total.free += s.free;
      total.all += s.all;
      mode = GLK_CLIP_SCALE;
      clip = clip_factor(clip_norm, glk_sqrt(s.free));
    } else if (global_norm != 0) {
      mode = GLK_CLIP_SCALE;
      clip = global_clip_factor(global_norm, glk_sqrt(total.free));
    } else if (clip_value != 0) {
      mode = GLK_CLIP_VALUE;
      clip = (glk_real)clip_value;
    }
    step_variable(team, optimizer, &pairs[i], mode, clip);
  }
  if (glk_driver_takes_norms(optimizer)) {
    optimizer->norms[0] = glk_sqrt(total.free);
    optimizer->norms[1] = glk_sqrt(total.all);
  }
}

static void project_all(glk_optimizer *optimizer, const glk_gradient_pair *pairs, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    const glk_entry *entry = &optimizer->entries.items[pairs[i].entry];
    glk_constraint_project(&entry->constraint, glk_entry_locks(entry), entry->variable);
  }
}

glk_status glk_driver_step(glk_context *context, glk_optimizer *optimizer, glk_gradient_pair *pairs,
                           uint32_t count) {
  int skips = 0;
  if (glk_has_hook(optimizer)) GLK_TRY(glk_hook_call(context, optimizer, pairs, count, &skips));
  if (skips) {
    glk_accumulate_restart(optimizer);
    return GLK_OK;
  }
  for (uint32_t i = 0; i < count; i++) optimizer->entries.items[pairs[i].entry].pages.is_used = 1;
  const int takes_step = glk_accumulate(optimizer, pairs, count);
  if (takes_step) {
    if (glk_has_hook(optimizer)) glk_hook_write(optimizer, pairs, count);
    update_all(context->team, optimizer, pairs, count);
  }
  glk_average_step(optimizer, pairs, count);
  project_all(optimizer, pairs, count);
  if (!takes_step) return GLK_OK;
  glk_accumulate_restart(optimizer);
  optimizer->iterations++;
  glk_optimizer_sync_rate(optimizer);
  return GLK_OK;
}

/* ------------------------------------------------------------------ a step with given gradients */

static glk_status take_gradients(glk_context *context, const glk_handle *gradients, uint32_t count,
                                 glk_gradient_pair *pairs) {
  const uint64_t mark = glk_mark_pairs(context, pairs, count);
  for (uint32_t i = 0; i < count; i++) {
    glk_tensor *gradient;
    GLK_TRY(glk_expect_value(context, gradients[i], "a gradient", &gradient));
    if (!glk_shape_equal(&gradient->shape, &pairs[i].variable->tensor.shape)) {
      return glk_fail(context, GLK_ERROR_SHAPE,
                      "the gradient of variable '%s' has shape %S, expected %S",
                      pairs[i].variable->name, &gradient->shape, &pairs[i].variable->tensor.shape);
    }
    if (gradient->mark == mark) { /* it would change under the step that reads it */
      return glk_fail(context, GLK_ERROR_ARGUMENT,
                      "the gradient of variable '%s' is variable '%s', which the same step trains",
                      pairs[i].variable->name, pairs[gradient->place].variable->name);
    }
    pairs[i].whole = (glk_piece){0, gradient->storage->count, gradient->storage->values};
    pairs[i].pieces = &pairs[i].whole;
    pairs[i].piece_count = 1;
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
  GLK_TRY(glk_allocate(context, count, sizeof(glk_gradient_pair), &memory));
  glk_gradient_pair *pairs = memory;
  glk_status status = glk_expect_pairs(context, variables, count, pairs);
  if (status == GLK_OK) status = take_gradients(context, gradients, count, pairs);
  if (status == GLK_OK) {
    glk_driver_apply_policies(context, pairs, count, 0);
    glk_driver_apply_policies(context, pairs, count, 1);
    status = glk_driver_prepare(context, o, pairs, count, 1);
    if (status == GLK_OK) status = glk_driver_step(context, o, pairs, count);
    if (status == GLK_OK) {
      glk_driver_commit_policies(pairs, count);
    } else {
      glk_driver_rollback_policies(context, pairs, count);
    }
  }
  glk_release(context, memory, count, sizeof(glk_gradient_pair));
  return status;
}
