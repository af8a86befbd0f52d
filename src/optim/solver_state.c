/* The state of a solver as bytes, and back: options, what it has done, what it learnt of the curvature, and the variables.
 * What was learnt is of free elements of variables in a program, and nothing in bytes can name a program, so the caller
 * does. */
#include <string.h>

#include "core/memory.h"
#include "optim/solver.h"
#include "optim/state.h"

typedef struct state {
  glk_solver *solver;   /* while reading, a copy that has learnt nothing */
  glk_program *program; /* or NULL */
  glk_saved *saved;
  glk_variable **variables;
  uint32_t count;
  const double *numbers;
  uint32_t number_count;
  uint32_t is_learnt; /* whether there is something learnt */
  const void *found;  /* the numbers that were read */
} state;

static void walk_info(glk_archive *a, glk_solver_info *info) {
  double numbers[4] = {info->iterations, info->evaluations, info->gradient, info->damping};
  glk_archive_numbers(a, "info", numbers, 4);
  glk_archive_whole(a, "stop", GLK_STOP_COUNT - 1, &info->stop);
  *info = (glk_solver_info){.iterations = numbers[0],
                            .evaluations = numbers[1],
                            .gradient = numbers[2],
                            .damping = numbers[3],
                            .history = a->in ? 0 : info->history,
                            .stop = info->stop};
}

static void walk_learnt(glk_archive *a, state *s) {
  uint32_t free_count = 0;
  for (uint32_t i = 0; i < s->count; i++) free_count += glk_saved_free_elements(&s->saved[i]);
  glk_archive_begin(a, "learnt", '[', &s->is_learnt);
  if (s->is_learnt > 1) glk_archive_refuse(a, "it has learnt twice");
  if (s->is_learnt && !s->program && a->status == GLK_OK) {
    a->status = glk_fail(a->context, GLK_ERROR_ARGUMENT,
                         "the state has what %s learnt of a program: say of which; nothing was "
                         "changed",
                         s->solver->method->table.name);
  }
  if (s->is_learnt && a->status == GLK_OK) {
    glk_archive_begin(a, "", '{', NULL);
    s->solver->method->walk(a, s->solver, free_count);
    glk_archive_end(a);
  }
  glk_archive_end(a);
}

static void walk_state(glk_archive *a, void *subject) {
  state *s = subject;
  const glk_method_row *method = s->solver->method;
  glk_state_walk_name(a, method->table.name);
  glk_state_walk_options(a, &method->table, s->solver->options);
  if (a->in && a->status == GLK_OK) {
    a->status = glk_solver_check(a->context, method, s->solver->options);
  }
  walk_info(a, &s->solver->info);
  glk_state_walk_also(a, s->numbers, s->number_count, &s->found);
  glk_state_begin_variables(a, s->count);
  for (uint32_t i = 0; i < s->count && a->status == GLK_OK; i++) {
    glk_archive_begin(a, "", '{', NULL);
    glk_saved_walk(a, &s->saved[i]);
    glk_archive_end(a);
  }
  glk_archive_end(a);
  if (a->status == GLK_OK) walk_learnt(a, s);
}

/* All of the state but the solver's copy. `subject` has room for what would be learnt of. */
static glk_status begin(glk_context *context, glk_handle program, const glk_handle *variables,
                        uint32_t count, state *s, uint32_t **subject) {
  void *list, *words;
  if (program) GLK_TRY(glk_expect_program(context, program, &s->program));
  GLK_TRY(glk_saved_create(context, variables, count, &s->saved));
  s->count = count;
  glk_status status = glk_allocate(context, count, sizeof *s->variables, &list);
  if (status == GLK_OK) {
    s->variables = list;
    for (uint32_t i = 0; i < count; i++) s->variables[i] = s->saved[i].variable;
    const uint32_t word_count = glk_subject_count(s->variables, count);
    status = glk_allocate(context, word_count, sizeof **subject, &words);
    if (status == GLK_OK) {
      *subject = words;
      return GLK_OK;
    }
    glk_release(context, list, count, sizeof *s->variables);
  }
  glk_saved_free(context, s->saved, count, 0);
  return status;
}

