/* The table of handles: free slots are reused oldest first, and generations tell stale handles. */
#include "core/handle.h"

#include "core/memory.h"

enum { SLOT_BITS = 20, GENERATION_MASK = 0xfff };

#define MAX_SLOTS ((uint32_t)1 << SLOT_BITS)

static uint32_t salt(const glk_context *context) {
  const uintptr_t address = (uintptr_t)context >> 4;
  return (uint32_t)((address ^ (address >> 12)) * 2654435761u) >> 20;
}

/* Generation 0 is never used, so that no handle is 0. */
static uint32_t next_generation(uint32_t generation) {
  const uint32_t next = (generation + 1) & GENERATION_MASK;
  return next ? next : 1;
}

static glk_status take_slot(glk_context *context, uint32_t *out) {
  glk_handle_table *t = &context->handles;
  if (t->first_free != GLK_NO_SLOT && (t->live + 256 < t->count || t->count == MAX_SLOTS)) {
    *out = t->first_free;
    t->first_free = t->slots[*out].next;
    if (t->first_free == GLK_NO_SLOT) t->last_free = GLK_NO_SLOT;
    return GLK_OK;
  }
  if (t->count == MAX_SLOTS) {
    return glk_fail(context, GLK_ERROR_LIMIT, "%u objects are alive, more than handles can name",
                    t->live);
  }
  GLK_TRY(glk_reserve(context, &t->slots, &t->capacity, t->count + 1, sizeof *t->slots));
  *out = t->count++;
  t->slots[*out].generation = next_generation(salt(context));
  return GLK_OK;
}

glk_status glk_publish(glk_context *context, glk_object *object, glk_handle *out) {
  uint32_t slot = 0;
  const glk_status status = take_slot(context, &slot);
  if (status != GLK_OK) {
    glk_drop(context, object);
    return status;
  }
  context->handles.slots[slot].object = object;
  context->handles.live++;
  object->handle = context->handles.slots[slot].generation << SLOT_BITS | slot;
  *out = object->handle;
  return GLK_OK;
}

glk_object *glk_lookup(const glk_context *context, glk_handle handle) {
  const uint32_t slot = handle & (MAX_SLOTS - 1);
  if (slot >= context->handles.count) return NULL;
  const glk_handle_slot *s = &context->handles.slots[slot];
  return s->generation == handle >> SLOT_BITS ? s->object : NULL;
}

static const char *kind_name(glk_kind kind) {
  static const char *const names[] = {"nothing",   "a tensor",     "a variable", "a lock set",
                                      "a program", "an optimizer", "a solver"};
  return names[kind];
}

static glk_status refuse_stale(const glk_context *context, const char *role) {
  return glk_fail(
      context, GLK_ERROR_HANDLE,
      "%s is not a live object of this context: it was disposed or belongs to another context",
      role);
}

glk_status glk_expect(const glk_context *context, glk_handle handle, glk_kind kind,
                      const char *role, glk_object **out) {
  glk_object *object = glk_lookup(context, handle);
  if (!object) return refuse_stale(context, role);
  if (object->kind != kind) {
    return glk_fail(context, GLK_ERROR_KIND, "%s is %s, expected %s", role, kind_name(object->kind),
                    kind_name(kind));
  }
  *out = object;
  return GLK_OK;
}

void glk_retain(glk_object *object) { object->references++; }

void glk_drop(glk_context *context, glk_object *object) {
  if (object && --object->references == 0) object->destroy(context, object);
}

static void free_slot(glk_context *context, uint32_t slot) {
  glk_handle_table *t = &context->handles;
  glk_handle_slot *s = &t->slots[slot];
  glk_object *object = s->object;
  s->object = NULL;
  s->generation = next_generation(s->generation);
  s->next = GLK_NO_SLOT;
  if (t->last_free == GLK_NO_SLOT) {
    t->first_free = slot;
  } else {
    t->slots[t->last_free].next = slot;
  }
  t->last_free = slot;
  t->live--;
  object->handle = 0;
  glk_drop(context, object);
}

glk_kind glk_handle_kind(const glk_context *context, glk_handle handle) {
  const glk_object *object = context ? glk_lookup(context, handle) : NULL;
  return object ? object->kind : GLK_KIND_NONE;
}

glk_status glk_dispose(glk_context *context, glk_handle handle) {
  GLK_REFUSE_IF(context, 0);
  GLK_TRY(glk_check_not_in_hook(context, "disposing"));
  if (!glk_lookup(context, handle)) return refuse_stale(context, "this");
  free_slot(context, handle & (MAX_SLOTS - 1));
  return GLK_OK;
}

void glk_handles_clear(glk_context *context) {
  glk_handle_table *t = &context->handles;
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->slots[i].object) free_slot(context, i);
  }
  glk_release(context, t->slots, t->capacity, sizeof *t->slots);
}
