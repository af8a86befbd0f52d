/* Messages of a context: the last error, in a sentence; formatted without printf. */
#include "core/context.h"

#include <stdarg.h>

const char *glk_context_detail(const glk_context *context) {
  return context ? context->detail : "";
}

void glk_context_conflict(const glk_context *context, uint32_t *out_first, uint32_t *out_count) {
  if (out_first) *out_first = context ? context->conflict_first : 0;
  if (out_count) *out_count = context ? context->conflict_count : 0;
}

glk_status glk_context_memory(const glk_context *context, glk_memory *out) {
  GLK_REFUSE_IF(context, !out);
  *out = (glk_memory){.bytes = context->bytes,
                      .peak_bytes = context->peak_bytes,
                      .allocations = context->allocations,
                      .objects = context->handles.live,
                      .value_bytes = context->part_bytes[GLK_VALUES],
                      .slot_bytes = context->part_bytes[GLK_SLOTS],
                      .program_bytes = context->part_bytes[GLK_PROGRAMS]};
  return GLK_OK;
}

glk_status glk_refuse_missing(const glk_context *context) {
  return glk_fail(context, GLK_ERROR_ARGUMENT, "a required pointer is NULL");
}

#ifndef GLK_TINY
glk_status glk_check_not_in_hook(const glk_context *context, const char *what) {
  if (!context->is_in_hook) return GLK_OK;
  return glk_fail(context, GLK_ERROR_RECORDING, "%s is not possible in a gradient hook", what);
}
#endif

glk_status glk_require_idle(glk_context *context, const char *what) {
  GLK_REFUSE_IF(context, 0);
  GLK_TRY(glk_check_not_in_hook(context, what));
  if (!context->recording) return GLK_OK;
  return glk_fail(context, GLK_ERROR_RECORDING, "%s is not possible while recording", what);
}

typedef struct text {
  char *at, *end;
} text;

static void put(text *t, char c) {
  if (t->at < t->end) *t->at++ = c;
}

static void put_string(text *t, const char *s) {
  while (*s) put(t, *s++);
}

static void put_size(text *t, size_t value) {
  char digits[24];
  int n = 0;
  do {
    digits[n++] = (char)('0' + value % 10);
    value /= 10;
  } while (value);
  while (n) put(t, digits[--n]);
}

/* Whole numbers of 32 bits as they are; else six digits are enough for a person. */
static void put_real(text *t, double value) {
  if (value != value) return put_string(t, "NaN");
  if (__builtin_signbit(value)) put(t, '-'), value = -value;
  if (value > 1.7976931348623157e308) return put_string(t, "Infinity");
  int exponent = 0;
  if (value >= 1e6 && (value > 4294967295.0 || value != (uint32_t)value)) {
    while (value >= 10) value /= 10, exponent++;
  }
  if (value > 0 && value < 1e-4) {
    while (value < 1) value *= 10, exponent--;
  }
  const size_t whole = (size_t)value;
  size_t fraction = (size_t)((value - (double)whole) * 1e6 + 0.5);
  put_size(t, whole + fraction / 1000000);
  fraction %= 1000000;
  if (fraction) {
    put(t, '.');
    for (size_t digit = 100000; fraction; digit /= 10) {
      put(t, (char)('0' + fraction / digit));
      fraction %= digit;
    }
  }
  if (exponent) {
    put_string(t, exponent < 0 ? "e-" : "e+");
    put_size(t, (size_t)(exponent < 0 ? -exponent : exponent));
  }
}

static void put_shape(text *t, const glk_shape *shape) {
  put(t, '[');
  for (uint32_t i = 0; i < shape->rank; i++) {
    if (i) put(t, ',');
    put_size(t, shape->dims[i]);
  }
  put(t, ']');
}

glk_status glk_fail(const glk_context *context, glk_status status, const char *format, ...) {
  char *detail = ((glk_context *)context)->detail; /* a failed query may still explain itself */
  text t = {detail, detail + GLK_DETAIL_BYTES - 1};
  va_list arguments;
  va_start(arguments, format);
  for (const char *f = format; *f; f++) {
    if (*f != '%') {
      put(&t, *f);
      continue;
    }
    switch (*++f) {
    case 's': put_string(&t, va_arg(arguments, const char *)); break;
    case 'u': put_size(&t, va_arg(arguments, uint32_t)); break;
    case 'z': put_size(&t, va_arg(arguments, size_t)); break;
    case 'g': put_real(&t, va_arg(arguments, double)); break;
    case 'S': put_shape(&t, va_arg(arguments, const glk_shape *)); break;
    default: put(&t, *f); break;
    }
  }
  va_end(arguments);
  *t.at = 0;
  return status;
}
