/* Helpers for WebAssembly hosts: memory to pass arguments in, and the constants of gradlock.h.
 *
 * Hosts outside of C cannot include gradlock.h. Instead of retyping its numbers, which could go out
 * of date unnoticed, they read enumerators and struct offsets from here. Hosts also start threads:
 * instances of the same module on the same memory. */
#include "core/memory.h"
#include "core/thread_pool.h"

typedef struct constant {
  const char *name;
  uint32_t value;
} constant;

#define VALUE(name) \
  { #name, (uint32_t)(name) }
#define FIELD(type, field) \
  { #type "." #field, (uint32_t)offsetof(type, field) }

static const constant constants[] = {
    VALUE(GLK_MAX_RANK),
    VALUE(GLK_MAX_ELEMENTS),
    VALUE(GLK_MAX_INPUTS),
    VALUE(GLK_MAX_ATTRIBUTES),
    VALUE(GLK_ERROR_LOCKED),
    VALUE(GLK_STATUS_COUNT),
    VALUE(GLK_RULE_COUNT),
    VALUE(GLK_METHOD_COUNT),
    VALUE(GLK_SCHEDULE_COUNT),
    VALUE(GLK_CONSTANT),
    VALUE(GLK_OWN_SCHEDULE),
    VALUE(GLK_PIECEWISE_CONSTANT),
    VALUE(GLK_MAX_SCHEDULE),
    VALUE(GLK_STOP_COUNT),
    VALUE(GLK_STOP_STEPS),
    VALUE(GLK_STOP_GRADIENT),
    VALUE(GLK_STOP_CHANGE),
    VALUE(GLK_STOP_NO_PROGRESS),
    VALUE(GLK_STOP_NOT_FINITE),
    VALUE(GLK_STOP_LOCKED),
    VALUE(GLK_STOP_RESOLUTION),
    VALUE(GLK_STOP_UNBOUNDED),
    VALUE(GLK_LOCKS_SET),
    VALUE(GLK_LOCKS_OR),
    VALUE(GLK_LOCKS_AND),
    VALUE(GLK_LOCKS_AND_NOT),
    VALUE(GLK_LOCKS_XOR),
    VALUE(GLK_BY_VALUE),
    VALUE(GLK_BY_MAGNITUDE),
    VALUE(GLK_BY_GRADIENT),
    VALUE(GLK_CHOICE_LARGEST),
    VALUE(GLK_CHOICE_SMALLEST),
    VALUE(GLK_CHOICE_BETWEEN),
    VALUE(GLK_CHOICE_RANDOM),
    VALUE(GLK_SCATTER_UPDATE),
    VALUE(GLK_SCATTER_UPDATE_LAST),
    VALUE(GLK_SCATTER_UPDATE_SUM),
    VALUE(GLK_SCATTER_ADD),
    VALUE(GLK_SCATTER_SUB),
    VALUE(GLK_SCATTER_MIN),
    VALUE(GLK_SCATTER_MAX),
    VALUE(GLK_UNCONSTRAINED),
    VALUE(GLK_NON_NEGATIVE),
    VALUE(GLK_BOX),
    VALUE(GLK_MAX_NORM),
    VALUE(GLK_UNIT_NORM),
    VALUE(GLK_TRACE),
    VALUE(GLK_TAPE),
    {"glk_real.bytes", sizeof(glk_real)},
    FIELD(glk_memory, bytes),
    FIELD(glk_memory, peak_bytes),
    FIELD(glk_memory, objects),
    FIELD(glk_memory, value_bytes),
    FIELD(glk_memory, slot_bytes),
    FIELD(glk_memory, program_bytes),
    FIELD(glk_choice, amount),
    FIELD(glk_choice, low),
    FIELD(glk_choice, high),
    FIELD(glk_choice, seed),
    FIELD(glk_choice, draw),
    FIELD(glk_choice, is_fraction),
    FIELD(glk_choice, kind),
    FIELD(glk_choice, by),
    FIELD(glk_policy, choice),
    FIELD(glk_policy, to),
    FIELD(glk_policy, over),
    FIELD(glk_policy, every),
    FIELD(glk_policy, step),
    FIELD(glk_policy, is_inverted),
    {"glk_policy.bytes", sizeof(glk_policy)},
    FIELD(glk_op_info, name),
    FIELD(glk_op_info, inputs),
    FIELD(glk_op_info, is_public),
    FIELD(glk_op_info, is_differentiable),
    FIELD(glk_program_info, nodes),
    FIELD(glk_program_info, active_nodes),
    FIELD(glk_program_info, memory_bytes),
    FIELD(glk_program_info, runs),
    FIELD(glk_option_info, name),
    FIELD(glk_option_info, initial),
    FIELD(glk_option_info, low),
    FIELD(glk_option_info, high),
    FIELD(glk_option_info, is_flag),
    FIELD(glk_solver_info, iterations),
    FIELD(glk_solver_info, evaluations),
    FIELD(glk_solver_info, gradient),
    FIELD(glk_solver_info, damping),
    FIELD(glk_solver_info, history),
    FIELD(glk_solver_info, stop),
};

/** Memory for arguments and results, aligned for doubles, or NULL. */
void *glk_bind_alloc(size_t bytes) {
  if (bytes > SIZE_MAX - 16) return NULL;
  return glk_default_allocate(NULL, bytes ? (bytes + 15) & ~(size_t)15 : 16, 16);
}

/** Give memory from glk_bind_alloc back. NULL is allowed. */
void glk_bind_free(void *memory) { glk_default_release(NULL, memory); }

/** The index-th constant of gradlock.h: an enumerator or limit by its name, or the offset of a
 *  struct's field as "glk_memory.bytes". GLK_ERROR_INDEX after the last one. */
glk_status glk_bind_constant(uint32_t index, const char **out_name, uint32_t *out_value) {
  if (index >= sizeof constants / sizeof constants[0]) return GLK_ERROR_INDEX;
  if (!out_name || !out_value) return GLK_ERROR_ARGUMENT;
  *out_name = constants[index].name;
  *out_value = constants[index].value;
  return GLK_OK;
}

/** The thread pool of glk_context_threads; NULL: none. */
glk_thread_pool *glk_bind_thread_pool(const glk_context *context) { return context->threads; }

/** The life of a thread: take parts of jobs until the context is disposed. An instance made for the
 *  thread calls it, and nothing else. Returns at once in builds without threads. It has no frame,
 *  which would be on the stack that it leaves.
 *  stack   the end of the thread's own stack, aligned to 16 bytes; it needs as much as the library
 *  thread  1 to the number of threads - 1, each once */
void glk_bind_work(glk_thread_pool *threads, void *stack, uint32_t thread) {
#if defined(__wasm_atomics__)
  __asm__ volatile(".globaltype __stack_pointer, i32\n\tlocal.get %0\n\tglobal.set __stack_pointer"
                   :
                   : "r"(stack)
                   : "memory");
  glk_thread_pool_work(threads, thread);
#else
  (void)threads, (void)stack, (void)thread;
#endif
}
