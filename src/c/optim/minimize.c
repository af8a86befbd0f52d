/* Training of a program: run, differentiate and update, for many steps in one call. */
#include "core/memory.h"
#include "graph/program.h"
#include "lock/policy.h"
#include "optim/step.h"

/* True if an earlier call left all derivatives; a program never loses one. */
static int is_differentiated(glk_context *context, const glk_program *program,
                             const glk_gradient_pair *pairs, uint32_t count) {
  const uint64_t mark = glk_mark_pairs(context, pairs, count);
  uint32_t found = 0;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    const glk_derivative *d = &program->derivatives[i];
    found += d->value != GLK_NO_REF && program->nodes[d->leaf].leaf->mark == mark;
  }
  return count > 0 && found == count;
}

static glk_status differentiate(glk_context *context, const glk_optimizer *optimizer,
                                glk_program *program, const glk_gradient_pair *pairs,
                                uint32_t count) {
  if (is_differentiated(context, program, pairs, count)) return GLK_OK;
  void *memory;
  GLK_TRY(glk_allocate(context, count, sizeof(glk_variable *), &memory));
  glk_variable **variables = memory;
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < count; i++) {
    /* A tape computes gradients as it records them, so variables that are locked as a whole are
     * left out (docs/laws.md, law 12). A trace records them once, and skips them when it runs. */
    glk_variable *v = pairs[i].variable;
    const glk_lockset *locks = glk_entries_locks(context, &optimizer->entries, v);
    if (program->mode == GLK_TAPE && !glk_driver_wants(v, locks)) continue;
    variables[wanted++] = pairs[i].variable;
  }
  const glk_status status = glk_program_differentiate(context, program, variables, wanted);
  glk_release(context, memory, count, sizeof *variables);
  return status;
}

/* Mark the gradients that this run needs: of each variable that has a free element or a policy that
 * uses it. */
static void want_free(glk_context *context, const glk_optimizer *optimizer, glk_program *program,
                      const glk_gradient_pair *pairs, uint32_t count) {
  const uint64_t mark = glk_mark_pairs(context, pairs, count);
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    const glk_tensor *leaf = program->nodes[d->leaf].leaf;
    int wanted = 0;
    if (leaf->mark == mark) {
      const glk_gradient_pair *pair = &pairs[leaf->place];
      const glk_entry *entry = &optimizer->entries.items[pair->entry];
      wanted = glk_driver_wants(pair->variable, glk_entry_locks(entry));
    }
    glk_program_want(program, d, wanted);
  }
}

/* Find the wanted gradients their memory. That of a locked element is left out, unless a policy or
 * a norm will look at it. */
static glk_status find_gradients(glk_context *context, const glk_optimizer *optimizer,
                                 glk_program *program, glk_gradient_pair *pairs, uint32_t count) {
  const int has_norm = glk_driver_takes_norms(optimizer);
  for (uint32_t i = 0; i < count; i++) pairs[i].piece_count = 0;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    if (!d->wanted) continue;
    glk_gradient_pair *pair = &pairs[program->nodes[d->leaf].leaf->place];
    const int is_whole = has_norm || glk_policies_want_gradient(pair->variable->holders);
    const glk_lockset *locks = glk_entry_locks(&optimizer->entries.items[pair->entry]);
    GLK_TRY(glk_program_room(context, program, d, is_whole ? NULL : locks));
    pair->piece_count = glk_program_pieces(program, d, &pair->whole, &pair->pieces);
  }
  return GLK_OK;
}

/* Steps of this call up to which locks stay as they are: policies may change them after each. */
static uint32_t steps_ahead(const glk_gradient_pair *pairs, uint32_t count, uint32_t steps) {
  for (uint32_t i = 0; i < count; i++) {
    if (glk_policies_exist(pairs[i].variable->holders)) return 1;
  }
  return steps;
}

/* Everything that can fail for want of memory, before the first step. */
static glk_status begin(glk_context *context, glk_optimizer *optimizer, glk_program *program,
                        glk_gradient_pair *pairs, uint32_t count, uint32_t steps) {
  const uint32_t ahead = steps_ahead(pairs, count, steps);
  GLK_TRY(differentiate(context, optimizer, program, pairs, count));
  GLK_TRY(glk_driver_prepare(context, optimizer, pairs, count, ahead));
  want_free(context, optimizer, program, pairs, count);
  GLK_TRY(glk_program_prepare(context, program));
  return find_gradients(context, optimizer, program, pairs, count);
}

