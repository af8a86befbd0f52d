/* Layers are kept beside the lock set they make up, and policies beside their layer. Whoever trains asks policies to turn
 * before a step; a step that is not taken undoes that. */
#include "lock/layers.h"

#include <string.h>

#include "core/memory.h"
#include "lock/choose.h"
#include "lock/variable.h"

/* ------------------------------------------------------------------------------------------- memory */

static void free_policy(glk_context *context, glk_layer *layer) {
  const uint32_t words = layer->set.word_count;
  glk_release(context, layer->next, words, sizeof(uint32_t));
  for (uint32_t i = 0; i < layer->stage_count; i++) {
    glk_release(context, layer->stages[i].words, words, sizeof(uint32_t));
  }
  glk_release(context, layer->stages, layer->stage_count, sizeof *layer->stages);
  layer->next = NULL;
  layer->stages = NULL;
  layer->stage_count = 0;
}

static void free_layer(glk_context *context, glk_layer *layer) {
  free_policy(context, layer);
  glk_lockset_free(context, &layer->set);
}

void glk_layers_free(glk_context *context, glk_layers *layers) {
  if (!layers) return;
  for (uint32_t i = 0; i < layers->count; i++) free_layer(context, &layers->items[i]);
  glk_release(context, layers->items, layers->capacity, sizeof *layers->items);
  glk_lockset_free(context, &layers->own);
  glk_release(context, layers, 1, sizeof *layers);
}

void glk_layers_merge(glk_context *context, glk_layers *layers) {
  glk_lockset *effective = layers->effective;
  memcpy(effective->words, layers->own.words, effective->word_count * sizeof(uint32_t));
  for (uint32_t i = 0; i < layers->count; i++) {
    const uint32_t *words = layers->items[i].set.words;
    for (uint32_t w = 0; w < effective->word_count; w++) effective->words[w] |= words[w];
  }
  glk_lockset_changed(context, effective);
}

/* The layers of a lock set that had none; what is locked becomes the default layer. */
static glk_status make_layers(glk_context *context, glk_lockset *effective) {
  void *memory;
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_layers), &memory));
  glk_layers *layers = memory;
  const glk_status status = glk_lockset_init(context, &effective->shape, &layers->own);
  if (status != GLK_OK) {
    glk_release(context, memory, 1, sizeof *layers);
    return status;
  }
  glk_lockset_combine(&layers->own, GLK_LOCKS_SET, effective);
  glk_lockset_changed(context, &layers->own);
  layers->own.layers = layers;
  layers->effective = effective;
  effective->layers = layers;
  return GLK_OK;
}

static glk_status check_name(glk_context *context, const char *name) {
  const size_t bytes = name ? strlen(name) : 0;
  if (bytes > 0 && bytes < GLK_NAME_BYTES) return GLK_OK;
  return glk_fail(context, GLK_ERROR_ARGUMENT, "a layer's name has 1 to %u bytes, not %z",
                  (uint32_t)GLK_NAME_BYTES - 1, bytes);
}

/* A layer by its name, or NULL. */
static glk_layer *find_layer(const glk_variable *v, const char *name) {
  const glk_layers *layers = v->locks.layers;
  for (uint32_t i = 0; layers && i < layers->count; i++) {
    if (!strcmp(layers->items[i].name, name)) return &layers->items[i];
  }
  return NULL;
}

/* A layer by its name, made if there is none. An empty one that is left behind by a failure is taken away by
 * drop_unused. */
static glk_status expect_layer(glk_context *context, glk_variable *v, const char *name,
                               glk_layer **out) {
  *out = find_layer(v, name);
  if (*out) return GLK_OK;
  if (!v->locks.layers) GLK_TRY(make_layers(context, &v->locks));
  glk_layers *layers = v->locks.layers;
  void *items = layers->items;
  const glk_status status =
      glk_reserve(context, &items, &layers->capacity, layers->count + 1, sizeof *layers->items);
  layers->items = items;
  if (status != GLK_OK) return status;
  glk_layer *layer = &layers->items[layers->count];
  *layer = (glk_layer){{0}, {.words = NULL}, NULL, 0, {.every = 0}, NULL, 0, 0};
  GLK_TRY(glk_lockset_init(context, &v->locks.shape, &layer->set));
  memcpy(layer->name, name, strlen(name));
  layer->set.layers = layers;
  layers->count++;
  *out = layer;
  return GLK_OK;
}

