/* Gradient hooks: a function of the caller's between the gradients of a step and its update. It
 * gets one list, of the free elements alone, so it can neither read nor move a locked one
 * (docs/laws.md, law 1). The list is a copy, because gradients may be tensors of the caller's, or
 * one value that is the gradient of two variables.
 *
 * The list is made, and the hook called, before a step changes anything (glk_hook_call); the update
 * then reads what the hook left (glk_hook_write). With gradient accumulation that is the mean, in
 * the memory of pending gradients; otherwise a copy of each gradient. */
#include "optim/step.h"

#ifdef GLK_TINY

glk_status glk_optimizer_hook(glk_context *context, glk_handle optimizer, glk_gradient_hook hook,
                              void *user) {
  (void)optimizer, (void)hook, (void)user;
  GLK_REFUSE_IF(context, 0);
  return glk_fail(context, GLK_ERROR_LIMIT, "");
}

#else

#include <string.h>

#include "core/memory.h"

/* Append the free elements of a piece to a list; returns its new end. With `pending`, their means
 * as accumulate.c will compute them. */
static glk_real *pack(const glk_piece *piece, const uint32_t *locks, const glk_real *pending,
                      glk_real divisor, glk_real *list) {
  const glk_real *gradient = piece->values;
  for (uint32_t w = 0; w < piece->count / 32; w++, gradient += 32) {
    uint32_t left = ~locks[w];
    if (left == UINT32_MAX && !pending) {
      memcpy(list, gradient, 32 * sizeof *list);
      list += 32;
      continue;
    }
    for (; left; left &= left - 1) {
      const size_t i = (size_t)__builtin_ctz(left);
      *list++ = pending ? (gradient[i] + pending[(size_t)w * 32 + i]) / divisor : gradient[i];
    }
  }
  return list;
}

static glk_real *unpack(const glk_piece *piece, const uint32_t *locks, glk_real *list,
                        glk_real *out) {
  for (uint32_t w = 0; w < piece->count / 32; w++, out += 32) {
    uint32_t left = ~locks[w];
    if (left == UINT32_MAX) {
      memcpy(out, list, 32 * sizeof *list);
      list += 32;
      continue;
    }
    for (; left; left &= left - 1) out[__builtin_ctz(left)] = *list++;
  }
  return list;
}

/* Between a variable's gradient and the list: pack, or unpack into the memory that the update
 * reads. Every free element is in a piece and in an extent. */
static glk_real *transfer(const glk_step *step, uint32_t index, int is_packing, glk_real *list) {
  const glk_gradient_pair *pair = &step->pairs[index];
  const glk_variable_state *state = glk_step_state(step, index);
  const int accumulates = glk_is_accumulating(step->optimizer);
  const glk_real divisor = (glk_real)(step->optimizer->pending_calls + 1);
  glk_overlap at = {0};
  while (glk_overlap_next(&state->pages, pair->pieces, pair->piece_count, &at)) {
    const glk_piece *piece = &at.piece;
    const uint32_t *locks = glk_variable_state_locks(state)->words + piece->first / 32;
    glk_real *pending = NULL;
    if (accumulates) {
      pending = at.extent->arrays[GLK_PENDING] + (piece->first - at.extent->first);
    }
    if (is_packing) {
      list = pack(piece, locks, pending, divisor, list);
    } else { /* the pieces are copies by now */
      list = unpack(piece, locks, list, pending ? pending : (glk_real *)piece->values);
    }
  }
  return list;
}

/* Memory for a step, counted in reals, in this order: copies of gradients, the list, the
 * copies' pieces. */
typedef struct sizes {
  size_t copied, listed, pieces;
} sizes;

