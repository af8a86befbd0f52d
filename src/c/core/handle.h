/* Handles: 20 bits of slot, 12 bits of generation. A slot's generation grows when its object is
 * disposed, and slots are reused oldest first. So a stale handle is detected, unless its slot was
 * since reused a multiple of 4,095 times. Generations start from a salt of the context's address: a
 * handle of another context is refused, too. */
#ifndef GLK_CORE_HANDLE_H
#define GLK_CORE_HANDLE_H

#include "core/context.h"

/** Give the object a handle. Its one reference passes to the handle, and is dropped on failure. */
glk_status glk_publish(glk_context *context, glk_object *object, glk_handle *out);
/** The object a handle names, or NULL. */
glk_object *glk_lookup(const glk_context *context, glk_handle handle);
/** The object of the given kind, or an error that names the handle's actual kind. `role` is its
 *  name in messages. */
glk_status glk_expect(const glk_context *context, glk_handle handle, glk_kind kind,
                      const char *role, glk_object **out);

void glk_retain(glk_object *object);
/** Drop a reference; the last one destroys the object. NULL is allowed. */
void glk_drop(glk_context *context, glk_object *object);
/** Dispose every handle and free the table. */
void glk_handles_clear(glk_context *context);

#endif
