/* A context, and calls on variables and tensors with one axis that must succeed. */
#ifndef GLK_TESTS_VECTORS_H
#define GLK_TESTS_VECTORS_H

#include "harness.h"

static glk_context *c;

static inline void begin(void) { CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK); }
static inline void end(void) { glk_context_dispose(c); }

static inline glk_handle variable(uint32_t n, const glk_real *values) {
  glk_handle x = 0;
  CHECK_STATUS(glk_variable_create(c, 1, &n, values, n, "x", 1, &x), GLK_OK);
  return x;
}

static inline glk_handle tensor(uint32_t n, const glk_real *values) {
  glk_handle t = 0;
  CHECK_STATUS(glk_tensor_create(c, 1, &n, values, n, &t), GLK_OK);
  return t;
}

static inline glk_handle scalar(glk_real value) {
  glk_handle t = 0;
  CHECK_STATUS(glk_tensor_create(c, 0, NULL, &value, 1, &t), GLK_OK);
  return t;
}

static inline glk_handle apply_with(const char *op, glk_handle a, glk_handle b,
                                    const double *attributes, uint32_t count) {
  uint32_t id;
  glk_handle out = 0;
  CHECK_STATUS(glk_op_find(c, op, &id), GLK_OK);
  CHECK_STATUS(glk_apply(c, id, (glk_handle[]){a, b}, !!a + !!b, attributes, count, &out), GLK_OK);
  return out;
}

static inline glk_handle apply(const char *op, glk_handle a, glk_handle b) {
  return apply_with(op, a, b, NULL, 0);
}

static inline void read_all(glk_handle x, glk_real *out, uint32_t n) {
  CHECK_STATUS(glk_read(c, x, out, n), GLK_OK);
}

static inline void lock_mask(glk_handle x, const uint8_t *mask, uint32_t n) {
  glk_handle locks;
  CHECK_STATUS(glk_locks_create(c, 1, &n, &locks), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(c, locks, mask, n), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, x, GLK_LOCKS_SET, locks), GLK_OK);
  glk_dispose(c, locks);
}

#endif
