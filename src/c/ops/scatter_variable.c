/* Scatter into a variable; here and not in src/c/lock because it needs kernels. By law 9 a write
 * that would change a bit of a locked element is refused; equal bits are no change. */
#include <string.h>

#include "core/memory.h"
#include "lock/variable.h"
#include "ops/gather_indices.h"

static const char *const names[GLK_SCATTER_COUNT] = {
    "scatterNdUpdate", "scatterNdUpdate", "scatterNdUpdate", "scatterNdAdd",
    "scatterNdSub",    "scatterNdMin",    "scatterNdMax"};

/* The blocks that are written to, as they are now, in the order of the list. */
static glk_status keep(glk_context *context, const glk_gather_indices *p, const glk_real *x,
                       void **kept) {
  GLK_TRY(glk_allocate(context, p->count, p->block * sizeof *x, kept));
  glk_kernel_gather(p, x, *kept);
  return GLK_OK;
}

/* After writing, find locked elements that changed; an index that is listed twice counts once. */
static glk_status compare(glk_context *context, const glk_variable *v, const glk_gather_indices *p,
                          const glk_real *kept, uint32_t *marks) {
  const glk_real *now = v->tensor.storage->values, *was = NULL;
  uint32_t offenders = 0, first = 0;
  for (size_t w = glk_mark_words(glk_gather_block_count(p)); w-- > 0;) marks[w] = 0;
  for (size_t row = 0; row < p->count; row++) {
    const size_t index = glk_gather_index(p, row);
    if (glk_mark(marks, index)) continue;
    for (size_t i = 0; i < p->block; i++) {
      const uint32_t at = (uint32_t)(index * p->block + i);
      const glk_real *old = kept + row * p->block + i;
      if (!glk_lockset_has(&v->locks, at) || !memcmp(old, now + at, sizeof *old)) continue;
      if (!offenders++ || at < first) first = at, was = old;
    }
  }
  if (!offenders) return GLK_OK;
  return glk_refuse_locked(context, v, first, offenders, *was, now[first]);
}

/* Write, and restore the values if a locked element changed. Nothing can observe the state
 * between. */
static glk_status write_guarded(glk_context *context, glk_variable *v, glk_scatter mode,
                                const glk_gather_indices *p, const glk_real *updates,
                                uint32_t *marks) {
  void *kept;
  glk_real *x = v->tensor.storage->values;
  GLK_TRY(keep(context, p, x, &kept));
  glk_kernel_scatter(mode, p, updates, x);
  const glk_status status = compare(context, v, p, kept, marks);
  if (status != GLK_OK) glk_kernel_scatter(GLK_SCATTER_UPDATE, p, kept, x);
  glk_release(context, kept, p->count, p->block * sizeof *x);
  return status;
}

static glk_status scatter(glk_context *context, glk_variable *v, glk_scatter mode,
                          const glk_gather_indices *p, const glk_real *updates, int force) {
  void *marks;
  const size_t words = glk_mark_words(glk_gather_block_count(p));
  GLK_TRY(glk_allocate(context, words, sizeof(uint32_t), &marks));
  glk_status status = GLK_OK;
  if (mode == GLK_SCATTER_UPDATE) status = glk_check_no_repeats(context, names[mode], p, marks);
  if (status == GLK_OK && v->locks.locked && !force) {
    status = write_guarded(context, v, mode, p, updates, marks);
  } else if (status == GLK_OK) {
    glk_kernel_scatter(mode, p, updates, v->tensor.storage->values);
    for (size_t row = 0; row < p->count; row++) {
      glk_audit_accept(v->audit, glk_gather_index(p, row) * p->block, p->block);
    }
  }
  glk_release(context, marks, words, sizeof(uint32_t));
  return status;
}

glk_status glk_variable_scatter(glk_context *context, glk_handle variable, glk_scatter mode,
                                glk_handle indices, glk_handle updates, int force) {
  glk_variable *v;
  glk_tensor *at, *from;
  GLK_TRY(glk_require_idle(context, "writing to a variable"));
  GLK_TRY(glk_expect_variable(context, variable, "the variable", &v));
  GLK_TRY(glk_expect_value(context, indices, "the indices", &at));
  GLK_TRY(glk_expect_value(context, updates, "the updates", &from));
  if ((uint32_t)mode >= GLK_SCATTER_COUNT) {
    return glk_fail(context, GLK_ERROR_ARGUMENT, "there is no scatter mode %u", (uint32_t)mode);
  }
  const char *name = names[mode];
  if (at == &v->tensor || from == &v->tensor) {
    return glk_fail(context, GLK_ERROR_ARGUMENT,
                    "%s: variable '%s' would be read while it is written; pass a copy", name,
                    v->name);
  }
  const glk_shape *shape = &v->tensor.shape;
  GLK_TRY(glk_scatter_infer(context, name, shape, &at->shape, &from->shape));
  const glk_gather_indices p = glk_gather_indices_of(shape, &at->shape, at->storage->values);
  GLK_TRY(glk_check_indices(context, name, "indices", &at->shape, p.indices, p.dims,
                            p.depth ? p.depth : 1));
  GLK_TRY(scatter(context, v, mode, &p, from->storage->values, force));
  v->writes++;
  return GLK_OK;
}
