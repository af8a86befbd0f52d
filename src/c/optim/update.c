/* The update: one step of any rule over any variables. The promises of a lock (docs/laws.md) are
 * kept here and in kernels/update.h, once for all rules: norms are over free elements only, and
 * each element has its own step count. Values and slots of locked elements are never written.
 *
 * A step is prepared (all memory) and then taken (no failure), so that running out of memory
 * changes nothing. */
#include "optim/step.h"

#include <string.h>

#include "core/memory.h"
#include "lock/policy.h"

glk_status glk_step_begin(glk_context *context, glk_optimizer *optimizer,
                          const glk_handle *variables, uint32_t count, glk_step *out) {
  *out = (glk_step){context, optimizer, NULL, count, 0};
  GLK_TRY(glk_allocate(context, count, sizeof *out->pairs, &out->pairs));
  const uint64_t visit = glk_visit_new(context);
  glk_status status = GLK_OK;
  for (uint32_t i = 0; i < count && status == GLK_OK; i++) {
    glk_variable **v = &out->pairs[i].variable;
    status = glk_variable_visit(context, variables[i], "a variable to train", visit, v);
    if (status == GLK_OK) out->has_policies |= glk_policies_exist((*v)->holders);
  }
  if (status != GLK_OK) glk_step_end(out);
  return status;
}

void glk_step_end(const glk_step *step) {
  glk_release(step->context, step->pairs, step->count, sizeof *step->pairs);
}

static int know_all(const glk_step *step) {
  int known = 1;
  for (uint32_t i = 0; i < step->count; i++) {
    known &= glk_variable_states_know(&step->optimizer->states, step->pairs[i].variable);
  }
  return known;
}

/* Get the memory that the next calls with these options need for one variable. */
static glk_status prepare_variable(glk_context *context, const glk_optimizer *optimizer,
                                   uint32_t calls, glk_variable_state *state) {
  const glk_rule_row *rule = optimizer->rule;
  const double *options = optimizer->options;
  const int accumulates = glk_is_accumulating(optimizer);
  const int all = accumulates && glk_takes_norms(optimizer); /* of locked means too */
  const int may_move = glk_policies_exist(state->variable->holders);
  uint32_t needed = (1u << rule->slot_count) - 1;
  if (rule->needs) needed &= rule->needs(options);
  if (options[GLK_OPTION_USE_EMA] != 0) needed |= 1u << GLK_AVERAGE;
  if (accumulates) needed |= 1u << GLK_PENDING;
  glk_pages_fill fill = {.values = state->variable->tensor.storage->values};
  for (uint32_t k = 0; k < rule->slot_count; k++) fill.starts[k] = glk_slot_start(rule, options, k);
  glk_variable_state_sync_locks(context, state);
  const glk_lockset *locks = glk_variable_state_locks(state);
  GLK_TRY(glk_pages_reserve(context, &state->pages, locks, needed, all, may_move, &fill));
  /* Until a step is taken locks may change again, and leave no trace. */
  if (glk_takes_step(optimizer, calls)) {
    const int reset = options[GLK_OPTION_RESET_ON_UNLOCK] != 0;
    GLK_TRY(glk_step_counts_reserve(context, &state->counts, locks, reset));
  }
  return glk_constraint_check(context, &state->constraint, state->variable, locks);
}

glk_status glk_step_prepare(const glk_step *step, uint32_t calls) {
  glk_context *context = step->context;
  glk_variable_states *states = &step->optimizer->states;
  if (!know_all(step)) {
    glk_variable_states_index(states); /* which another optimizer may have numbered */
    if (!know_all(step)) glk_variable_states_drop_unused(context, states);
  }
  for (uint32_t i = 0; i < step->count; i++) {
    glk_variable *variable = step->pairs[i].variable;
    if (!glk_variable_states_know(states, variable))
      GLK_TRY(glk_variable_states_add(context, states, variable));
    step->pairs[i].state_index = variable->state_index;
    GLK_TRY(prepare_variable(context, step->optimizer, calls, glk_step_state(step, i)));
  }
  return GLK_OK;
}