/* A layer that holds nothing and has no policy goes. */
static void drop_unused(glk_context *context, glk_layers *layers, glk_layer *layer) {
  if (layer->set.locked || layer->next) return;
  free_layer(context, layer);
  const size_t behind = (size_t)(layers->items + layers->count - (layer + 1));
  memmove(layer, layer + 1, behind * sizeof *layer);
  layers->count--;
}

/* ------------------------------------------------------------------------------------------- layers */

glk_status glk_layer_combine(glk_context *context, glk_handle variable, const char *name,
                             glk_locks_op op, glk_handle source) {
  GLK_REFUSE_IF(context, 0);
  glk_variable *v;
  glk_lockset *other;
  glk_layer *layer;
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(check_name(context, name));
  GLK_TRY(glk_expect_locks(context, source, "the other lock set", &other));
  GLK_TRY(glk_lockset_check(context, &v->locks, op, other));
  GLK_TRY(expect_layer(context, v, name, &layer));
  glk_lockset_combine(&layer->set, op, other);
  glk_lockset_changed(context, &layer->set);
  drop_unused(context, v->locks.layers, layer);
  return GLK_OK;
}

glk_status glk_layer_copy(glk_context *context, glk_handle variable, const char *name,
                          glk_handle *out) {
  GLK_REFUSE_IF(context, !out || !name);
  glk_variable *v;
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  const glk_layer *layer = find_layer(v, name);
  const glk_lockset *own = v->locks.layers ? &v->locks.layers->own : &v->locks;
  return glk_locks_make(context, &v->locks.shape, layer ? &layer->set : *name ? NULL : own, out);
}

