/* Solvers: a second-order method, its options, and a record of the subject of its estimate. */
#ifndef GLK_SOLVE_SOLVER_H
#define GLK_SOLVE_SOLVER_H

#include "solve/method.h"

glk_status glk_expect_solver(const glk_context *context, glk_handle handle, glk_solver **out);
/** GLK_ERROR_OPTION if an option that counts something is not whole.
 *  options  [method->table.count] double, within their ranges */
glk_status glk_solver_check(glk_context *context, const glk_method_row *method,
                            const double *options);

/** Number of words of a subject: the free elements of these variables in some program. */
uint32_t glk_subject_count(glk_variable *const *variables, uint32_t variable_count);
/** Write the subject: the program's serial number, then each variable's handle and lock words.
 *  Handles carry generations, so equal words mean the same free elements of the same objects.
 *  locks  of each variable, without what the solver's bounds stop
 *  out    [glk_subject_count()] u32 out */
void glk_subject_write(const glk_program *program, glk_variable *const *variables,
                       const glk_lockset *const *locks, uint32_t variable_count, uint32_t *out);
/** True if this is the solver's subject. */
int glk_solver_knows(const glk_solver *solver, const uint32_t *subject, uint32_t count);

#endif
