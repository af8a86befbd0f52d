/* Memory that ends when a test says so. Linked into the library instead of its allocator (--wrap), so that
 * each allocation of a call can be made to fail, with all that come after it. */
#include <stddef.h>
#include <stdint.h>

void *__real_glk_default_allocate(void *user, size_t bytes, size_t alignment);
void *__wrap_glk_default_allocate(void *user, size_t bytes, size_t alignment);
void glk_test_allow(uint32_t allocations);

static uint32_t allowed = UINT32_MAX;

/** Let so many allocations succeed and no more; UINT32_MAX: all of them. */
void glk_test_allow(uint32_t allocations) { allowed = allocations; }

void *__wrap_glk_default_allocate(void *user, size_t bytes, size_t alignment) {
  if (!allowed) return NULL;
  if (allowed != UINT32_MAX) allowed--;
  return __real_glk_default_allocate(user, bytes, alignment);
}