glk_status glk_layer_name(const glk_context *context, glk_handle variable, uint32_t index,
                          const char **out) {
  GLK_REFUSE_IF(context, !out);
  glk_context *messages = (glk_context *)context;
  glk_variable *v;
  GLK_TRY(glk_expect_variable(messages, variable, "the variable", &v));
  const uint32_t count = v->locks.layers ? v->locks.layers->count : 0;
  if (index >= count) {
    return glk_fail(messages, GLK_ERROR_INDEX, "layer %u of %u", index, count);
  }
  *out = v->locks.layers->items[index].name;
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

/* Room for what a policy will say, in a layer that may be new. */
static glk_status make_policy(glk_context *context, glk_variable *v, const char *name,
                              void **out_next, glk_layer **out) {
  GLK_TRY(glk_allocate(context, v->locks.word_count, sizeof(uint32_t), out_next));
  const glk_status status = expect_layer(context, v, name, out);
  if (status != GLK_OK) glk_release(context, *out_next, v->locks.word_count, sizeof(uint32_t));
  return status;
}

glk_status glk_layer_policy(glk_context *context, glk_handle variable, const char *name,
                            const glk_policy *policy) {
  GLK_REFUSE_IF(context, 0);
  glk_variable *v;
  glk_layer *layer;
  void *next;
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(check_name(context, name));
  if (!policy) {
    layer = find_layer(v, name);
    if (!layer) return GLK_OK;
    free_policy(context, layer);
    drop_unused(context, v->locks.layers, layer);
    return GLK_OK;
  }
  GLK_TRY(glk_policy_check(context, policy, &v->locks.shape));
  GLK_TRY(make_policy(context, v, name, &next, &layer));
  free_policy(context, layer);
  layer->next = next;
  layer->policy = *policy;
  layer->steps = policy->step;
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

glk_status glk_layer_schedule(glk_context *context, glk_handle variable, const char *name,
                              const uint32_t *steps, const glk_handle *sets, uint32_t count,
                              uint32_t step) {
  GLK_REFUSE_IF(context, !count || !steps || !sets);
  glk_variable *v;
  glk_layer made = {.set = {.words = NULL}}, *layer;
  void *stages, *next;
  GLK_TRY(glk_require_idle(context, "changing locks"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(check_name(context, name));
  GLK_TRY(glk_allocate(context, count, sizeof(glk_stage), &stages));
  made.set.word_count = v->locks.word_count;
  made.stages = stages;
  made.stage_count = count;
  glk_status status = copy_stages(context, &v->locks, steps, sets, count, made.stages);
  if (status == GLK_OK) status = make_policy(context, v, name, &next, &layer);
  if (status != GLK_OK) {
    free_policy(context, &made);
    return status;
  }
  free_policy(context, layer);
  layer->next = next;
  layer->stages = made.stages;
  layer->stage_count = count;
  layer->policy = (glk_policy){.every = 1, .step = step};
  layer->steps = step;
  return GLK_OK;
}

glk_status glk_layer_steps(const glk_context *context, glk_handle variable, const char *name,
                           uint32_t *out) {
  GLK_REFUSE_IF(context, !out || !name);
  glk_variable *v;
  GLK_TRY(glk_expect_variable((glk_context *)context, variable, "the variable", &v));
  const glk_layer *layer = find_layer(v, name);
  *out = layer && layer->next ? layer->steps : 0;
  return GLK_OK;
}

/* ------------------------------------------------------------------------------- policies in training */

static int looks_at_gradient(const glk_layer *layer) {
  const glk_choice *choice = &layer->policy.choice;
  return !layer->stages && choice->by == GLK_BY_GRADIENT && !glk_choice_is_random(choice);
}

static int is_due(const glk_layer *layer) {
  return layer->next && !layer->is_turned && layer->steps % layer->policy.every == 0;
}

int glk_layers_have_policy(const glk_layers *layers) {
  for (uint32_t i = 0; layers && i < layers->count; i++) {
    if (layers->items[i].next) return 1;
  }
  return 0;
}

int glk_layers_want_gradient(const glk_layers *layers) {
  for (uint32_t i = 0; layers && i < layers->count; i++) {
    if (is_due(&layers->items[i]) && looks_at_gradient(&layers->items[i])) return 1;
  }
  return 0;
}

/* The choice of a step: its amount on the way from the first to the last, its draw the next. */
static glk_choice choice_of(const glk_layer *layer) {
  const glk_policy *policy = &layer->policy;
  glk_choice choice = policy->choice;
  choice.draw += layer->steps / policy->every;
  if (!policy->over) return choice;
  const double part = layer->steps < policy->over ? (double)layer->steps / policy->over : 1;
  choice.amount += (policy->to - choice.amount) * part;
  if (part == 1) choice.amount = policy->to;
  if (!choice.is_fraction) choice.amount = (uint32_t)(choice.amount + 0.5);
  return choice;
}

/* Write to `next` what the layer is to hold; 0 if it stays as it is. */
static int decide(glk_layer *layer, const glk_real *values) {
  const glk_lockset *set = &layer->set;
  const size_t bytes = set->word_count * sizeof(uint32_t);
  if (layer->stages) {
    uint32_t stage = layer->stage_count;
    while (stage && layer->stages[stage - 1].step > layer->steps) stage--;
    if (!stage) return 0;
    memcpy(layer->next, layer->stages[stage - 1].words, bytes);
  } else {
    const glk_choice choice = choice_of(layer);
    memset(layer->next, 0, bytes);
    glk_choice_add(&choice, &(glk_chosen){values, set->shape.count, layer->next}, 1);
    for (uint32_t w = 0; layer->policy.is_inverted && w < set->word_count; w++) {
      layer->next[w] = ~layer->next[w];
    }
    glk_lockset_pad(&set->shape, layer->next);
  }
  return memcmp(layer->next, set->words, bytes) != 0;
}

/* Exchange what a layer holds for what its policy says, or back. */
static void swap(glk_context *context, glk_layer *layer) {
  uint32_t *words = layer->set.words;
  layer->set.words = layer->next;
  layer->next = words;
  layer->is_turned ^= 1;
  glk_lockset_changed(context, &layer->set);
}

int glk_layers_turn(glk_context *context, glk_layers *layers, const glk_real *values,
                    const glk_real *gradient) {
  int changed = 0;
  for (uint32_t i = 0; layers && i < layers->count; i++) {
    glk_layer *layer = &layers->items[i];
    if (!is_due(layer) || looks_at_gradient(layer) != (gradient != NULL)) continue;
    if (!decide(layer, gradient ? gradient : values)) continue;
    swap(context, layer);
    changed = 1;
  }
  return changed;
}

void glk_layers_undo(glk_context *context, glk_layers *layers) {
  for (uint32_t i = 0; layers && i < layers->count; i++) {
    if (layers->items[i].is_turned) swap(context, &layers->items[i]);
  }
}

void glk_layers_advance(glk_layers *layers) {
  for (uint32_t i = 0; layers && i < layers->count; i++) {
    glk_layer *layer = &layers->items[i];
    layer->is_turned = 0;
    if (layer->next && layer->steps < UINT32_MAX) layer->steps++;
  }
}
