/* Optimizers: the list of update rules, options and schedules, and the functions that read them. */
#include "optim/optimizer.h"

#include <string.h>

#include "core/memory.h"

#define GLK_RULE_ROW(id, row) [GLK_##id] = &glk_rule_##row,
static const glk_rule_row *const rules[GLK_RULE_COUNT] = {GLK_RULES(GLK_RULE_ROW)};
#undef GLK_RULE_ROW

static int is_rule(glk_rule rule) { return (int)rule >= 0 && rule < GLK_RULE_COUNT; }

glk_status glk_rule_describe(glk_rule rule, const char **out_name, uint32_t *out_slots,
                             uint32_t *out_options) {
  if (!is_rule(rule)) return GLK_ERROR_ARGUMENT;
  if (out_name) *out_name = rules[rule]->name;
  if (out_slots) *out_slots = rules[rule]->slot_count;
  if (out_options) *out_options = rules[rule]->option_count;
  return GLK_OK;
}

glk_status glk_rule_slot_name(glk_rule rule, uint32_t slot, const char **out) {
  if (!is_rule(rule) || slot >= rules[rule]->slot_count || !out) return GLK_ERROR_ARGUMENT;
  *out = rules[rule]->slots[slot];
  return GLK_OK;
}

glk_status glk_rule_option(glk_rule rule, uint32_t option, glk_option_info *out) {
  if (!is_rule(rule) || option >= rules[rule]->option_count || !out) return GLK_ERROR_ARGUMENT;
  *out = rules[rule]->options[option];
  return GLK_OK;
}

static void destroy_optimizer(glk_context *context, glk_object *object) {
  glk_optimizer *optimizer = (glk_optimizer *)object;
  glk_variable_states_free(context, &optimizer->states);
#ifndef GLK_TINY
  glk_release(context, optimizer->hook.memory, optimizer->hook.count, sizeof(glk_real));
#endif
  glk_release(context, optimizer, 1, sizeof *optimizer);
}

glk_option_table glk_optimizer_options(const glk_optimizer *optimizer) {
  const glk_rule_row *rule = optimizer->rule;
  const uint32_t whole = 1 << GLK_OPTION_EMA_OVERWRITE | 1 << GLK_OPTION_ACCUMULATION_STEPS;
  return (glk_option_table){rule->name, rule->options, rule->option_count, whole};
}

glk_status glk_optimizer_create(glk_context *context, glk_rule rule, glk_handle *out) {
  GLK_REFUSE_IF(context, !out);
  if (!is_rule(rule)) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "there is no rule %u", (uint32_t)rule);
  }
  glk_optimizer *optimizer;
  GLK_TRY(glk_allocate(context, 1, sizeof(glk_optimizer), &optimizer));
  optimizer->object = (glk_object){GLK_KIND_OPTIMIZER, 1, 0, destroy_optimizer};
  optimizer->rule = rules[rule];
  const glk_option_table table = glk_optimizer_options(optimizer);
  glk_options_init(&table, optimizer->options);
  return glk_publish(context, &optimizer->object, out);
}

glk_status glk_expect_optimizer(const glk_context *context, glk_handle handle,
                                glk_optimizer **out) {
  glk_object *object;
  GLK_TRY(glk_expect(context, handle, GLK_KIND_OPTIMIZER, "the optimizer", &object));
  *out = (glk_optimizer *)object;
  return GLK_OK;
}

/* At most one way of clipping, as in Keras: their order would be a guess. */
glk_status glk_optimizer_check(glk_context *context, const glk_rule_row *rule,
                               const double *options) {
  const int clip_count = (options[GLK_OPTION_CLIP_NORM] != 0) +
                         (options[GLK_OPTION_GLOBAL_CLIP_NORM] != 0) +
                         (options[GLK_OPTION_CLIP_VALUE] != 0);
  if (clip_count <= 1) return GLK_OK;
  return glk_fail(context, GLK_ERROR_OPTION,
                  "%s: at most one of clipNorm, globalClipNorm and clipValue may be set (0 is off)",
                  rule->name);
}

