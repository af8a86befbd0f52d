/* Per-variable learning-rate factors (also one per element), weight-decay exclusions and
 * constraints. An element with a factor of 0 is treated as locked: it keeps its bits, slots and
 * step count (docs/laws.md, laws 1 to 4) and is left out of norms. */
#include <string.h>

#include "core/memory.h"
#include "optim/optimizer.h"

static glk_status check_factors(glk_context *context, const glk_variable *v,
                                const glk_real *factors, size_t count) {
  if (count > 1) GLK_TRY(glk_expect_count(context, &v->tensor.shape, count));
  for (size_t i = 0; i < count; i++) {
    if (factors[i] >= 0 && factors[i] <= (glk_real)1e30) continue;
    return glk_fail(context, GLK_ERROR_OPTION,
                    "variable '%s': rate factor %u is %g, expected at least 0 and at most 1e+30",
                    v->name, (uint32_t)i, (double)factors[i]);
  }
  return GLK_OK;
}

/* True if a factor is 0, so that the optimizer needs its own locks. */
static int has_zero(const glk_real *factors, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (factors[i] == 0) return 1;
  }
  return 0;
}

/* All that the new factors need, or nothing. */
static glk_status make_rates(glk_context *context, const glk_variable_state *state,
                             const glk_real *factors, size_t count, glk_real **out,
                             glk_lockset *out_locks) {
  void *memory = NULL;
  glk_status status = GLK_OK;
  if (count > 1) status = glk_allocate(context, state->padded_count, sizeof **out, &memory);
  if (status == GLK_OK && has_zero(factors, count)) {
    status = glk_lockset_init(context, &state->variable->tensor.shape, out_locks);
  }
  if (status != GLK_OK) {
    glk_release(context, memory, state->padded_count, sizeof **out);
    return status;
  }
  if (memory) memcpy(memory, factors, count * sizeof *factors);
  *out = memory;
  return GLK_OK;
}

glk_status glk_optimizer_scale_rate(glk_context *context, glk_handle optimizer, glk_handle variable,
                                    const glk_real *factors, size_t count) {
  glk_optimizer *o;
  glk_variable *v;
  glk_variable_state *state;
  glk_real *elements = NULL;
  glk_lockset locks = {.words = NULL};
  GLK_REFUSE_IF(context, !factors || !count);
  GLK_TRY(glk_require_idle(context, "changing rates"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(check_factors(context, v, factors, count));
  GLK_TRY(glk_variable_states_make(context, &o->states, v, &state));
  GLK_TRY(make_rates(context, state, factors, count, &elements, &locks));
  glk_variable_state_free_rates(context, state);
  state->factors = elements;
  state->effective = locks;
  state->scale = count > 1 ? 1 : (double)factors[0] + 0; /* no -0, which JSON would lose */
  state->synced_version = 0;
  state->is_named = 1;
  return GLK_OK;
}

glk_status glk_optimizer_rates(const glk_context *context, glk_handle optimizer,
                               glk_handle variable, glk_real *out, size_t count) {
  glk_optimizer *o;
  glk_variable *v;
  GLK_REFUSE_IF(context, !out && count);
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_expect_count(context, &v->tensor.shape, count));
  const glk_variable_state *state = glk_variable_states_find(&o->states, v);
  for (size_t i = 0; i < count; i++) {
    out[i] = !state ? 1 : state->factors ? state->factors[i] : (glk_real)state->scale;
  }
  return GLK_OK;
}

glk_status glk_optimizer_exclude_decay(glk_context *context, glk_handle optimizer,
                                       glk_handle variable, int is_excluded) {
  glk_optimizer *o;
  glk_variable *v;
  glk_variable_state *state;
  GLK_TRY(glk_require_idle(context, "changing weight decay"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_variable_states_make(context, &o->states, v, &state));
  state->is_decayed = !is_excluded;
  state->is_named = 1;
  return GLK_OK;
}

glk_status glk_optimizer_constrain(glk_context *context, glk_handle optimizer, glk_handle variable,
                                   glk_constraint_kind kind, double low, double high,
                                   const uint32_t *axes, uint32_t axis_count) {
  glk_optimizer *o;
  glk_variable *v;
  glk_constraint constraint;
  glk_variable_state *state;
  GLK_REFUSE_IF(context, axis_count && !axes);
  GLK_TRY(glk_require_idle(context, "changing a constraint"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_constraint_make(context, kind, low, high, &constraint));
  GLK_TRY(glk_constraint_axes(context, &v->tensor.shape, axes, axis_count, &constraint.axes));
  GLK_TRY(glk_variable_states_make(context, &o->states, v, &state));
  state->constraint = constraint;
  state->is_named = 1;
  return GLK_OK;
}
