/* The state of an optimizer or of a solver as bytes, and back: everything that its next step
 * depends on. A run that is stopped, saved and loaded elsewhere continues bit for bit.
 * core/archive.h defines the layout, and the walks define the items and their order. Loading checks
 * everything and has all memory before it changes anything.
 *
 * What a solver learnt is of free elements of variables in a program. Nothing in bytes can name a
 * program: the caller does. */
#include <string.h>

#include "core/memory.h"
#include "optim/optimizer.h"
#include "solve/solver.h"

typedef struct state {
  glk_optimizer *optimizer; /* one of these two; while reading, a copy that has learnt nothing */
  glk_solver *solver;
  glk_program *program; /* or NULL */
  glk_holders_state *saved;
  glk_variable_state *states; /* while writing, copies */
  glk_variable **variables;
  uint32_t count;
  const double *numbers;
  uint32_t number_count;
  uint32_t *subject; /* of a solver with a program: room for what is learnt of */
  const glk_lockset **locks;
  uint32_t is_learnt;
  const void *found; /* the numbers that were read */
} state;

static void walk_name(glk_archive *a, const char *expected) {
  char name[GLK_NAME_BYTES];
  memcpy(name, expected, strlen(expected) + 1);
  glk_archive_text(a, "rule", name, sizeof name);
  if (a->status != GLK_OK || !strcmp(name, expected)) return;
  a->status = glk_fail(a->context, GLK_ERROR_FORMAT, "the state was saved by '%s', this is %s",
                       name, expected);
}

static void expect_count(glk_archive *a, const char *what, uint32_t found, uint32_t count) {
  if (a->status != GLK_OK || found == count) return;
  a->status = glk_fail(a->context, GLK_ERROR_SHAPE, "the state has %u %s, %u were given", found,
                       what, count);
}

static void walk_state(glk_archive *a, void *subject) {
  state *s = subject;
  glk_optimizer *o = s->optimizer;
  uint32_t numbers = s->number_count, count = s->count, free_count = 0;
  walk_name(a, o ? o->rule->name : s->solver->method->table.name);
  if (o) {
    glk_state_walk_optimizer(a, o);
  } else {
    glk_state_walk_solver(a, s->solver);
  }
  s->found = glk_archive_list(a, "also", 'd', s->numbers, &numbers);
  expect_count(a, "numbers beside", numbers, s->number_count);
  glk_archive_begin(a, "variables", '[', &count);
  expect_count(a, "variables", count, s->count);
  for (uint32_t i = 0; i < s->count && a->status == GLK_OK; i++) {
    glk_archive_begin(a, "", '{', NULL);
    glk_holders_state_walk(a, &s->saved[i]);
    if (o) glk_state_walk_variable(a, o->rule, &s->states[i]);
    if (!o) free_count += glk_state_walk_bounds(a, s->solver, &s->saved[i]);
    glk_archive_end(a);
  }
  glk_archive_end(a);
  if (!o && a->status == GLK_OK) {
    glk_state_walk_learnt(a, s->solver, s->program != NULL, free_count, &s->is_learnt);
  }
}

static glk_status expect_trained(const glk_context *context, glk_handle handle, state *s) {
  if (glk_handle_kind(context, handle) == GLK_KIND_SOLVER) {
    return glk_expect_solver(context, handle, &s->solver);
  }
  return glk_expect_optimizer(context, handle, &s->optimizer);
}

/* Write what a solver has learnt of, and is to learn of: s->subject. */
static void write_subject(glk_context *context, state *s) {
  for (uint32_t i = 0; i < s->count; i++) {
    s->locks[i] = glk_bounds_locks(context, &s->solver->bounds, s->variables[i]);
  }
  glk_subject_write(s->program, s->variables, s->locks, s->count, s->subject);
}

static void end(glk_context *context, const state *s, int is_read) {
  if (s->saved) glk_holders_state_free(context, s->saved, s->count, is_read);
  if (s->variables) {
    glk_release(context, s->subject, glk_subject_count(s->variables, s->count), sizeof(uint32_t));
  }
  glk_release(context, s->variables, s->count, sizeof *s->variables);
  glk_release(context, s->locks, s->count, sizeof *s->locks);
}

