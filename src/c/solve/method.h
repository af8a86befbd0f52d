/* Second-order methods as rows of a table: the functions of a method, and the first fields of every
 * solver. A solver uses a method as an optimizer uses an update rule (optim/rule.h). But a method
 * runs the program itself, as often as it needs, and uses only the free elements, as one list. */
#ifndef GLK_SOLVE_METHOD_H
#define GLK_SOLVE_METHOD_H

#include "core/archive.h"
#include "core/options.h"
#include "solve/bounds.h"
#include "solve/objective.h"

enum { GLK_MAX_METHOD_OPTIONS = 8 };

typedef struct glk_solver glk_solver;

typedef struct glk_method_row {
  glk_option_table table;
  /** Bit i: option i is a whole number. */
  uint32_t whole;
  size_t solver_bytes;
  /** Differentiate the problem's program, and set the problem's derivatives. */
  glk_status (*differentiate)(glk_problem *problem);
  /** The loss of the outputs of the last run. */
  double (*measure)(const glk_problem *problem);
  /** Get all memory for `steps` steps. Where `is_known` is 0, the estimate of the curvature is of
   *  other elements and is dropped. On failure everything is as it was. */
  glk_status (*reserve)(glk_solver *solver, const glk_problem *problem, int is_known,
                        uint32_t steps);
  /** Take `steps` steps, one at least, or fewer where the method stops, and set info.stop. At least
   *  one element is free. Writes the loss at the variables as it leaves them. */
  glk_status (*solve)(glk_solver *solver, glk_problem *problem, uint32_t steps, double *loss);
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

#endif
