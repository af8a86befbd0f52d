/* What the states of optimizers and of solvers are made of. */
#ifndef GLK_OPTIM_STATE_H
#define GLK_OPTIM_STATE_H

#include "core/archive.h"
#include "lock/saved.h"
#include "optim/optimizer.h"
#include "optim/solver.h"

void glk_state_walk_options(glk_archive *archive, const glk_option_table *table, double *values);
/** All of an optimizer but its entries, which follow with their variables. */
void glk_state_walk_optimizer(glk_archive *archive, glk_optimizer *optimizer);
void glk_state_walk_entry(glk_archive *archive, const glk_rule_row *rule, glk_entry *entry);
/** All of a solver but what it learnt, which comes behind the variables. */
void glk_state_walk_solver(glk_archive *archive, glk_solver *solver);
void glk_state_walk_learnt(glk_archive *archive, glk_solver *solver, int has_program,
                           uint32_t free_count, uint32_t *is_learnt);

#endif
