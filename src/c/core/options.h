/* Options by name, from a table: a shared part of update rules and second-order methods. */
#ifndef GLK_CORE_OPTIONS_H
#define GLK_CORE_OPTIONS_H

#include "core/archive.h"
#include "core/context.h"

/** `high` of an option that is at most 0. */
#define GLK_ABOVE_ZERO 5e-324

/** A count of options, which does not compile if it is above `most`. */
#define GLK_COUNT_WITHIN(count, most)                                  \
  ((count) + 0 * sizeof(struct {                                       \
               _Static_assert((int)(count) <= (int)(most),             \
                              "there is no room for so many options"); \
               char any;                                               \
             }))

/** Whose options: `name` is for messages. */
typedef struct glk_option_table {
  const char *name;
  const glk_option_info *options;
  uint32_t count;
  /** Bit i: option i is a whole number, below 2^32. */
  uint32_t whole;
} glk_option_table;

void glk_options_init(const glk_option_table *table, double *values);
/** Return GLK_ERROR_OPTION if there is no such option. */
glk_status glk_options_find(const glk_context *context, const glk_option_table *table,
                            const char *name, uint32_t *out);
/** Set several options of `values`, in order; GLK_ERROR_OPTION at the first that is unknown, out of
 *  its range, or not whole where it has to be. */
glk_status glk_options_set(glk_context *context, const glk_option_table *table,
                           const char *const *names, const double *given, uint32_t given_count,
                           double *values);
/** Read or write all options, each by its name; options that are read are checked. */
void glk_options_walk(glk_archive *archive, const glk_option_table *table, double *values);

#endif