/* All but states and copies; to be ended in any case. */
static glk_status begin(glk_context *context, glk_handle trained, glk_handle program,
                        const glk_handle *variables, state *s) {
  GLK_TRY(glk_require_idle(context, "saving or loading a state"));
  GLK_TRY(expect_trained(context, trained, s));
  if (program) GLK_TRY(glk_expect_program(context, program, &s->program));
  GLK_TRY(glk_holders_state_create(context, variables, s->count, &s->saved));
  GLK_TRY(glk_allocate(context, s->count, sizeof *s->variables, &s->variables));
  for (uint32_t i = 0; i < s->count; i++) s->variables[i] = s->saved[i].variable;
  if (s->solver && program) {
    GLK_TRY(glk_allocate(context, s->count, sizeof *s->locks, &s->locks));
    const uint32_t words = glk_subject_count(s->variables, s->count);
    GLK_TRY(glk_allocate(context, words, sizeof *s->subject, &s->subject));
  }
  return GLK_OK;
}

/* The optimizer's state of a variable, or a new one. */
static glk_variable_state state_of(const glk_optimizer *o, glk_variable *v) {
  const glk_variable_state *kept = glk_variable_states_find(&o->states, v);
  if (kept) return *kept;
  glk_variable_state state = glk_variable_state_start(v);
  state.counts =
      (glk_step_counts){.groups = (glk_step_group *)glk_step_counts_start, .group_count = 2};
  return state;
}

static glk_status save(glk_context *context, glk_handle trained, glk_handle program,
                       const glk_handle *variables, state *s, uint8_t *out, size_t capacity,
                       size_t *out_bytes) {
  GLK_TRY(begin(context, trained, program, variables, s));
  GLK_TRY(glk_allocate(context, s->count, sizeof *s->states, &s->states));
  for (uint32_t i = 0; s->optimizer && i < s->count; i++) {
    s->states[i] = state_of(s->optimizer, s->variables[i]);
  }
  if (s->subject) {
    const uint32_t words = glk_subject_count(s->variables, s->count);
    write_subject(context, s);
    s->is_learnt = (uint32_t)glk_solver_knows(s->solver, s->subject, words);
  }
  const glk_status status = glk_archive_write(context, walk_state, s, out, capacity, out_bytes);
  glk_release(context, s->states, s->count, sizeof *s->states);
  return status;
}

glk_status glk_state_save(glk_context *context, glk_handle trained, glk_handle program,
                          const glk_handle *variables, uint32_t count, const double *numbers,
                          uint32_t number_count, uint8_t *out, size_t capacity, size_t *out_bytes) {
  state s = {.count = count, .numbers = numbers, .number_count = number_count};
  GLK_REFUSE_IF(context, !out_bytes || (count && !variables) || (number_count && !numbers));
  const glk_status status =
      save(context, trained, program, variables, &s, out, capacity, out_bytes);
  end(context, &s, 0);
  return status;
}

glk_status glk_state_variables(const glk_context *context, glk_handle trained, glk_handle *out,
                               uint32_t capacity, uint32_t *out_count) {
  state s = {.count = 0};
  uint32_t found = 0;
  GLK_REFUSE_IF(context, !out_count || (capacity && !out));
  GLK_TRY(expect_trained(context, trained, &s));
  for (uint32_t i = s.optimizer ? 0 : 1;
       i < (s.optimizer ? s.optimizer->states.count : s.solver->subject_count);) {
    glk_handle handle;
    glk_variable *v;
    if (s.optimizer) {
      const glk_variable_state *state = &s.optimizer->states.items[i++];
      handle = state->variable->tensor.object.handle;
      if (!handle || !glk_variable_state_is_kept(state)) continue; /* disposed, or without a step */
    } else { /* of a disposed one nothing is known, nor where the next one stands */
      handle = s.solver->subject[i];
      GLK_TRY(glk_expect_variable(context, handle, "a variable", &v));
      i += 1 + v->locks.word_count;
    }
    if (found < capacity) out[found] = handle;
    found++;
  }
  *out_count = found;
  return GLK_OK;
}

