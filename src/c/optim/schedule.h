/* Learning-rate schedules: the rate as a function of the steps an optimizer has taken, so that many
 * steps follow it without leaving C. A schedule is a row: a name, its numbers with ranges, and a
 * function; it knows no optimizer. */
#ifndef GLK_OPTIM_SCHEDULE_H
#define GLK_OPTIM_SCHEDULE_H

#include "core/context.h"

/** A schedule with its numbers, checked. */
typedef struct glk_plan {
  glk_schedule kind;
  uint32_t count;
  double numbers[GLK_MAX_SCHEDULE];
} glk_plan;

/** Check numbers against their row. `out` is written only if all is well. */
glk_status glk_plan_make(glk_context *context, glk_schedule kind, const double *numbers,
                         uint32_t count, glk_plan *out);
/** The rate of step `iteration`, the first of which is 0; between 0 and 1e30. */
double glk_plan_rate(const glk_plan *plan, double iteration);
/** The kind of a name; GLK_SCHEDULE_COUNT if there is none. */
glk_schedule glk_schedule_find(const char *name);

#endif