static void end(glk_context *context, const state *s, uint32_t *subject, int is_read) {
  glk_release(context, subject, glk_subject_count(s->variables, s->count), sizeof *subject);
  glk_release(context, s->variables, s->count, sizeof *s->variables);
  glk_saved_free(context, s->saved, s->count, is_read);
}

glk_status glk_solver_save(glk_context *context, glk_handle solver, glk_handle program,
                           const glk_handle *variables, uint32_t count, const double *numbers,
                           uint32_t number_count, uint8_t *out, size_t capacity,
                           size_t *out_bytes) {
  state s = {.numbers = numbers, .number_count = number_count};
  uint32_t *subject;
  GLK_REFUSE_IF(context, !out_bytes || (count && !variables) || (number_count && !numbers));
  GLK_TRY(glk_require_idle(context, "saving a solver"));
  GLK_TRY(glk_expect_solver(context, solver, &s.solver));
  GLK_TRY(begin(context, program, variables, count, &s, &subject));
  if (s.program) {
    glk_subject_write(s.program, s.variables, count, subject);
    s.is_learnt =
        (uint32_t)glk_solver_knows(s.solver, subject, glk_subject_count(s.variables, count));
  }
  const glk_status status = glk_archive_write(context, walk_state, &s, out, capacity, out_bytes);
  end(context, &s, subject, 0);
  return status;
}

glk_status glk_solver_load(glk_context *context, glk_handle solver, glk_handle program,
                           const glk_handle *variables, uint32_t count, double *numbers,
                           uint32_t number_count, const uint8_t *bytes, size_t byte_count,
                           int force, uint32_t *out_variable) {
  state s = {.numbers = numbers, .number_count = number_count};
  glk_solver *solver_now;
  uint32_t *subject;
  void *copy;
  GLK_REFUSE_IF(context, !bytes || (count && !variables) || (number_count && !numbers));
  GLK_TRY(glk_require_idle(context, "loading a solver"));
  GLK_TRY(glk_expect_solver(context, solver, &solver_now));
  GLK_TRY(begin(context, program, variables, count, &s, &subject));
  const glk_method_row *method = solver_now->method;
  glk_status status = glk_allocate(context, 1, method->solver_bytes, &copy);
  if (status == GLK_OK) {
    s.solver = copy;
    *s.solver = *solver_now;
    s.solver->subject = NULL;
    s.solver->subject_count = 0;
    status = glk_archive_read(context, walk_state, &s, bytes, byte_count);
    if (status == GLK_OK) status = glk_state_commit(context, s.saved, count, force, out_variable);
    if (status == GLK_OK) {
      const uint32_t word_count = glk_subject_count(s.variables, count);
      if (s.is_learnt) {
        glk_subject_write(s.program, s.variables, count, subject);
        s.solver->subject = subject;
        s.solver->subject_count = word_count;
        subject = NULL;
      }
      if (number_count) memcpy(numbers, s.found, number_count * sizeof *numbers);
      method->release(context, solver_now);
      glk_release(context, solver_now->subject, solver_now->subject_count, sizeof *subject);
      memcpy(solver_now, copy, method->solver_bytes);
    } else {
      method->release(context, s.solver);
    }
    glk_release(context, copy, 1, method->solver_bytes);
  }
  end(context, &s, subject, 1);
  return status;
}

glk_status glk_solver_variables(const glk_context *context, glk_handle solver, glk_handle *out,
                                uint32_t capacity, uint32_t *out_count) {
  glk_solver *s;
  glk_variable *v;
  GLK_REFUSE_IF(context, !out_count || (capacity && !out));
  GLK_TRY(glk_expect_solver(context, solver, &s));
  *out_count = 0;
  for (uint32_t i = 1; i < s->subject_count; i += 1 + v->locks.word_count) {
    /* Of a variable that was disposed nothing is known, nor where the next one stands. */
    GLK_TRY(glk_expect_variable((glk_context *)context, s->subject[i], "a variable", &v));
    if (*out_count < capacity) out[*out_count] = s->subject[i];
    ++*out_count;
  }
  return GLK_OK;
}
