/* Second-order methods as rows of a table, and solvers: a method, its options, and a record of
 * the subject of its estimate. A solver uses a method as an optimizer uses an update rule
 * (optim/rule.h). But a method runs the program itself, as often as it needs, and uses only the
 * free elements, as one list. */
#ifndef GLK_SOLVE_SOLVER_H
#define GLK_SOLVE_SOLVER_H

#include "core/archive.h"
#include "core/options.h"
#include "lock/holders_state.h"
#include "solve/bounds.h"
#include "solve/objective.h"

enum { GLK_MAX_METHOD_OPTIONS = 8 };

typedef struct glk_solver glk_solver;

typedef struct glk_method_row {
  glk_option_table table;
  size_t solver_bytes;
  /** Differentiate the objective's program, and set the objective's derivatives. */
  glk_status (*differentiate)(glk_objective *objective);
  /** The loss of the outputs of the last run. */
  double (*measure)(const glk_objective *objective);
  /** Get all memory for `steps` steps. Where `is_known` is 0, the estimate of the curvature is of
   *  other elements and is dropped. On failure everything is as it was. */
  glk_status (*reserve)(glk_solver *solver, const glk_objective *objective, int is_known,
                        uint32_t steps);
  /** Take `steps` steps, one at least, or fewer where the method stops, and set info.stop. At least
   *  one element is free. Writes the loss at the variables as it leaves them. */
  glk_status (*solve)(glk_solver *solver, glk_objective *objective, uint32_t steps, double *loss);
  void (*release)(glk_context *context, glk_solver *solver);
  /** Read or write the estimate of the curvature over `free_count` free elements. A solver that
   *  reads has learnt nothing before. */
  void (*walk)(glk_archive *archive, glk_solver *solver, uint32_t free_count);
  /** 1: it keeps elements within the solver's bounds. */
  int takes_bounds;
} glk_method_row;

/** A solver: the first member of each method's own struct. */
struct glk_solver {
  glk_object object;
  const glk_method_row *method;
  double options[GLK_MAX_METHOD_OPTIONS];
  glk_solver_info info;
  glk_bounds bounds;
  /** [subject_count] What the solver has learnt about: program, variables and their lock words, as
   *  glk_subject_write writes them; NULL at first. */
  uint32_t *subject;
  uint32_t subject_count;
};

extern const glk_method_row glk_method_lbfgs, glk_method_levenberg_marquardt;

glk_status glk_expect_solver(const glk_context *context, glk_handle handle, glk_solver **out);

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

/* States (solver_state.c). */

/** Read or write options and counts. */
void glk_state_walk_solver(glk_archive *archive, glk_solver *solver);
/** Read or write the bounds of a variable that was read. Returns its number of free elements; of
 *  those that its bounds stop, the solver takes none for locked. */
uint32_t glk_state_walk_bounds(glk_archive *archive, glk_solver *solver,
                               const glk_holders_state *saved);
/** Read or write the estimate of the curvature over `free_count` free elements; it follows the
 *  variables.
 *  has_program  0: learnt elements are refused (GLK_ERROR_ARGUMENT), since they are of a program
 *  is_learnt    in/out  1: there is something learnt */
void glk_state_walk_learnt(glk_archive *archive, glk_solver *solver, int has_program,
                           uint32_t free_count, uint32_t *is_learnt);

#endif
