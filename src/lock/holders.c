/* Holders are kept beside the lock set they make up, and policies beside their holder. Whoever trains asks policies to turn
 * before a step; a step that is not taken undoes that. */
#include "lock/holders.h"

#include <string.h>

#include "core/memory.h"
#include "lock/choose.h"
#include "lock/variable.h"

/* ------------------------------------------------------------------------------------------- memory */

static void free_policy(glk_context *context, glk_holder *holder) {
  const uint32_t words = holder->set.word_count;
  glk_release(context, holder->next, words, sizeof(uint32_t));
  for (uint32_t i = 0; i < holder->stage_count; i++) {
    glk_release(context, holder->stages[i].words, words, sizeof(uint32_t));
  }
  glk_release(context, holder->stages, holder->stage_count, sizeof *holder->stages);
  holder->next = NULL;
  holder->stages = NULL;
  holder->stage_count = 0;
}

static void free_holder(glk_context *context, glk_holder *holder) {
  free_policy(context, holder);
  glk_lockset_free(context, &holder->set);
}

void glk_holders_free(glk_context *context, glk_holders *holders) {
  if (!holders) return;
  for (uint32_t i = 0; i < holders->count; i++) free_holder(context, &holders->items[i]);
  glk_release(context, holders->items, holders->capacity, sizeof *holders->items);
  glk_lockset_free(context, &holders->own);
  glk_release(context, holders, 1, sizeof *holders);
}

void glk_holders_merge(glk_context *context, glk_holders *holders) {
  glk_lockset *effective = holders->effective;
  memcpy(effective->words, holders->own.words, effective->word_count * sizeof(uint32_t));
  for (uint32_t i = 0; i < holders->count; i++) {
    const uint32_t *words = holders->items[i].set.words;
    for (uint32_t w = 0; w < effective->word_count; w++) effective->words[w] |= words[w];
  }
  glk_lockset_changed(context, effective);
}

/* The holders of a lock set that had none; what is locked becomes the default holder. */
static glk_status make_holders(glk_context *context, glk_lockset *effective) {
  void *memory;
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_holders), &memory));
  glk_holders *holders = memory;
  const glk_status status = glk_lockset_init(context, &effective->shape, &holders->own);
  if (status != GLK_OK) {
    glk_release(context, memory, 1, sizeof *holders);
    return status;
  }
  glk_lockset_combine(&holders->own, GLK_LOCKS_SET, effective);
  glk_lockset_changed(context, &holders->own);
  holders->own.holders = holders;
  holders->effective = effective;
  effective->holders = holders;
  return GLK_OK;
}

static glk_status check_name(glk_context *context, const char *name) {
  const size_t bytes = name ? strlen(name) : 0;
  if (bytes > 0 && bytes < GLK_NAME_BYTES) return GLK_OK;
  return glk_fail(context, GLK_ERROR_ARGUMENT, "a holder's name has 1 to %u bytes, not %z",
                  (uint32_t)GLK_NAME_BYTES - 1, bytes);
}

/* A holder by its name, or NULL. */
static glk_holder *find_holder(const glk_variable *v, const char *name) {
  const glk_holders *holders = v->locks.holders;
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    if (!strcmp(holders->items[i].name, name)) return &holders->items[i];
  }
  return NULL;
}

/* A holder by its name, made if there is none. An empty one that is left behind by a failure is taken away by
 * drop_unused. */
static glk_status expect_holder(glk_context *context, glk_variable *v, const char *name,
                                glk_holder **out) {
  *out = find_holder(v, name);
  if (*out) return GLK_OK;
  if (!v->locks.holders) GLK_TRY(make_holders(context, &v->locks));
  glk_holders *holders = v->locks.holders;
  void *items = holders->items;
  const glk_status status =
      glk_reserve(context, &items, &holders->capacity, holders->count + 1, sizeof *holders->items);
  holders->items = items;
  if (status != GLK_OK) return status;
  glk_holder *holder = &holders->items[holders->count];
  *holder = (glk_holder){{0}, {.words = NULL}, NULL, 0, {.every = 0}, NULL, 0, 0};
  GLK_TRY(glk_lockset_init(context, &v->locks.shape, &holder->set));
  memcpy(holder->name, name, strlen(name));
  holder->set.holders = holders;
  holders->count++;
  *out = holder;
  return GLK_OK;
}

/* A holder that holds nothing and has no policy goes. */
static void drop_unused(glk_context *context, glk_holders *holders, glk_holder *holder) {
  if (holder->set.locked || holder->next) return;
  free_holder(context, holder);
  const size_t behind = (size_t)(holders->items + holders->count - (holder + 1));
  memmove(holder, holder + 1, behind * sizeof *holder);
  holders->count--;
}

/* ------------------------------------------------------------------------------------------- holders */

glk_status glk_holder_combine(glk_context *context, glk_handle variable, const char *name,
                              glk_locks_op op, glk_handle source) {
  GLK_REFUSE_IF(context, 0);
  glk_variable *v;
  glk_lockset *other;
  glk_holder *holder;
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(check_name(context, name));
  GLK_TRY(glk_expect_locks(context, source, "the other lock set", &other));
  GLK_TRY(glk_lockset_check(context, &v->locks, op, other));
  GLK_TRY(expect_holder(context, v, name, &holder));
  glk_lockset_combine(&holder->set, op, other);
  glk_lockset_changed(context, &holder->set);
  drop_unused(context, v->locks.holders, holder);
  return GLK_OK;
}

