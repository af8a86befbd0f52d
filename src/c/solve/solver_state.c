/* States of solvers: options, counts, and the estimate of the curvature. */
#include "solve/solver.h"

/* The first version of archives that has bounds. */
enum { BOUNDS_SINCE = 4 };

void glk_state_walk_solver(glk_archive *a, glk_solver *s) {
  glk_solver_info *info = &s->info;
  double numbers[4] = {info->iterations, info->evaluations, info->gradient, info->damping};
  glk_options_walk(a, &s->method->table, s->options);
  glk_archive_values(a, "info", 'd', numbers, 4);
  glk_archive_whole(a, "stop", GLK_STOP_COUNT - 1, &info->stop);
  info->iterations = numbers[0];
  info->evaluations = numbers[1];
  info->gradient = numbers[2];
  info->damping = numbers[3];
}

uint32_t glk_state_walk_bounds(glk_archive *a, glk_solver *s, const glk_holders_state *saved) {
  if (!a->in || a->version >= BOUNDS_SINCE) glk_bounds_walk(a, &s->bounds, saved->variable);
  if (a->status != GLK_OK) return 0;
  if (s->bounds.count && !s->method->takes_bounds) glk_archive_refuse(a, "it has bounds");
  const int is_bounded = glk_bounds_find(&s->bounds, saved->variable) != NULL;
  return glk_holders_state_free_elements(saved, is_bounded ? GLK_BOUND_HOLDER : NULL);
}

void glk_state_walk_learnt(glk_archive *a, glk_solver *s, int has_program, uint32_t free_count,
                           uint32_t *is_learnt) {
  glk_archive_begin(a, "learnt", '[', is_learnt);
  if (*is_learnt > 1) glk_archive_refuse(a, "it has two histories of the loss");
  if (*is_learnt && !has_program && a->status == GLK_OK) {
    a->status = glk_fail(a->context, GLK_ERROR_ARGUMENT,
                         "the state has what %s learnt of a program: pass that program",
                         s->method->table.name);
  }
  if (*is_learnt && a->status == GLK_OK) {
    glk_archive_begin(a, "", '{', NULL);
    s->method->walk(a, s, free_count);
    glk_archive_end(a);
  }
  glk_archive_end(a);
}