int glk_step_apply_policies(const glk_step *step, int by_gradient) {
  int changed = 0;
  for (uint32_t i = 0; step->has_policies && i < step->count; i++) {
    const glk_gradient_pair *pair = &step->pairs[i];
    if (by_gradient && !pair->piece_count) continue;
    /* Whole, where a policy needs it: glk_needs_gradient. */
    const glk_real *gradient = by_gradient ? pair->pieces->values : NULL;
    const glk_real *values = pair->variable->tensor.storage->values;
    changed |= glk_policies_apply(step->context, pair->variable->holders, values, gradient);
  }
  return changed;
}

void glk_step_settle_policies(const glk_step *step, glk_status status) {
  for (uint32_t i = 0; step->has_policies && i < step->count; i++) {
    glk_holders *holders = step->pairs[i].variable->holders;
    if (!holders) continue;
    if (status == GLK_OK) {
      glk_policies_commit(holders);
    } else {
      glk_policies_rollback(step->context, holders);
    }
  }
}

int glk_needs_gradient(const glk_variable *variable, const glk_lockset *locks) {
  return !glk_lockset_is_full(locks) || glk_policies_need_gradient(variable->holders);
}

typedef struct squares {
  double free, all;
} squares;

/* Norms over free elements, and over all elements. Variables that are locked as a whole are left
 * out, since their gradient is mostly not computed. A NaN in a locked element is not added (law
 * 7). */
