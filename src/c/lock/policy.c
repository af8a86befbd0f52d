/* Lock policies: they change holders during training, before a step, and are rolled back if the
 * step fails. */
#include "lock/policy.h"

#include <string.h>

#include "core/memory.h"
#include "lock/locks.h"
#include "lock/select_by_value.h"
#include "lock/variable.h"

glk_status glk_policy_check(glk_context *context, const glk_policy *policy,
                            const glk_shape *shape) {
  glk_choice last = policy->choice;
  GLK_TRY(glk_choice_check(context, &policy->choice, shape->count));
  if (policy->over) {
    last.amount = policy->to;
    GLK_TRY(glk_choice_check(context, &last, shape->count));
  }
  if (policy->every) return GLK_OK;
  return glk_fail(context, GLK_ERROR_OPTION, "every is 0, expected a number of steps from 1 up");
}

/* Get memory for a policy's selection, in a holder that may be new. */
static glk_status make_policy(glk_context *context, glk_variable *v, const char *name,
                              void **out_next, glk_holder **out) {
  GLK_TRY(glk_allocate(context, v->locks.word_count, sizeof(uint32_t), out_next));
  const glk_status status = glk_holder_make(context, &v->holders, &v->locks, name, out);
  if (status != GLK_OK) glk_release(context, *out_next, v->locks.word_count, sizeof(uint32_t));
  return status;
}

glk_status glk_holder_policy(glk_context *context, glk_handle variable, const char *name,
                             const glk_policy *policy) {
  glk_variable *v;
  glk_holder *holder;
  void *next;
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_holder_check_name(context, name));
  if (!policy) {
    holder = glk_holder_find(v->holders, name);
    if (!holder) return GLK_OK;
    glk_holder_clear_policy(context, holder);
    glk_holder_drop_unused(context, v->holders, holder);
    v->locks.version = ++context->lock_version;
    return GLK_OK;
  }
  GLK_TRY(glk_policy_check(context, policy, &v->locks.shape));
  GLK_TRY(make_policy(context, v, name, &next, &holder));
  glk_holder_clear_policy(context, holder);
  holder->next = next;
  holder->policy = *policy;
  holder->steps = policy->step;
  v->locks.version = ++context->lock_version;
  return GLK_OK;
}

static glk_status copy_stages(glk_context *context, const glk_lockset *locks, const uint32_t *steps,
                              const glk_handle *sets, uint32_t count, glk_stage *stages) {
  for (uint32_t i = 0; i < count; i++) {
    glk_lockset *set;
    void *words;
    if (i && steps[i] <= steps[i - 1]) {
      return glk_fail(context, GLK_ERROR_OPTION, "step %u comes after step %u: steps must ascend",
                      steps[i], steps[i - 1]);
    }
    GLK_TRY(glk_expect_locks(context, sets[i], "a lock set of the schedule", &set));
    GLK_TRY(glk_lockset_check(context, locks, GLK_LOCKS_SET, set));
    GLK_TRY(glk_allocate(context, set->word_count, sizeof(uint32_t), &words));
    memcpy(words, set->words, set->word_count * sizeof(uint32_t));
    stages[i] = (glk_stage){steps[i], words};
  }
  return GLK_OK;
}

glk_status glk_holder_schedule(glk_context *context, glk_handle variable, const char *name,
                               const uint32_t *steps, const glk_handle *sets, uint32_t count,
                               uint32_t step) {
  GLK_REFUSE_IF(context, !count || !steps || !sets);
  glk_variable *v;
  glk_holder made = {.set = {.words = NULL}}, *holder;
  void *stages, *next;
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_holder_check_name(context, name));
  GLK_TRY(glk_allocate(context, count, sizeof(glk_stage), &stages));
  made.set.word_count = v->locks.word_count;
  made.stages = stages;
  made.stage_count = count;
  glk_status status = copy_stages(context, &v->locks, steps, sets, count, made.stages);
  if (status == GLK_OK) status = make_policy(context, v, name, &next, &holder);
  if (status != GLK_OK) {
    glk_holder_clear_policy(context, &made);
    return status;
  }
  glk_holder_clear_policy(context, holder);
  holder->next = next;
  holder->stages = made.stages;
  holder->stage_count = count;
  holder->policy = (glk_policy){.every = 1, .step = step};
  holder->steps = step;
  v->locks.version = ++context->lock_version;
  return GLK_OK;
}

