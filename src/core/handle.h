/* Handles: 20 bits of slot, 12 bits of generation. A slot's generation moves on when its object goes, and slots are
 * reused oldest first, so a stale handle is caught unless its slot was reused a multiple of 4,095 times since.
 * Generations start from a salt of the context's address: a handle of another context is refused all the same. */
#ifndef GLK_CORE_HANDLE_H
#define GLK_CORE_HANDLE_H

#include "gradlock.h"

typedef struct glk_object glk_object;

/** First member of everything a handle can name. Freed by `destroy` when the last reference goes; the handle holds
 *  one, programs and optimizers hold others. */
struct glk_object {
  glk_kind kind;
  uint32_t references;
  glk_handle handle; /* 0 before it is published and after it is disposed */
  void (*destroy)(glk_context *context, glk_object *object);
};

typedef struct glk_handle_slot {
  glk_object *object; /* NULL when free */
  uint32_t generation;
  uint32_t next; /* free list */
} glk_handle_slot;

typedef struct glk_handle_table {
  glk_handle_slot *slots;
  uint32_t count, capacity, live;
  uint32_t first_free, last_free; /* GLK_NO_SLOT when empty */
} glk_handle_table;

#define GLK_NO_SLOT UINT32_MAX

/** Give the object a handle. Its one reference passes to the handle. On failure the object stays the caller's. */
glk_status glk_publish(glk_context *context, glk_object *object, glk_handle *out);
/** The object a handle names, or NULL. */
glk_object *glk_lookup(const glk_context *context, glk_handle handle);
/** The object of the given kind, or a status that says what the handle names instead. `role` is its name in messages. */
glk_status glk_expect(glk_context *context, glk_handle handle, glk_kind kind, const char *role,
                      glk_object **out);
const char *glk_kind_name(glk_kind kind);

void glk_retain(glk_object *object);
/** Let go of a reference; the last one destroys. NULL is allowed. */
void glk_drop(glk_context *context, glk_object *object);
/** Dispose every handle and free the table. */
void glk_handles_clear(glk_context *context);

#endif
