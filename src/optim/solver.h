/* Second-order methods: what they have in common. A method is one row beside the rules' (optim/rule.h): unlike a rule it
 * runs the program itself, as often as it needs, and it does see which elements are free, but only as a shorter list. */
#ifndef GLK_OPTIM_SOLVER_H
#define GLK_OPTIM_SOLVER_H

#include "core/archive.h"
#include "optim/options.h"
#include "optim/problem.h"

enum { GLK_MAX_METHOD_OPTIONS = 8 };

typedef struct glk_solver glk_solver;

typedef struct glk_method_row {
  glk_option_table table;
  uint32_t whole; /* bit i: option i is a whole number */
  size_t solver_bytes;
  /** Have the program's derivatives, and say in the problem which they are. */
  glk_status (*differentiate)(glk_problem *problem);
  /** The loss that the outputs of the last run stand for. */
  double (*measure)(const glk_problem *problem);
  /** Get all memory for `steps` steps. Where `is_known` is 0, what was learnt is of other elements, and goes. On failure
   *  everything is as it was. */
  glk_status (*reserve)(glk_solver *solver, const glk_problem *problem, int is_known,
                        uint32_t steps);
  /** Take the steps, one at least, or until the method stops and says why in the solver's info. Something is free. Writes
   *  the loss of where it stands. */
  glk_status (*solve)(glk_solver *solver, glk_problem *problem, uint32_t steps, double *loss);
  void (*release)(glk_context *context, glk_solver *solver);
  /** Read or write what was learnt of so many free elements. A solver that reads has learnt nothing before. */
  void (*walk)(glk_archive *archive, glk_solver *solver, uint32_t free_count);
} glk_method_row;

/** The part that all methods begin with. */
struct glk_solver {
  glk_object object;
  const glk_method_row *method;
  double options[GLK_MAX_METHOD_OPTIONS];
  glk_solver_info info;
  uint32_t *subject; /* what was learnt is about: the program, the variables, their lock words */
  uint32_t subject_count;
};

glk_status glk_expect_solver(const glk_context *context, glk_handle handle, glk_solver **out);
/** GLK_ERROR_OPTION if an option that counts is not whole. */
glk_status glk_solver_check(glk_context *context, const glk_method_row *method,
                            const double *options);
/** How many words say which free elements of which variables in which program were learnt of, and these words. Handles carry
 *  generations, and recordings serial numbers: equal words mean the same free elements of the same things. */
uint32_t glk_subject_count(glk_variable *const *variables, uint32_t variable_count);
void glk_subject_write(const glk_program *program, glk_variable *const *variables,
                       uint32_t variable_count, uint32_t *out);
/** Whether what was learnt is of that. */
int glk_solver_knows(const glk_solver *solver, const uint32_t *subject, uint32_t count);

extern const glk_method_row glk_method_lbfgs, glk_method_levenberg_marquardt;

#endif
