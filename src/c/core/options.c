/* Options by name: defaults, lookup, ranges; refuses unknown names and values out of range. */
#include "core/options.h"

#include <string.h>

void glk_options_init(const glk_option_table *table, double *values) {
  for (uint32_t i = 0; i < table->count; i++) values[i] = table->options[i].initial;
}

/* gradlock.js names them itself. */
static glk_status refuse_unknown(const glk_context *context, const glk_option_table *table,
                                 const char *name) {
#ifndef GLK_TINY
  char known[GLK_DETAIL_BYTES], *at = known;
  for (uint32_t i = 0; i < table->count; i++) {
    const size_t length = strlen(table->options[i].name);
    if (length + 3 > (size_t)(known + sizeof known - at)) break;
    if (i) *at++ = ',', *at++ = ' ';
    memcpy(at, table->options[i].name, length);
    at += length;
  }
  *at = 0;
  return glk_fail(context, GLK_ERROR_OPTION, "%s has no option '%s', it has %s", table->name, name,
                  known);
#else
  return glk_fail(context, GLK_ERROR_OPTION, "%s has no option '%s'", table->name, name);
#endif
}

glk_status glk_options_find(const glk_context *context, const glk_option_table *table,
                            const char *name, uint32_t *out) {
  for (uint32_t i = 0; name && i < table->count; i++) {
    if (!strcmp(table->options[i].name, name)) {
      *out = i;
      return GLK_OK;
    }
  }
  return refuse_unknown(context, table, name ? name : "");
}

static glk_status check_option(glk_context *context, const char *owner,
                               const glk_option_info *option, double value) {
  const int is_in_range = value >= option->low && value < option->high;
  if (is_in_range && (!option->is_flag || value == 0 || value == 1)) return GLK_OK;
  if (option->is_flag) {
    return glk_fail(context, GLK_ERROR_OPTION, "%s: %s is %g, expected 0 or 1", owner, option->name,
                    value);
  }
  const int ends_at_zero = option->high == GLK_ABOVE_ZERO;
  return glk_fail(context, GLK_ERROR_OPTION, "%s: %s is %g, expected at least %g and %s %g", owner,
                  option->name, value, option->low, ends_at_zero ? "at most" : "below",
                  ends_at_zero ? 0 : option->high);
}

glk_status glk_options_set(glk_context *context, const glk_option_table *table,
                           const char *const *names, const double *given, uint32_t given_count,
                           double *values) {
  for (uint32_t i = 0; i < given_count; i++) {
    uint32_t option;
    GLK_TRY(glk_options_find(context, table, names[i], &option));
    GLK_TRY(check_option(context, table->name, &table->options[option], given[i]));
    if (table->whole >> option & 1 && given[i] != (double)(uint32_t)given[i]) {
      return glk_fail(context, GLK_ERROR_OPTION, "%s: %s is %g, expected a whole number",
                      table->name, names[i], given[i]);
    }
    values[option] = given[i] + 0; /* no -0, which JSON would lose */
  }
  return GLK_OK;
}

void glk_options_walk(glk_archive *a, const glk_option_table *table, double *values) {
  glk_archive_begin(a, "options", '{', NULL);
  for (uint32_t k = 0; k < table->count; k++) {
    const char *name = table->options[k].name;
    double value = values[k];
    glk_archive_values(a, name, 'n', &value, 1);
    if (!a->in || a->status != GLK_OK) continue;
    a->status = glk_options_set(a->context, table, &name, &value, 1, values);
  }
  glk_archive_end(a);
}
