/* Rates of their own: what of the learning rate and of weight decay a variable, or each of its elements, gets. A lock is
 * the zero of these: an element of rate 0 keeps its bits, its slots and its clock (docs/laws.md, laws 1 to 4), and is left
 * out of norms, just as if it were locked. */
#include <string.h>

#include "core/memory.h"
#include "optim/optimizer.h"

void glk_rates_free(glk_context *context, glk_entry *entry) {
  glk_release(context, entry->factors, entry->padded_count, sizeof(glk_real));
  glk_lockset_free(context, &entry->effective);
  entry->factors = NULL;
  entry->effective = (glk_lockset){.words = NULL};
}

const glk_lockset *glk_entry_locks(const glk_entry *entry) {
  return entry->effective.words ? &entry->effective : &entry->variable->locks;
}

void glk_entry_follow(glk_context *context, glk_entry *entry) {
  const glk_lockset *own = &entry->variable->locks;
  glk_lockset *set = &entry->effective;
  if (!set->words || entry->followed == own->version) return;
  memcpy(set->words, own->words, own->word_count * sizeof *own->words);
  for (uint32_t i = 0; i < own->shape.count; i++) {
    const int is_still = entry->scale == 0 || (entry->factors && entry->factors[i] == 0);
    set->words[i / 32] |= (uint32_t)is_still << (i % 32);
  }
  glk_lockset_changed(context, set);
  entry->followed = own->version;
}

const glk_lockset *glk_optimizer_locks(glk_context *context, const glk_optimizer *optimizer,
                                       const glk_variable *variable) {
  const uint32_t i = glk_optimizer_find(optimizer, variable);
  if (i == optimizer->entry_count) return &variable->locks;
  glk_entry_follow(context, &optimizer->entries[i]);
  return glk_entry_locks(&optimizer->entries[i]);
}

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

/* Whether anything stands still, so that locks of the optimizer's own are needed. */
static int has_zero(const glk_real *factors, size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (factors[i] == 0) return 1;
  }
  return 0;
}

/* All that the new factors need, or nothing. */
static glk_status make_rates(glk_context *context, const glk_entry *entry, const glk_real *factors,
                             size_t count, glk_real **out, glk_lockset *out_locks) {
  void *memory = NULL;
  glk_status status = GLK_OK;
  if (count > 1) status = glk_allocate(context, entry->padded_count, sizeof **out, &memory);
  if (status == GLK_OK && has_zero(factors, count)) {
    status = glk_lockset_init(context, &entry->variable->tensor.shape, out_locks);
  }
  if (status != GLK_OK) {
    glk_release(context, memory, entry->padded_count, sizeof **out);
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
  uint32_t index;
  glk_real *own = NULL;
  glk_lockset locks = {.words = NULL};
  GLK_REFUSE_IF(context, !factors || !count);
  GLK_TRY(glk_require_idle(context, "changing rates"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(check_factors(context, v, factors, count));
  GLK_TRY(glk_optimizer_entry(context, o, v, &index));
  glk_entry *entry = &o->entries[index];
  GLK_TRY(make_rates(context, entry, factors, count, &own, &locks));
  glk_rates_free(context, entry);
  entry->factors = own;
  entry->effective = locks;
  entry->scale = count > 1 ? 1 : (double)factors[0] + 0; /* no -0, which JSON would lose */
  entry->followed = 0;
  return GLK_OK;
}

glk_status glk_optimizer_rates(const glk_context *context, glk_handle optimizer,
                               glk_handle variable, glk_real *out, size_t count) {
  glk_context *messages = (glk_context *)context;
  glk_optimizer *o;
  glk_variable *v;
  GLK_REFUSE_IF(context, !out && count);
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_variable(messages, variable, "the variable", &v));
  GLK_TRY(glk_expect_count(messages, &v->tensor.shape, count));
  const uint32_t index = glk_optimizer_find(o, v);
  const glk_entry *entry = index < o->entry_count ? &o->entries[index] : NULL;
  for (size_t i = 0; i < count; i++) {
    out[i] = !entry ? 1 : entry->factors ? entry->factors[i] : (glk_real)entry->scale;
  }
  return GLK_OK;
}

glk_status glk_optimizer_exclude_decay(glk_context *context, glk_handle optimizer,
                                       glk_handle variable, int is_excluded) {
  glk_optimizer *o;
  glk_variable *v;
  uint32_t index;
  GLK_REFUSE_IF(context, 0);
  GLK_TRY(glk_require_idle(context, "changing weight decay"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_optimizer_entry(context, o, v, &index));
  o->entries[index].is_decayed = !is_excluded;
  return GLK_OK;
}
