/* What of a solver its state holds. */
#ifndef GLK_OPTIM_SOLVER_STATE_H
#define GLK_OPTIM_SOLVER_STATE_H

#include "core/archive.h"
#include "optim/solver.h"

/** All of a solver but what it learnt, which comes behind the variables. */
void glk_state_walk_solver(glk_archive *archive, glk_solver *solver);
void glk_state_walk_learnt(glk_archive *archive, glk_solver *solver, int has_program,
                           uint32_t free_count, uint32_t *is_learnt);

#endif
