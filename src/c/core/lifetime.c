/* Creation and disposal of contexts. */
#include "core/handle.h"
#include "core/memory.h"
#include "core/thread_pool.h"

glk_status glk_context_create(const glk_allocator *allocator, glk_context **out) {
  if (!out || (allocator && (!allocator->allocate || !allocator->release))) {
    return GLK_ERROR_ARGUMENT;
  }
  glk_context start = {0};
  start.allocator =
      allocator ? *allocator : (glk_allocator){glk_default_allocate, glk_default_release, 0};
  start.most_spares = GLK_MOST_SPARES;
  start.handles.first_free = start.handles.last_free = GLK_NO_SLOT;
  GLK_TRY(glk_allocate(&start, 1, sizeof start, out));
  **out = start;
  return GLK_OK;
}

void glk_context_dispose(glk_context *context) {
  if (!context) return;
  glk_drop(context, context->recording);
  glk_handles_clear(context);
  glk_thread_pool_dispose(context, context->threads);
  glk_spares_drain(context);
  const glk_allocator allocator = context->allocator;
  allocator.release(allocator.user, context);
}
