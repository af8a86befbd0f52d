/* Training of a program: run, differentiate and update, for many steps in one call. */
#include "core/memory.h"
#include "lock/policy.h"
#include "optim/step.h"

/* Find the pair of each derivative. Returns how many pairs have a derivative. */
static uint32_t find_pairs(const glk_step *step, glk_program *program) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    program->derivatives[i].pair = GLK_NO_PAIR;
  }
  for (uint32_t i = 0; i < step->count; i++) {
    glk_derivative *d = glk_program_derivative(program, step->pairs[i].variable);
    if (!d || d->value == GLK_NO_REF) continue;
    d->pair = i;
    count++;
  }
  return count;
}

/* A program never loses a derivative, so an earlier call may have left all of them. */
static glk_status differentiate(const glk_step *step, glk_program *program) {
  glk_context *context = step->context;
  if (step->count && find_pairs(step, program) == step->count) return GLK_OK;
  glk_variable **variables;
  GLK_TRY(glk_allocate(context, step->count, sizeof(glk_variable *), &variables));
  uint32_t needed = 0;
  for (uint32_t i = 0; i < step->count; i++) {
    /* A tape computes gradients as it records them, so variables that are locked as a whole are
     * left out (docs/laws.md, law 12). A trace records them once, and skips them when it runs. */
    glk_variable *v = step->pairs[i].variable;
    const glk_lockset *locks = glk_variable_states_locks(context, &step->optimizer->states, v);
    if (program->mode == GLK_TAPE && !glk_needs_gradient(v, locks)) continue;
    variables[needed++] = v;
  }
  const glk_status status = glk_program_differentiate(context, program, variables, needed);
  glk_release(context, variables, step->count, sizeof *variables);
  if (status == GLK_OK) find_pairs(step, program);
  return status;
}

/* Find the gradients that this run needs, of each variable that has a free element or a policy that
 * uses it, and their memory. That of a locked element is left out, unless a policy or a norm needs
 * it. */
static glk_status find_gradients(const glk_step *step, glk_program *program) {
  const int has_norm = glk_takes_norms(step->optimizer);
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    const int is_trained = d->pair != GLK_NO_PAIR;
    glk_program_need(
        program, d,
        is_trained && glk_needs_gradient(step->pairs[d->pair].variable,
                                         glk_variable_state_locks(glk_step_state(step, d->pair))));
  }
  GLK_TRY(glk_program_prepare(step->context, program));
  for (uint32_t i = 0; i < step->count; i++) step->pairs[i].piece_count = 0;
  for (uint32_t i = 0; i < program->derivative_count; i++) {
    glk_derivative *d = &program->derivatives[i];
    if (!d->is_needed) continue;
    glk_gradient_pair *pair = &step->pairs[d->pair];
    const int is_whole = has_norm || glk_policies_need_gradient(pair->variable->holders);
    const glk_lockset *locks = glk_variable_state_locks(glk_step_state(step, d->pair));
    GLK_TRY(glk_program_gradient_buffer(step->context, program, d, is_whole ? NULL : locks));
    pair->piece_count = glk_program_pieces(program, d, &pair->single, &pair->pieces);
  }
  return GLK_OK;
}

/* Everything that can fail for want of memory, before the first of some steps. Policies may change
 * locks after each. */
static glk_status begin(const glk_step *step, glk_program *program, uint32_t steps) {
  GLK_TRY(differentiate(step, program));
  GLK_TRY(glk_step_prepare(step, step->has_policies ? 1 : steps));
  return find_gradients(step, program);
}

/* Before another step: policies may have locked or freed anything, without a new recording
 * (docs/laws.md, law 17). */
static glk_status begin_next(const glk_step *step, glk_program *program) {
  if (glk_step_apply_policies(step, 0) || glk_is_accumulating(step->optimizer)) {
    GLK_TRY(glk_step_prepare(step, 1));
  }
  return find_gradients(step, program);
}

static glk_status take_step(const glk_step *step, glk_program *program, double *out_loss) {
  GLK_TRY(glk_program_execute(step->context, program));
  glk_status status = GLK_OK;
  if (glk_step_apply_policies(step, 1)) status = glk_step_prepare(step, 1);
  const double loss = glk_program_values(program, program->outputs[0])[0];
  if (status == GLK_OK) status = glk_step_take(step);
  if (status != GLK_OK) {
    /* The step is not taken: it will draw the same. */
    program->runs -= program->mode == GLK_TRACE;
    return status;
  }
  *out_loss = loss;
  if (program->average_count) glk_program_update_averages(program);
  return GLK_OK;
}

static glk_status compute_loss(const glk_step *step, glk_program *program, double *out_loss) {
  GLK_TRY(begin(step, program, 1));
  GLK_TRY(glk_program_execute(step->context, program));
  *out_loss = glk_program_values(program, program->outputs[0])[0];
  return GLK_OK;
}

static glk_status run(const glk_step *step, glk_program *program, uint32_t steps,
                      double *out_loss) {
  if (program->mode == GLK_TAPE && steps > 1) {
    return glk_fail(step->context, GLK_ERROR_RECORDING,
                    "a tape holds one computation: record it again for each of %u steps", steps);
  }
  if (!steps) return compute_loss(step, program, out_loss);
  /* Only policies change the needed gradients between the steps of a call. A hook leaves pairs with
   * copies of gradients. */
  const int changes =
      step->has_policies || glk_is_accumulating(step->optimizer) || glk_has_hook(step->optimizer);
  glk_status status = GLK_OK;
  for (uint32_t i = 0; i < steps && status == GLK_OK; i++) {
    if (i == 0) {
      glk_step_apply_policies(step, 0);
      status = begin(step, program, steps);
    } else if (changes) {
      status = begin_next(step, program);
    }
    if (status == GLK_OK) status = take_step(step, program, out_loss);
    glk_step_settle_policies(step, status);
  }
  return status;
}

glk_status glk_optimizer_minimize(glk_context *context, glk_handle optimizer, glk_handle program,
                                  const glk_handle *variables, uint32_t count, uint32_t steps,
                                  double *out_loss) {
  glk_optimizer *o;
  glk_program *p;
  glk_step step;
  double loss = 0;
  GLK_REFUSE_IF(context, (count && !variables));
  GLK_TRY(glk_require_idle(context, "training"));
  GLK_TRY(glk_expect_optimizer(context, optimizer, &o));
  GLK_TRY(glk_expect_program(context, program, &p));
  GLK_TRY(glk_step_begin(context, o, variables, count, &step));
  const glk_status status = run(&step, p, steps, &loss);
  if (status == GLK_OK && out_loss) *out_loss = loss;
  glk_step_end(&step);
  return status;
}