glk_status glk_optimizer_set(glk_context *context, glk_handle optimizer, const char *const *names,
                             const double *values, uint32_t count) {
  glk_optimizer *o;
  GLK_REFUSE_IF(context, (count && (!names || !values)));
  GLK_TRY(glk_check_not_in_hook(context, "setting an option"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  double options[GLK_MAX_OPTIONS];
  memcpy(options, o->options, sizeof options);
  const glk_option_table table = glk_optimizer_options(o);
  GLK_TRY(glk_options_set(context, &table, names, values, count, options));
  GLK_TRY(glk_optimizer_check(context, o->rule, options));
  memcpy(o->options, options, sizeof options);
  for (uint32_t i = 0; i < count; i++) {
    const int is_rate = !strcmp(names[i], o->rule->options[GLK_OPTION_LEARNING_RATE].name);
    if (is_rate && o->schedule.kind != GLK_OWN_SCHEDULE) o->schedule.kind = GLK_CONSTANT;
  }
  return GLK_OK;
}

void glk_optimizer_sync_rate(glk_optimizer *optimizer) {
  const glk_rate_schedule *schedule = &optimizer->schedule;
  if (schedule->kind == GLK_CONSTANT || schedule->kind == GLK_OWN_SCHEDULE) return;
  optimizer->options[GLK_OPTION_LEARNING_RATE] =
      glk_rate_schedule_at(schedule, optimizer->iterations);
}

glk_status glk_optimizer_schedule(glk_context *context, glk_handle optimizer, glk_schedule kind,
                                  const double *numbers, uint32_t count) {
  glk_optimizer *o;
  GLK_REFUSE_IF(context, (count && !numbers));
  GLK_TRY(glk_require_idle(context, "changing the learning rate"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_rate_schedule_make(context, kind, numbers, count, &o->schedule));
  if (kind == GLK_CONSTANT) o->options[GLK_OPTION_LEARNING_RATE] = numbers[0];
  glk_optimizer_sync_rate(o);
  return GLK_OK;
}

glk_status glk_optimizer_scheduled(const glk_context *context, glk_handle optimizer,
                                   uint32_t *out_kind, double *out, uint32_t *out_count) {
  glk_optimizer *o;
  GLK_REFUSE_IF(context, !out_kind || !out || !out_count);
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  const int is_constant = o->schedule.kind == GLK_CONSTANT;
  *out_kind = o->schedule.kind;
  *out_count = is_constant ? 1 : o->schedule.count;
  memcpy(out, is_constant ? o->options : o->schedule.numbers, *out_count * sizeof *out);
  return GLK_OK;
}

glk_status glk_optimizer_get(const glk_context *context, glk_handle optimizer, const char *name,
                             double *out) {
  glk_optimizer *o;
  uint32_t option;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  const glk_option_table table = glk_optimizer_options(o);
  GLK_TRY(glk_options_find(context, &table, name, &option));
  *out = o->options[option];
  return GLK_OK;
}

glk_status glk_optimizer_iterations(const glk_context *context, glk_handle optimizer, double *out) {
  glk_optimizer *o;
  GLK_REFUSE_IF(context, !out);
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  *out = o->iterations;
  return GLK_OK;
}

glk_status glk_optimizer_norms(const glk_context *context, glk_handle optimizer, double *out_free,
                               double *out_all) {
  glk_optimizer *o;
  GLK_REFUSE_IF(context, 0);
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  if (out_free) *out_free = o->norms[0];
  if (out_all) *out_all = o->norms[1];
  return GLK_OK;
}

/* The optimizer's state of a variable, NULL before the first step. Checks the element count of the
 * caller's array. */
static glk_status expect_state(const glk_context *context, glk_handle optimizer,
                               glk_handle variable, size_t count, glk_optimizer **out_optimizer,
                               const glk_variable_state **out) {
  glk_variable *v;
  GLK_TRY(glk_expect_optimizer(context, optimizer, out_optimizer));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_expect_count(context, &v->tensor.shape, count));
  *out = glk_variable_states_find(&(*out_optimizer)->states, v);
  return GLK_OK;
}

glk_status glk_optimizer_slot(const glk_context *context, glk_handle optimizer, glk_handle variable,
                              uint32_t slot, glk_real *out, size_t count) {
  glk_optimizer *o;
  const glk_variable_state *state;
  GLK_REFUSE_IF(context, (!out && count));
  GLK_TRY(expect_state(context, optimizer, variable, count, &o, &state));
  if (slot >= o->rule->slot_count) {
    return glk_fail(context, GLK_ERROR_INDEX, "there is no slot %u: %s has %u", slot, o->rule->name,
                    o->rule->slot_count);
  }
  static const glk_pages none;
  const glk_pages *pages = state ? &state->pages : &none;
  const int is_present = pages->is_used && pages->present >> slot & 1;
  const glk_real start = glk_slot_start(o->rule, o->options, slot);
  glk_pages_read(pages, slot, is_present ? pages->starts[slot] : start, out, count);
  return GLK_OK;
}

glk_status glk_optimizer_clock(const glk_context *context, glk_handle optimizer,
                               glk_handle variable, uint32_t *out, size_t count) {
  glk_optimizer *o;
  const glk_variable_state *state;
  GLK_REFUSE_IF(context, (!out && count));
  GLK_TRY(expect_state(context, optimizer, variable, count, &o, &state));
  uint32_t group[32];
  for (uint32_t i = 0; i < count; i++) {
    if (state && i % 32 == 0) glk_step_counts_read(&state->counts, i / 32, group);
    out[i] = state ? state->counts.groups[group[i % 32]].steps : 0;
  }
  return GLK_OK;
}