glk_status glk_holder_copy(glk_context *context, glk_handle variable, const char *name,
                           glk_handle *out) {
  GLK_REFUSE_IF(context, !out || !name);
  glk_variable *v;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  const glk_holder *holder = find_holder(v, name);
  const glk_lockset *own = v->locks.holders ? &v->locks.holders->own : &v->locks;
  return glk_locks_make(context, &v->locks.shape, holder ? &holder->set : *name ? NULL : own, out);
}

glk_status glk_holder_name(const glk_context *context, glk_handle variable, uint32_t index,
                           const char **out) {
  GLK_REFUSE_IF(context, !out);
  glk_context *messages = (glk_context *)context;
  glk_variable *v;
  GLK_TRY(glk_expect_variable(messages, variable, "the variable", &v));
  const uint32_t count = v->locks.holders ? v->locks.holders->count : 0;
  if (index >= count) {
    return glk_fail(messages, GLK_ERROR_INDEX, "holder %u of %u", index, count);
  }
  *out = v->locks.holders->items[index].name;
  return GLK_OK;
}

/* ----------------------------------------------------------------------------------------- policies */

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

/* Room for what a policy will say, in a holder that may be new. */
static glk_status make_policy(glk_context *context, glk_variable *v, const char *name,
                              void **out_next, glk_holder **out) {
  GLK_TRY(glk_allocate(context, v->locks.word_count, sizeof(uint32_t), out_next));
  const glk_status status = expect_holder(context, v, name, out);
  if (status != GLK_OK) glk_release(context, *out_next, v->locks.word_count, sizeof(uint32_t));
  return status;
}

glk_status glk_holder_policy(glk_context *context, glk_handle variable, const char *name,
                             const glk_policy *policy) {
  GLK_REFUSE_IF(context, 0);
  glk_variable *v;
  glk_holder *holder;
  void *next;
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(check_name(context, name));
  if (!policy) {
    holder = find_holder(v, name);
    if (!holder) return GLK_OK;
    free_policy(context, holder);
    drop_unused(context, v->locks.holders, holder);
    return GLK_OK;
  }
  GLK_TRY(glk_policy_check(context, policy, &v->locks.shape));
  GLK_TRY(make_policy(context, v, name, &next, &holder));
  free_policy(context, holder);
  holder->next = next;
  holder->policy = *policy;
  holder->steps = policy->step;
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
  GLK_TRY(check_name(context, name));
  GLK_TRY(glk_allocate(context, count, sizeof(glk_stage), &stages));
  made.set.word_count = v->locks.word_count;
  made.stages = stages;
  made.stage_count = count;
  glk_status status = copy_stages(context, &v->locks, steps, sets, count, made.stages);
  if (status == GLK_OK) status = make_policy(context, v, name, &next, &holder);
  if (status != GLK_OK) {
    free_policy(context, &made);
    return status;
  }
  free_policy(context, holder);
  holder->next = next;
  holder->stages = made.stages;
  holder->stage_count = count;
  holder->policy = (glk_policy){.every = 1, .step = step};
  holder->steps = step;
  return GLK_OK;
}

glk_status glk_holder_steps(const glk_context *context, glk_handle variable, const char *name,
                            uint32_t *out) {
  GLK_REFUSE_IF(context, !out || !name);
  glk_variable *v;
  GLK_TRY(glk_expect_variable((glk_context *)context, variable, "the variable", &v));
  const glk_holder *holder = find_holder(v, name);
  *out = holder && holder->next ? holder->steps : 0;
  return GLK_OK;
}

/* ------------------------------------------------------------------------------- policies in training */

static int looks_at_gradient(const glk_holder *holder) {
  const glk_choice *choice = &holder->policy.choice;
  return !holder->stages && choice->by == GLK_BY_GRADIENT && !glk_choice_is_random(choice);
}

static int is_due(const glk_holder *holder) {
  return holder->next && !holder->is_turned && holder->steps % holder->policy.every == 0;
}

int glk_holders_have_policy(const glk_holders *holders) {
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    if (holders->items[i].next) return 1;
  }
  return 0;
}

int glk_holders_want_gradient(const glk_holders *holders) {
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

/* Write to `next` what the holder is to hold; 0 if it stays as it is. */
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
    glk_choice_add(&choice, &(glk_chosen){values, set->shape.count, holder->next}, 1);
    for (uint32_t w = 0; holder->policy.is_inverted && w < set->word_count; w++) {
      holder->next[w] = ~holder->next[w];
    }
    glk_lockset_pad(&set->shape, holder->next);
  }
  return memcmp(holder->next, set->words, bytes) != 0;
}

/* Exchange what a holder holds for what its policy says, or back. */
static void swap(glk_context *context, glk_holder *holder) {
  uint32_t *words = holder->set.words;
  holder->set.words = holder->next;
  holder->next = words;
  holder->is_turned ^= 1;
  glk_lockset_changed(context, &holder->set);
}

int glk_holders_turn(glk_context *context, glk_holders *holders, const glk_real *values,
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

void glk_holders_undo(glk_context *context, glk_holders *holders) {
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    if (holders->items[i].is_turned) swap(context, &holders->items[i]);
  }
}

void glk_holders_advance(glk_holders *holders) {
  for (uint32_t i = 0; holders && i < holders->count; i++) {
    glk_holder *holder = &holders->items[i];
    holder->is_turned = 0;
    if (holder->next && holder->steps < UINT32_MAX) holder->steps++;
  }
}
