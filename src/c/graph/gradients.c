/* Gradients of any recorded values by any others, while recording or on a tape that has ended. */
#include "core/memory.h"
#include "graph/program.h"

static glk_status expect_open(glk_context *context, glk_handle handle, glk_program **out) {
  if (!handle) {
    *out = (glk_program *)context->recording;
    if (*out) return GLK_OK;
    return glk_fail(context, GLK_ERROR_RECORDING, "nothing is being recorded");
  }
  GLK_TRY(glk_require_idle(context, "differentiating a tape"));
  GLK_TRY(glk_expect_program(context, handle, out));
  if ((*out)->mode == GLK_TAPE) return glk_program_expect_variables(context, *out);
  return glk_fail(
      context, GLK_ERROR_RECORDING,
      "record the gradients of a compiled program inside it, or differentiate its loss");
}

/* The node of a tensor, GLK_NO_REF if the program has none. */
static glk_status find_node(glk_context *context, const glk_program *program, glk_handle handle,
                            const char *role, glk_ref *out) {
  glk_tensor *tensor;
  GLK_TRY(glk_expect_tensor(context, handle, role, &tensor));
  *out = tensor->recording_serial == program->serial
             ? tensor->node
             : glk_program_find_leaf(context, program, tensor);
  return GLK_OK;
}

/* The node of a value that the program may not have used yet. */
static glk_status find_or_add(glk_context *context, glk_program *program, glk_handle handle,
                              const char *role, glk_ref *out) {
  glk_tensor *tensor;
  GLK_TRY(find_node(context, program, handle, role, out));
  if (*out != GLK_NO_REF) return GLK_OK;
  GLK_TRY(glk_expect_value(context, handle, role, &tensor));
  return glk_program_leaf(context, program, tensor, out);
}

static glk_status find_target(glk_context *context, glk_program *program, glk_handle target,
                              int is_source, glk_handle seed, glk_ref *out, glk_ref *out_seed) {
  /* d(x)/d(x) is 1, whether the recording used x or not. */
  if (is_source) {
    GLK_TRY(find_or_add(context, program, target, "a target", out));
  } else {
    GLK_TRY(find_node(context, program, target, "a target", out));
  }
  if (*out == GLK_NO_REF) {
    return glk_fail(context, GLK_ERROR_GRADIENT,
                    "a target was not computed in this recording, so it has no gradient");
  }
  *out_seed = GLK_NO_REF;
  if (!seed) return GLK_OK;
  GLK_TRY(find_or_add(context, program, seed, "an output gradient", out_seed));
  const glk_shape *shape = program->nodes[*out].shape, *given = program->nodes[*out_seed].shape;
  if (glk_shape_equal(shape, given)) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE,
                  "an output gradient has shape %S, its target has shape %S", given, shape);
}

/* The tensor or variable behind a handle, or NULL. */
static glk_tensor *find_tensor(glk_context *context, glk_handle handle) {
  glk_object *object = glk_lookup(context, handle);
  const int is_tensor =
      object && (object->kind == GLK_KIND_TENSOR || object->kind == GLK_KIND_VARIABLE);
  return is_tensor ? (glk_tensor *)object : NULL;
}

static uint64_t visit_sources(glk_context *context, const glk_handle *sources, uint32_t count) {
  const uint64_t visit = glk_visit_new(context);
  for (uint32_t i = 0; i < count; i++) {
    glk_tensor *source = find_tensor(context, sources[i]);
    if (source) source->visit = visit;
  }
  return visit;
}

/* `refs` has room for targets, their seeds, sources and results, in this order. */
static glk_status write_gradients(glk_context *context, glk_program *program,
                                  const glk_handle *targets, const glk_handle *seeds,
                                  uint32_t target_count, const glk_handle *sources,
                                  uint32_t source_count, glk_ref *refs) {
  glk_ref *seed_refs = refs + target_count, *source_refs = seed_refs + target_count;
  const uint64_t visit = visit_sources(context, sources, source_count);
  for (uint32_t i = 0; i < target_count; i++) {
    const glk_tensor *target = find_tensor(context, targets[i]);
    GLK_TRY(find_target(context, program, targets[i], target && target->visit == visit,
                        seeds ? seeds[i] : 0, &refs[i], &seed_refs[i]));
  }
  for (uint32_t i = 0; i < source_count; i++) {
    GLK_TRY(find_node(context, program, sources[i], "a source", &source_refs[i]));
  }
  return glk_program_backward(context, program, refs, seed_refs, target_count, source_refs,
                              source_count, source_refs + source_count);
}

static glk_status publish_all(glk_context *context, const glk_program *program,
                              const glk_ref *values, uint32_t count, glk_handle *handles) {
  for (uint32_t i = 0; i < count; i++) {
    handles[i] = 0;
    if (values[i] == GLK_NO_REF) continue;
    const glk_status status = glk_program_tensor(context, program, values[i], &handles[i]);
    if (status == GLK_OK) continue;
    while (i--) {
      if (handles[i]) glk_dispose(context, handles[i]);
    }
    return status;
  }
  return GLK_OK;
}

/* A tape that has ended records no more: nodes written for its gradients are removed, and the
 * results are plain values. */
static void forget_nodes(glk_context *context, uint32_t count, const glk_handle *handles) {
  for (uint32_t i = 0; i < count; i++) {
    glk_tensor *tensor = (glk_tensor *)glk_lookup(context, handles[i]);
    if (tensor) tensor->recording_serial = 0;
  }
}

glk_status glk_gradients(glk_context *context, glk_handle program, const glk_handle *targets,
                         const glk_handle *output_gradients, uint32_t target_count,
                         const glk_handle *sources, uint32_t source_count, glk_handle *out) {
  glk_program *p;
  glk_ref *refs;
  GLK_REFUSE_IF(context, (target_count && !targets) || (source_count && (!sources || !out)));
  GLK_TRY(expect_open(context, program, &p));
  const uint32_t before = p->node_count;
  const size_t capacity = (size_t)2 * target_count + (size_t)3 * source_count;
  GLK_TRY(glk_allocate(context, capacity, sizeof(glk_ref), &refs));
  glk_ref *values = refs + 2 * target_count + source_count;
  glk_handle *handles = values + source_count;
  glk_status status = write_gradients(context, p, targets, output_gradients, target_count, sources,
                                      source_count, refs);
  if (status == GLK_OK) status = publish_all(context, p, values, source_count, handles);
  if (status == GLK_OK) {
    for (uint32_t i = 0; i < source_count; i++) out[i] = handles[i];
  }
  if (program && status == GLK_OK) forget_nodes(context, source_count, handles);
  if (program || status != GLK_OK) glk_program_truncate(context, p, before);
  glk_release(context, refs, capacity, sizeof(glk_ref));
  return status;
}