static sizes count_reals(const glk_step *step) {
  sizes s = {0, 0, 0};
  const size_t per_piece = (sizeof(glk_piece) + sizeof(glk_real) - 1) / sizeof(glk_real);
  for (uint32_t i = 0; i < step->count; i++) {
    const glk_gradient_pair *pair = &step->pairs[i];
    const glk_lockset *locks = glk_variable_state_locks(glk_step_state(step, i));
    if (glk_lockset_is_full(locks)) continue;
    s.listed += locks->shape.count - locks->locked;
    if (glk_is_accumulating(step->optimizer)) continue;
    s.pieces += pair->piece_count * per_piece;
    for (uint32_t k = 0; k < pair->piece_count; k++) s.copied += pair->pieces[k].count;
  }
  s.listed = (s.listed + 31) / 32 * 32; /* so that the pieces are aligned */
  return s;
}

static void free_memory(glk_context *context, glk_hook *hook) {
  glk_release(context, hook->memory, hook->count, sizeof(glk_real));
  hook->memory = NULL;
  hook->count = 0;
}

static glk_status reserve(glk_context *context, glk_hook *hook, const sizes *s) {
  const size_t needed = s->copied + s->listed + s->pieces;
  if (hook->memory && needed <= hook->count) return GLK_OK;
  void *memory;
  GLK_TRY(glk_allocate_uninitialized(context, needed, sizeof(glk_real), &memory));
  free_memory(context, hook);
  hook->memory = memory;
  hook->count = needed;
  return GLK_OK;
}

glk_status glk_hook_call(const glk_step *step, int *out_skips) {
  glk_context *context = step->context;
  glk_hook *hook = &step->optimizer->hook;
  *out_skips = 0;
  if (!glk_takes_step(step->optimizer, 1)) return GLK_OK;
  const sizes s = count_reals(step);
  GLK_TRY(reserve(context, hook, &s));
  glk_real *list = hook->memory + s.copied, *end = list;
  for (uint32_t i = 0; i < step->count; i++) end = transfer(step, i, 1, end);
  context->is_in_hook = 1;
  const int result = hook->call(list, (size_t)(end - list), hook->user);
  context->is_in_hook = 0;
  if (result == GLK_HOOK_UPDATE) return GLK_OK;
  *out_skips = result == GLK_HOOK_SKIP;
  if (*out_skips) return GLK_OK;
  return glk_fail(context, GLK_ERROR_HOOK, "the gradient hook ended the step: it returned %g",
                  (double)result);
}

/* Let a pair's pieces be copies of what they were. */
static void copy_pieces(glk_gradient_pair *pair, glk_piece *pieces, glk_real *values) {
  for (uint32_t k = 0; k < pair->piece_count; k++) {
    const glk_piece *piece = &pair->pieces[k];
    memcpy(values, piece->values, piece->count * sizeof *values);
    pieces[k] = (glk_piece){piece->first, piece->count, values};
    values += piece->count;
  }
  pair->pieces = pieces;
}

void glk_hook_write(const glk_step *step) {
  const glk_hook *hook = &step->optimizer->hook;
  const sizes s = count_reals(step);
  glk_real *values = hook->memory, *list = values + s.copied;
  glk_piece *copies = (glk_piece *)(list + s.listed);
  for (uint32_t i = 0; i < step->count; i++) {
    const glk_lockset *locks = glk_variable_state_locks(glk_step_state(step, i));
    if (glk_lockset_is_full(locks)) continue;
    if (!glk_is_accumulating(step->optimizer)) {
      const glk_piece *pieces = step->pairs[i].pieces;
      const uint32_t n = step->pairs[i].piece_count;
      copy_pieces(&step->pairs[i], copies, values);
      copies += n;
      for (uint32_t k = 0; k < n; k++) values += pieces[k].count;
    }
    list = transfer(step, i, 0, list);
  }
}

glk_status glk_optimizer_hook(glk_context *context, glk_handle optimizer, glk_gradient_hook hook,
                              void *user) {
  glk_optimizer *o;
  GLK_TRY(glk_require_idle(context, "setting a gradient hook"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  free_memory(context, &o->hook);
  o->hook.call = hook;
  o->hook.user = hook ? user : NULL;
  return GLK_OK;
}

#endif