/* Unless `force`, locked elements must keep their bits. */
static glk_status read_state(glk_context *context, state *s, const uint8_t *bytes,
                             size_t byte_count, int force, uint32_t *out_variable) {
  GLK_TRY(glk_archive_read(context, walk_state, s, bytes, byte_count));
  for (uint32_t i = 0; i < s->count && !force; i++) {
    if (out_variable) *out_variable = i;
    GLK_TRY(glk_check_locked_unchanged(context, s->saved[i].variable, s->saved[i].values));
  }
  for (uint32_t i = 0; i < s->count; i++) glk_holders_state_commit(context, &s->saved[i]);
  return GLK_OK;
}

/* The optimizer becomes the copy that was read, with its states. Cannot fail. */
static void become_optimizer(glk_context *context, glk_optimizer *o, const state *s) {
  const glk_object object = o->object;
  for (uint32_t i = 0; i < s->count; i++) glk_retain(&s->variables[i]->tensor.object);
  glk_variable_states_free(context, &o->states);
  *o = *s->optimizer;
  o->object = object;
  o->states = (glk_variable_states){s->states, s->count, s->count};
}

static glk_status load_optimizer(glk_context *context, state *s, const uint8_t *bytes,
                                 size_t byte_count, int force, uint32_t *out_variable) {
  glk_optimizer *now = s->optimizer, copy = *now;
  GLK_TRY(glk_allocate(context, s->count, sizeof *s->states, &s->states));
  s->optimizer = &copy;
  for (uint32_t i = 0; i < s->count; i++) {
    s->states[i].variable = s->variables[i];
    s->states[i].padded_count = s->variables[i]->tensor.storage->count;
    s->states[i].is_named = 1;
  }
  const glk_status status = read_state(context, s, bytes, byte_count, force, out_variable);
  if (status == GLK_OK) {
    become_optimizer(context, now, s);
  } else {
    for (uint32_t i = 0; i < s->count; i++) glk_variable_state_free(context, &s->states[i]);
    glk_release(context, s->states, s->count, sizeof *s->states);
  }
  return status;
}

static glk_status load_solver(glk_context *context, state *s, const uint8_t *bytes,
                              size_t byte_count, int force, uint32_t *out_variable) {
  glk_solver *now = s->solver;
  const glk_method_row *method = now->method;
  glk_solver *copy;
  GLK_TRY(glk_allocate(context, 1, method->solver_bytes, &copy));
  s->solver = copy;
  *copy = *now;
  copy->subject = NULL;
  copy->subject_count = copy->info.history = 0;
  copy->bounds = (glk_bounds){.owner = now->bounds.owner};
  const glk_status status = read_state(context, s, bytes, byte_count, force, out_variable);
  if (status == GLK_OK) {
    if (s->is_learnt) {
      write_subject(context, s);
      copy->subject = s->subject;
      copy->subject_count = glk_subject_count(s->variables, s->count);
      s->subject = NULL;
    }
    method->release(context, now);
    glk_bounds_clear_locks(context, &now->bounds);
    glk_bounds_free(context, &now->bounds);
    glk_release(context, now->subject, now->subject_count, sizeof *now->subject);
    memcpy(now, copy, method->solver_bytes);
    glk_bounds_take_over(&now->bounds);
  } else {
    method->release(context, copy);
    glk_bounds_free(context, &copy->bounds);
  }
  glk_release(context, copy, 1, method->solver_bytes);
  return status;
}

glk_status glk_state_load(glk_context *context, glk_handle trained, glk_handle program,
                          const glk_handle *variables, uint32_t count, double *numbers,
                          uint32_t number_count, const uint8_t *bytes, size_t byte_count, int force,
                          uint32_t *out_variable) {
  state s = {.count = count, .numbers = numbers, .number_count = number_count};
  GLK_REFUSE_IF(context, !bytes || (count && !variables) || (number_count && !numbers));
  glk_status status = begin(context, trained, program, variables, &s);
  if (status == GLK_OK) {
    status = (s.optimizer ? load_optimizer : load_solver)(context, &s, bytes, byte_count, force,
                                                          out_variable);
  }
  if (status == GLK_OK && number_count) memcpy(numbers, s.found, number_count * sizeof *numbers);
  end(context, &s, 1);
  return status;
}

static void walk_nothing(glk_archive *a, void *subject) {
  (void)subject;
  a->at = a->end;
}

glk_status glk_state_check(glk_context *context, const uint8_t *bytes, size_t count) {
  GLK_REFUSE_IF(context, !bytes);
  return glk_archive_read(context, walk_nothing, NULL, bytes, count);
}
