/* Line search along a direction of descent, for a step that meets the strong Wolfe conditions. */
#ifndef GLK_SOLVE_LINE_SEARCH_H
#define GLK_SOLVE_LINE_SEARCH_H

#include "solve/objective.h"

/** A point x + t d of the line: its loss, and the slope dloss/dt. */
typedef struct glk_line_point {
  double t, loss, slope;
} glk_line_point;

typedef struct glk_line {
  glk_objective *objective;
  /** [free_count] The start of the line, and its direction. */
  const double *x, *direction;
  /** [free_count] Gradient at the last trial. */
  double *gradient;
  /** [free_count] Gradient at `lowest`; swapped with `gradient` when a trial is lower. */
  double *lowest_gradient;
  /** The search ends when no element would move by more. */
  double tolerance;
  /** Trials that are left. */
  uint32_t evaluations;
  /** t = 0; its slope is finite and below 0. */
  glk_line_point start;
  /** The result; t = 0 where nothing lower was found. */
  glk_line_point lowest;
  /** 1: the loss of a trial was minus infinity. */
  int met_infinity;
} glk_line;

/** Search, beginning with a trial at t > 0, and set line->lowest. Points where the loss or its
 *  slope is not finite count as too far. The variables stay at the last trial, also on failure (an
 *  op refused a value there). */
glk_status glk_line_search(glk_line *line, double t);
/** True if the loss seems to be unbounded along the line: a trial gave minus infinity, or fell
 *  below -2^60 and falls there as steeply as at the start. */
int glk_line_is_endless(const glk_line *line);

#endif
