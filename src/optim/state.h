/* What the states of optimizers and of solvers have in common. */
#ifndef GLK_OPTIM_STATE_H
#define GLK_OPTIM_STATE_H

#include "core/archive.h"
#include "lock/saved.h"
#include "optim/options.h"

/** The name of the rule or method, which must be one's own. */
void glk_state_walk_name(glk_archive *archive, const char *own);
void glk_state_walk_options(glk_archive *archive, const glk_option_table *table, double *values);
/** The caller's numbers: where they are. */
void glk_state_walk_also(glk_archive *archive, const double *numbers, uint32_t count,
                         const void **out);
/** To be ended by glk_archive_end. */
void glk_state_begin_variables(glk_archive *archive, uint32_t count);
/** After reading: give all variables what was read, or none; unless `force`, what is locked must keep its bits. */
glk_status glk_state_commit(glk_context *context, glk_saved *saved, uint32_t count, int force,
                            uint32_t *out_variable);

#endif
