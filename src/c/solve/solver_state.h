/* States of solvers: options, counts, and the estimate of the curvature. */
#ifndef GLK_SOLVE_SOLVER_STATE_H
#define GLK_SOLVE_SOLVER_STATE_H

#include "core/archive.h"
#include "lock/saved.h"
#include "solve/solver.h"

/** Read or write options and counts. */
void glk_state_walk_solver(glk_archive *archive, glk_solver *solver);
/** Read or write the bounds of a variable that was read. Returns its number of free elements; of
 *  those that its bounds stop, the solver takes none for locked. */
uint32_t glk_state_walk_bounds(glk_archive *archive, glk_solver *solver, const glk_saved *saved);
/** Read or write the estimate of the curvature over `free_count` free elements; it follows the
 *  variables.
 *  has_program  0: learnt elements are refused (GLK_ERROR_ARGUMENT), since they are of a program
 *  is_learnt    in/out  1: there is something learnt */
void glk_state_walk_learnt(glk_archive *archive, glk_solver *solver, int has_program,
                           uint32_t free_count, uint32_t *is_learnt);

#endif