static squares sum_squares(const glk_step *step, uint32_t index) {
  squares s = {0, 0};
  const glk_gradient_pair *pair = &step->pairs[index];
  const glk_variable_state *state = glk_step_state(step, index);
  const glk_lockset *locks = glk_variable_state_locks(state);
  if (!pair->piece_count || glk_lockset_is_full(locks)) return s;
  if (!pair->is_mean) {
    glk_kernel_squares(locks->shape.count, locks->words, pair->pieces->values, &s.free, &s.all);
    return s;
  }
  for (uint32_t i = 0; i < state->pages.count; i++) {
    const glk_extent *e = &state->pages.extents[i];
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

static void reset_freed(const glk_optimizer *optimizer, glk_variable_state *state,
                        const glk_lockset *locks) {
  const uint32_t *seen = state->counts.words;
  if (!seen || state->counts.version == locks->version) return;
  glk_real starts[GLK_MAX_SLOTS];
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    starts[k] = glk_slot_start(optimizer->rule, optimizer->options, k);
  }
  glk_pages_reset(&state->pages, seen, locks, starts);
}

enum {
  WORD_NS = 20, /* what one word of elements takes a rule, in nanoseconds */
  PAGE_WORDS = GLK_PAGE / GLK_WORD
};

/* The update of a piece of a variable. */
typedef struct piece_update {
  const glk_rule_row *rule;
  const double *options;
  const glk_variable_state *state;
  const glk_extent *extent;
  const glk_piece *piece;
  /* What is the same for all elements. */
  const glk_update *shared;
} piece_update;

/* Elements first..first + 32 words - 1, all of one page if there is a list. */
static void update_words(const piece_update *p, uint32_t first, size_t words,
                         const glk_page_list *list) {
  const int is_listed = list && list->is_listed;
  const size_t slot = !list       ? first - p->extent->first
                      : is_listed ? list->slot
                                  : list->slot + first % GLK_PAGE;
  glk_update u = *p->shared;
  u.words = words;
  u.locks = glk_variable_state_locks(p->state)->words + first / GLK_WORD;
  u.x = p->state->variable->tensor.storage->values + first;
  u.gradient = p->piece->values + (first - p->piece->first);
  u.factor = p->state->factors ? p->state->factors + first : NULL;
  u.first = first;
  for (uint32_t k = 0; k < GLK_MAX_SLOTS; k++) {
    u.slots[k] = p->extent->arrays[k] ? p->extent->arrays[k] + slot : NULL;
  }
  if (is_listed) {
    glk_step_listed(p->rule, p->options, &u, list, p->extent->indices + list->index);
  } else {
    p->rule->update(p->options, &u);
  }
}

/* Words from..to - 1 of the piece, counted from the beginning of its first page. */
static void update_part(const void *work, size_t from, size_t to, uint32_t thread) {
  const piece_update *p = work;
  const uint32_t start = p->piece->first - p->piece->first % GLK_PAGE;
  const size_t skipped = p->piece->first % GLK_PAGE / GLK_WORD;
  (void)thread;
  for (size_t at = from < skipped ? skipped : from, end = to; at < to; at = end) {
    const uint32_t first = start + (uint32_t)at * GLK_WORD;
    const glk_page_list *list = NULL;
    if (p->extent->lists) {
      const size_t page_end = (at / PAGE_WORDS + 1) * PAGE_WORDS;
      end = page_end < to ? page_end : to;
      list = &p->extent->lists[(first - p->extent->first) / GLK_PAGE];
    }
    update_words(p, first, end - at, list);
  }
}

/* Coefficients of the next step, one set or one for each group. */
static void set_coefficients(glk_step_counts *counts, const glk_rule_row *rule,
                             const double *options, glk_update *u) {
  const uint32_t group = glk_step_counts_free_group(counts);
  if (group < counts->group_count || !rule->by_count) {
    const double steps = group < counts->group_count ? counts->groups[group].steps : 1;
    rule->coefficients(options, steps, u->coefficient);
    return;
  }
  for (uint32_t k = 0; k < counts->group_count; k++) {
    if (counts->groups[k].is_locked) continue;
    rule->coefficients(options, counts->groups[k].steps, u->coefficient);
    memcpy(counts->scratch + k * rule->by_count, u->coefficient,
           rule->by_count * sizeof *u->coefficient);
  }
  u->by_count = rule->by_count;
  u->pages = counts->pages;
  u->group_coefficient = counts->scratch;
}

static void update_variable(const glk_step *step, uint32_t index, glk_clip clip_mode,
                            glk_real clip) {
  const glk_gradient_pair *pair = &step->pairs[index];
  const glk_rule_row *rule = step->optimizer->rule;
  glk_variable_state *state = glk_step_state(step, index);
  const glk_lockset *locks = glk_variable_state_locks(state);
  const double *options = step->optimizer->options;
  double scaled[GLK_MAX_OPTIONS];
  if (state->scale != 1) {
    memcpy(scaled, options, sizeof scaled);
    scaled[GLK_OPTION_LEARNING_RATE] *= state->scale;
    options = scaled;
  }
  const int reset = options[GLK_OPTION_RESET_ON_UNLOCK] != 0;
  if (reset) reset_freed(step->optimizer, state, locks);
  glk_step_counts_sync_locks(&state->counts, locks, reset);
  if (!pair->piece_count || glk_lockset_is_full(locks)) return;
  glk_update shared = {.clip_mode = clip_mode,
                       .clip = clip,
                       .decay = state->is_decayed ? (glk_real)options[GLK_OPTION_WEIGHT_DECAY] : 0,
                       .decay_rate = (glk_real)options[GLK_OPTION_LEARNING_RATE]};
  glk_step_counts_tick(&state->counts);
  set_coefficients(&state->counts, rule, options, &shared);
  /* Where gradients are accumulated, each extent has its mean: then the values of `all` are not
   * read. */
  const glk_piece all = {0, locks->word_count * GLK_WORD, state->variable->tensor.storage->values};
  const glk_piece *pieces = pair->is_mean ? &all : pair->pieces;
  const uint32_t count = pair->is_mean ? 1 : pair->piece_count;
  for (glk_overlap at = {0}; glk_overlap_next(&state->pages, pieces, count, &at);) {
    if (pair->is_mean) at.piece.values = at.extent->arrays[GLK_PENDING];
    const piece_update work = {rule, options, state, at.extent, &at.piece, &shared};
    const size_t words = at.piece.count / GLK_WORD;
    glk_parallel_for(step->context->threads, WORD_NS * (double)words,
                     at.piece.first % GLK_PAGE / GLK_WORD + words, PAGE_WORDS, update_part, &work);
  }
  pair->variable->writes++;
}

int glk_takes_norms(const glk_optimizer *optimizer) {
  return optimizer->options[GLK_OPTION_CLIP_NORM] != 0 ||
         optimizer->options[GLK_OPTION_GLOBAL_CLIP_NORM] != 0;
}

static void update_all(const glk_step *step) {
  const double *options = step->optimizer->options;
  const double clip_norm = options[GLK_OPTION_CLIP_NORM];
  const double global_norm = options[GLK_OPTION_GLOBAL_CLIP_NORM];
  const double clip_value = options[GLK_OPTION_CLIP_VALUE];
  squares total = {0, 0};
  for (uint32_t i = 0; global_norm != 0 && i < step->count; i++) {
    const squares s = sum_squares(step, i);
    total.free += s.free;
    total.all += s.all;
  }
  for (uint32_t i = 0; i < step->count; i++) {
    glk_clip mode = GLK_CLIP_NONE;
    glk_real clip = 0;
    if (clip_norm != 0) {
      const squares s = sum_squares(step, i);
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
    update_variable(step, i, mode, clip);
  }
  if (glk_takes_norms(step->optimizer)) {
    step->optimizer->norms[0] = glk_sqrt(total.free);
    step->optimizer->norms[1] = glk_sqrt(total.all);
  }
}

static void project_all(const glk_step *step) {
  for (uint32_t i = 0; i < step->count; i++) {
    const glk_variable_state *state = glk_step_state(step, i);
    glk_constraint_project(&state->constraint, glk_variable_state_locks(state), state->variable);
  }
}

glk_status glk_step_take(const glk_step *step) {
  glk_optimizer *optimizer = step->optimizer;
  int skips = 0;
  if (glk_has_hook(optimizer)) GLK_TRY(glk_hook_call(step, &skips));
  if (skips) {
    glk_accumulate_restart(optimizer);
    return GLK_OK;
  }
  for (uint32_t i = 0; i < step->count; i++) glk_step_state(step, i)->pages.is_used = 1;
  const int takes_step = glk_accumulate(step);
  if (takes_step) {
    if (glk_has_hook(optimizer)) glk_hook_write(step);
    update_all(step);
  }
  glk_average_step(step);
  project_all(step);
  if (!takes_step) return GLK_OK;
  glk_accumulate_restart(optimizer);
  optimizer->iterations++;
  glk_optimizer_sync_rate(optimizer);
  return GLK_OK;
}

/* After glk_step_begin, which visited the variables. */
static glk_status take_gradients(const glk_step *step, const glk_handle *gradients) {
  glk_context *context = step->context;
  for (uint32_t i = 0; i < step->count; i++) {
    glk_gradient_pair *pair = &step->pairs[i];
    const glk_variable *v = pair->variable;
    glk_tensor *gradient;
    GLK_TRY(glk_expect_value(context, gradients[i], "a gradient", &gradient));
    if (!glk_shape_equal(&gradient->shape, &v->tensor.shape)) {
      return glk_fail(context, GLK_ERROR_SHAPE,
                      "the gradient of variable '%s' has shape %S, expected %S", v->name,
                      &gradient->shape, &v->tensor.shape);
    }
    if (gradient->visit == context->visit) { /* it would change under the step that reads it */
      return glk_fail(context, GLK_ERROR_ARGUMENT,
                      "the gradient of variable '%s' is variable '%s', which the same step trains",
                      v->name, ((const glk_variable *)gradient)->name);
    }
    pair->single = (glk_piece){0, gradient->storage->count, gradient->storage->values};
    pair->pieces = &pair->single;
    pair->piece_count = 1;
  }
  return GLK_OK;
}

glk_status glk_optimizer_apply(glk_context *context, glk_handle optimizer,
                               const glk_handle *variables, const glk_handle *gradients,
                               uint32_t count) {
  glk_optimizer *o;
  glk_step step;
  GLK_REFUSE_IF(context, (count && (!variables || !gradients)));
  GLK_TRY(glk_require_idle(context, "training"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_step_begin(context, o, variables, count, &step));
  glk_status status = take_gradients(&step, gradients);
  if (status == GLK_OK) {
    glk_step_apply_policies(&step, 0);
    glk_step_apply_policies(&step, 1);
    status = glk_step_prepare(&step, 1);
    if (status == GLK_OK) status = glk_step_take(&step);
    glk_step_settle_policies(&step, status);
  }
  glk_step_end(&step);
  return status;
}