glk_status glk_holder_steps(const glk_context *context, glk_handle variable, const char *name,
                            uint32_t *out) {
  GLK_REFUSE_IF(context, !out || !name);
  glk_variable *v;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  const glk_holder *holder = glk_holder_find(v->holders, name);
  *out = holder && holder->next ? holder->steps : 0;
  return GLK_OK;
}

static int looks_at_gradient(const glk_holder *holder) {
  const glk_choice *choice = &holder->policy.choice;
  return !holder->stages && choice->by == GLK_BY_GRADIENT && !glk_choice_is_random(choice);
}

static int is_due(const glk_holder *holder) {
  return holder->next && !holder->is_applied && holder->steps % holder->policy.every == 0;
}

int glk_policies_exist(const glk_holders *holders) {
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    if (holders->items[i].next) return 1;
  }
  return 0;
}

int glk_policies_need_gradient(const glk_holders *holders) {
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    if (is_due(&holders->items[i]) && looks_at_gradient(&holders->items[i])) return 1;
  }
  return 0;
}

/* The choice of a step: its amount on the way from the first to the last, its draw the next. */
static glk_choice choice_of(const glk_holder *holder) {
  const glk_policy *policy = &holder->policy;
  glk_choice choice = policy->choice;
  choice.draw += holder->steps / policy->every;
  if (!policy->over) return choice;
  const double part = holder->steps < policy->over ? (double)holder->steps / policy->over : 1;
  choice.amount += (policy->to - choice.amount) * part;
  if (part == 1) choice.amount = policy->to;
  if (!choice.is_fraction) choice.amount = (uint32_t)(choice.amount + 0.5);
  return choice;
}

/* Write the holder's next locks to `next`; returns 0 if they do not change. */
static int decide(glk_holder *holder, const glk_real *values) {
  const glk_lockset *set = &holder->set;
  const size_t bytes = set->word_count * sizeof(uint32_t);
  if (holder->stages) {
    uint32_t stage = holder->stage_count;
    while (stage && holder->stages[stage - 1].step > holder->steps) stage--;
    if (!stage) return 0;
    memcpy(holder->next, holder->stages[stage - 1].words, bytes);
  } else {
    const glk_choice choice = choice_of(holder);
    memset(holder->next, 0, bytes);
    glk_choice_add(&choice, &(glk_candidates){values, set->shape.count, holder->next}, 1);
    for (uint32_t w = 0; holder->policy.is_inverted && w < set->word_count; w++) {
      holder->next[w] = ~holder->next[w];
    }
    glk_lockset_pad(&set->shape, holder->next);
  }
  return memcmp(holder->next, set->words, bytes) != 0;
}

/* Swap a holder's locks and its policy's selection. */
static void swap(glk_context *context, glk_holder *holder) {
  uint32_t *words = holder->set.words;
  holder->set.words = holder->next;
  holder->next = words;
  holder->is_applied ^= 1;
  glk_lockset_changed(context, &holder->set);
}

int glk_policies_apply(glk_context *context, glk_holders *holders, const glk_real *values,
                       const glk_real *gradient) {
  int changed = 0;
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    glk_holder *holder = &holders->items[i];
    if (!is_due(holder) || looks_at_gradient(holder) != (gradient != NULL)) continue;
    if (!decide(holder, gradient ? gradient : values)) continue;
    swap(context, holder);
    changed = 1;
  }
  return changed;
}

void glk_policies_rollback(glk_context *context, glk_holders *holders) {
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    if (holders->items[i].is_applied) swap(context, &holders->items[i]);
  }
}

void glk_policies_commit(glk_holders *holders) {
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    glk_holder *holder = &holders->items[i];
    holder->is_applied = 0;
    if (holder->next && holder->steps < UINT32_MAX) holder->steps++;
  }
}