/* Between the steps of a call only policies change the needed gradients. They are holders, which
 * most variables lack. A hook leaves pairs with copies of gradients. */
static int may_change(const glk_optimizer *optimizer, const glk_gradient_pair *pairs,
                      uint32_t count) {
  int found = glk_is_accumulating(optimizer) || glk_has_hook(optimizer);
  for (uint32_t i = 0; i < count; i++) found |= pairs[i].variable->holders != NULL;
  return found;
}

/* Before another step: policies may have locked or freed anything, without a new recording
 * (docs/laws.md, law 17). */
static glk_status begin_next(glk_context *context, glk_optimizer *optimizer, glk_program *program,
                             glk_gradient_pair *pairs, uint32_t count) {
  if (glk_driver_apply_policies(context, pairs, count, 0) || glk_is_accumulating(optimizer)) {
    GLK_TRY(glk_driver_prepare(context, optimizer, pairs, count, 1));
  }
  want_free(context, optimizer, program, pairs, count);
  GLK_TRY(glk_program_prepare(context, program));
  return find_gradients(context, optimizer, program, pairs, count);
}

static glk_status step(glk_context *context, glk_optimizer *optimizer, glk_program *program,
                       glk_gradient_pair *pairs, uint32_t count, double *out_loss) {
  GLK_TRY(glk_program_execute(context, program));
  glk_status status = GLK_OK;
  if (glk_driver_apply_policies(context, pairs, count, 1)) {
    status = glk_driver_prepare(context, optimizer, pairs, count, 1);
  }
  const double loss = glk_program_values(program, program->outputs[0])[0];
  if (status == GLK_OK) status = glk_driver_step(context, optimizer, pairs, count);
  if (status != GLK_OK) {
    /* The step is not taken: it will draw the same. */
    program->runs -= program->mode == GLK_TRACE;
    return status;
  }
  *out_loss = loss;
  if (program->moving_count) glk_program_move(program);
  return GLK_OK;
}

static glk_status measure(glk_context *context, glk_optimizer *optimizer, glk_program *program,
                          glk_gradient_pair *pairs, uint32_t count, double *out_loss) {
  GLK_TRY(begin(context, optimizer, program, pairs, count, 1));
  GLK_TRY(glk_program_execute(context, program));
  *out_loss = glk_program_values(program, program->outputs[0])[0];
  return GLK_OK;
}

static glk_status run(glk_context *context, glk_optimizer *optimizer, glk_program *program,
                      glk_gradient_pair *pairs, uint32_t count, uint32_t steps, double *out_loss) {
  if (program->mode == GLK_TAPE && steps > 1) {
    return glk_fail(context, GLK_ERROR_RECORDING,
                    "a tape holds one computation: record it again for each of %u steps", steps);
  }
  if (!steps) return measure(context, optimizer, program, pairs, count, out_loss);
  const int changes = may_change(optimizer, pairs, count);
  glk_status status = GLK_OK;
  for (uint32_t i = 0; i < steps && status == GLK_OK; i++) {
    if (i == 0) {
      glk_driver_apply_policies(context, pairs, count, 0);
      status = begin(context, optimizer, program, pairs, count, steps);
    } else if (changes) {
      status = begin_next(context, optimizer, program, pairs, count);
    }
    if (status == GLK_OK) status = step(context, optimizer, program, pairs, count, out_loss);
    if (status == GLK_OK) {
      glk_driver_commit_policies(pairs, count);
    } else {
      glk_driver_rollback_policies(context, pairs, count);
    }
  }
  return status;
}

glk_status glk_optimizer_minimize(glk_context *context, glk_handle optimizer, glk_handle program,
                                  const glk_handle *variables, uint32_t count, uint32_t steps,
                                  double *out_loss) {
  glk_optimizer *o;
  glk_program *p;
  void *memory;
  double loss = 0;
  GLK_REFUSE_IF(context, (count && !variables));
  GLK_TRY(glk_require_idle(context, "training"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_program(context, program, &p));
  GLK_TRY(glk_allocate(context, count, sizeof(glk_gradient_pair), &memory));
  glk_gradient_pair *pairs = memory;
  glk_status status = glk_expect_pairs(context, variables, count, pairs);
  if (status == GLK_OK) status = run(context, o, p, pairs, count, steps, &loss);
  if (status == GLK_OK && out_loss) *out_loss = loss;
  glk_release(context, memory, count, sizeof *pairs);
  return status;
}
