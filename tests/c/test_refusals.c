/* What every function refuses: no context, a handle of nothing, and an output that must be given
 * and is NULL. Nothing is written. */
#include "harness.h"

enum { N = 2 };

static const glk_real values[N] = {3, 4};
static const uint32_t dims[1] = {N}, indices[1] = {0};
static const uint8_t mask[N] = {0, 1};
static const double numbers[3] = {1, 1, 1};
static const char *const names[1] = {"learningRate"};
static const glk_choice choice = {.amount = 1};
static const glk_policy policy = {0};

static struct {
  glk_real reals[8];
  uint32_t words[8], rank;
  uint8_t bytes[256];
  double number;
  uint64_t digest;
  size_t size;
  int flag;
  glk_handle handles[4];
  const glk_real *view;
  const uint32_t *lock_words;
  const char *name;
  glk_memory memory;
  glk_program_info program;
  glk_solver_info solver;
} out;

static int positive(glk_real value, uint32_t index, void *user) {
  (void)index, (void)user;
  return value > 0;
}

static int keep(glk_real *gradients, size_t count, void *user) {
  (void)gradients, (void)count, (void)user;
  return 0;
}

/* Every function that takes a handle, with the context c and the handle h. */
#define WITH_A_HANDLE(X)                                                             \
  X(glk_dispose(c, h))                                                               \
  X(glk_shape_of(c, h, &out.rank, out.words))                                        \
  X(glk_read(c, h, out.reals, N))                                                    \
  X(glk_view(c, h, &out.view, &out.size))                                            \
  X(glk_digest(c, h, &out.digest))                                                   \
  X(glk_variable_assign(c, h, values, N, 0))                                         \
  X(glk_variable_version(c, h, out.words))                                           \
  X(glk_variable_scatter(c, h, GLK_SCATTER_UPDATE, h, h, 0))                         \
  X(glk_variable_fix(c, h, 0, 1))                                                    \
  X(glk_variable_trainable(c, h, &out.flag))                                         \
  X(glk_locks_copy(c, h, out.handles))                                               \
  X(glk_locks_add_all(c, h))                                                         \
  X(glk_locks_add_mask(c, h, mask, N))                                               \
  X(glk_locks_add_indices(c, h, indices, 1))                                         \
  X(glk_locks_add_axis(c, h, 0, indices, 1))                                         \
  X(glk_locks_add_slice(c, h, 1, indices, dims))                                     \
  X(glk_locks_add_where(c, h, h, positive, NULL))                                    \
  X(glk_locks_add_choice(c, &h, &choice, &h, 1))                                     \
  X(glk_locks_combine(c, h, GLK_LOCKS_SET, h))                                       \
  X(glk_locks_invert(c, h))                                                          \
  X(glk_locks_count(c, h, out.words))                                                \
  X(glk_locks_test(c, h, 0, &out.flag))                                              \
  X(glk_locks_next(c, h, 0, out.words))                                              \
  X(glk_locks_to_mask(c, h, out.bytes, N))                                           \
  X(glk_locks_words(c, h, &out.lock_words, &out.size))                               \
  X(glk_locks_version(c, h, out.words))                                              \
  X(glk_locks_pick(c, h, h, out.handles))                                            \
  X(glk_locks_pack(c, h, out.bytes, sizeof out.bytes, &out.size))                    \
  X(glk_locks_watch(c, h, 1))                                                        \
  X(glk_locks_audit(c, h, out.words, &out.rank, &out.digest))                        \
  X(glk_holder_combine(c, h, "a", GLK_LOCKS_SET, h))                                 \
  X(glk_holder_copy(c, h, "a", out.handles))                                         \
  X(glk_holder_name(c, h, 0, &out.name))                                             \
  X(glk_holder_policy(c, h, "a", &policy))                                           \
  X(glk_holder_schedule(c, h, "a", indices, &h, 1, 0))                               \
  X(glk_holder_steps(c, h, "a", out.words))                                          \
  X(glk_program_run(c, h))                                                           \
  X(glk_program_output(c, h, 0, out.handles))                                        \
  X(glk_program_read(c, h, 0, out.reals, N))                                         \
  X(glk_program_gradient(c, h, &h, 1, &out.number, out.handles))                     \
  X(glk_assign_moving_average(c, h, h, 0.5))                                         \
  X(glk_program_variables(c, h, out.handles, 4, out.words))                          \
  X(glk_program_trainable(c, h, out.handles, 4, out.words))                          \
  X(glk_program_resume(c, h, 3))                                                     \
  X(glk_program_describe(c, h, &out.program))                                        \
  X(glk_optimizer_set(c, h, names, numbers, 1))                                      \
  X(glk_optimizer_get(c, h, names[0], &out.number))                                  \
  X(glk_optimizer_schedule(c, h, GLK_EXPONENTIAL, numbers, 3))                       \
  X(glk_optimizer_scheduled(c, h, out.words, &out.number, &out.rank))                \
  X(glk_optimizer_scale_rate(c, h, h, values, 1))                                    \
  X(glk_optimizer_rates(c, h, h, out.reals, N))                                      \
  X(glk_optimizer_exclude_decay(c, h, h, 1))                                         \
  X(glk_optimizer_constrain(c, h, h, GLK_NON_NEGATIVE, 0, 0, NULL, 0))               \
  X(glk_optimizer_average(c, h, h, out.reals, N))                                    \
  X(glk_optimizer_hook(c, h, keep, NULL))                                            \
  X(glk_optimizer_apply(c, h, &h, &h, 1))                                            \
  X(glk_optimizer_minimize(c, h, h, &h, 1, 1, &out.number))                          \
  X(glk_optimizer_iterations(c, h, &out.number))                                     \
  X(glk_optimizer_norms(c, h, &out.number, &out.number))                             \
  X(glk_optimizer_slot(c, h, h, 0, out.reals, N))                                    \
  X(glk_optimizer_clock(c, h, h, out.words, N))                                      \
  X(glk_solver_set(c, h, names, numbers, 1))                                         \
  X(glk_solver_get(c, h, names[0], &out.number))                                     \
  X(glk_solver_minimize(c, h, h, &h, 1, 1, &out.number))                             \
  X(glk_solver_describe(c, h, &out.solver))                                          \
  X(glk_state_save(c, h, 0, &h, 1, NULL, 0, out.bytes, sizeof out.bytes, &out.size)) \
  X(glk_state_variables(c, h, out.handles, 4, out.words))

/* The functions that take a context, and ask for something else before a handle. */
#define WITHOUT_A_HANDLE(X)                                            \
  X(glk_apply(c, 0, &h, 1, NULL, 0, out.handles))                      \
  X(glk_gradients(c, h, &h, NULL, 1, &h, 1, out.handles))              \
  X(glk_context_threads(c, 2, 1e6))                                    \
  X(glk_context_memory(c, &out.memory))                                \
  X(glk_tensor_create(c, 1, dims, values, N, out.handles))             \
  X(glk_variable_create(c, 1, dims, values, N, "v", 1, out.handles))   \
  X(glk_locks_create(c, 1, dims, out.handles))                         \
  X(glk_locks_unpack(c, mask, sizeof mask, out.handles))               \
  X(glk_op_find(c, "add", out.words))                                  \
  X(glk_program_begin(c, GLK_TRACE))                                   \
  X(glk_program_end(c, &h, 1, out.handles))                            \
  X(glk_placeholder(c, 1, dims, out.handles))                          \
  X(glk_custom_gradient(c, h, h, h, h, out.handles))                   \
  X(glk_optimizer_create(c, GLK_ADAM, out.handles))                    \
  X(glk_schedule_rate(c, GLK_EXPONENTIAL, numbers, 3, 1, &out.number)) \
  X(glk_solver_create(c, GLK_LBFGS, out.handles))                      \
  X(glk_state_check(c, mask, sizeof mask))

/* Where something has to be given, with the variable v, the locks l, the optimizer o, the solver s
 * and the program p. */
#define WITH_A_PLACE_THAT_IS_MISSING(X)                                 \
  X(glk_tensor_create(c, 1, dims, values, N, NULL))                     \
  X(glk_tensor_create(c, 1, NULL, values, N, out.handles))              \
  X(glk_variable_create(c, 1, dims, values, N, "v", 1, NULL))           \
  X(glk_read(c, v, NULL, N))                                            \
  X(glk_view(c, v, NULL, &out.size))                                    \
  X(glk_digest(c, v, NULL))                                             \
  X(glk_variable_assign(c, v, NULL, N, 0))                              \
  X(glk_variable_version(c, v, NULL))                                   \
  X(glk_variable_trainable(c, v, NULL))                                 \
  X(glk_locks_create(c, 1, dims, NULL))                                 \
  X(glk_locks_create(c, 1, NULL, out.handles))                          \
  X(glk_locks_copy(c, l, NULL))                                         \
  X(glk_locks_add_mask(c, l, NULL, N))                                  \
  X(glk_locks_add_indices(c, l, NULL, 1))                               \
  X(glk_locks_add_axis(c, l, 0, NULL, 1))                               \
  X(glk_locks_add_slice(c, l, 1, NULL, dims))                           \
  X(glk_locks_add_slice(c, l, 1, indices, NULL))                        \
  X(glk_locks_add_where(c, l, v, NULL, NULL))                           \
  X(glk_locks_add_choice(c, NULL, &choice, &v, 1))                      \
  X(glk_locks_add_choice(c, &l, NULL, &v, 1))                           \
  X(glk_locks_count(c, l, NULL))                                        \
  X(glk_locks_test(c, l, 0, NULL))                                      \
  X(glk_locks_next(c, l, 0, NULL))                                      \
  X(glk_locks_to_mask(c, l, NULL, N))                                   \
  X(glk_locks_words(c, l, NULL, &out.size))                             \
  X(glk_locks_words(c, l, &out.lock_words, NULL))                       \
  X(glk_locks_version(c, l, NULL))                                      \
  X(glk_locks_pick(c, l, v, NULL))                                      \
  X(glk_locks_pack(c, l, out.bytes, sizeof out.bytes, NULL))            \
  X(glk_locks_unpack(c, NULL, 3, out.handles))                          \
  X(glk_locks_unpack(c, mask, sizeof mask, NULL))                       \
  X(glk_holder_combine(c, v, NULL, GLK_LOCKS_SET, l))                   \
  X(glk_holder_copy(c, v, "a", NULL))                                   \
  X(glk_holder_copy(c, v, NULL, out.handles))                           \
  X(glk_holder_name(c, v, 0, NULL))                                     \
  X(glk_holder_policy(c, v, NULL, &policy))                             \
  X(glk_holder_schedule(c, v, "a", NULL, &l, 1, 0))                     \
  X(glk_holder_schedule(c, v, "a", indices, NULL, 1, 0))                \
  X(glk_holder_steps(c, v, "a", NULL))                                  \
  X(glk_op_find(c, NULL, out.words))                                    \
  X(glk_op_find(c, "add", NULL))                                        \
  X(glk_apply(c, 0, NULL, 1, NULL, 0, out.handles))                     \
  X(glk_apply(c, 0, &v, 1, NULL, 0, NULL))                              \
  X(glk_program_output(c, p, 0, NULL))                                  \
  X(glk_program_read(c, p, 0, NULL, 1))                                 \
  X(glk_program_gradient(c, p, NULL, 1, NULL, out.handles))             \
  X(glk_program_gradient(c, p, &v, 1, NULL, NULL))                      \
  X(glk_program_variables(c, p, out.handles, 4, NULL))                  \
  X(glk_program_trainable(c, p, NULL, 4, out.words))                    \
  X(glk_program_describe(c, p, NULL))                                   \
  X(glk_optimizer_set(c, o, NULL, numbers, 1))                          \
  X(glk_optimizer_set(c, o, names, NULL, 1))                            \
  X(glk_optimizer_get(c, o, names[0], NULL))                            \
  X(glk_optimizer_apply(c, o, NULL, &v, 1))                             \
  X(glk_optimizer_apply(c, o, &v, NULL, 1))                             \
  X(glk_optimizer_minimize(c, o, p, NULL, 1, 1, NULL))                  \
  X(glk_optimizer_iterations(c, o, NULL))                               \
  X(glk_optimizer_slot(c, o, v, 0, NULL, N))                            \
  X(glk_optimizer_clock(c, o, v, NULL, N))                              \
  X(glk_solver_set(c, s, NULL, numbers, 1))                             \
  X(glk_solver_minimize(c, s, p, NULL, 1, 1, NULL))                     \
  X(glk_solver_describe(c, s, NULL))                                    \
  X(glk_state_save(c, o, 0, NULL, 1, NULL, 0, out.bytes, 9, &out.size)) \
  X(glk_state_load(c, o, 0, &v, 1, NULL, 0, NULL, 9, 0, NULL))          \
  X(glk_state_check(c, NULL, 9))

#define IS_REFUSED(call) CHECK_STATUS(call, GLK_ERROR_ARGUMENT);
#define HAS_NO_HANDLE(call) CHECK_STATUS(call, GLK_ERROR_HANDLE);

static void no_function_goes_on_without_a_context(void) {
  glk_context *c = NULL;
  const glk_handle h = 0;
  WITH_A_HANDLE(IS_REFUSED)
  WITHOUT_A_HANDLE(IS_REFUSED)
  CHECK_EQ(glk_handle_kind(NULL, 1), GLK_KIND_NONE);
}

static void no_function_takes_a_handle_of_nothing(void) {
  glk_context *c;
  const glk_handle h = 0;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  WITH_A_HANDLE(HAS_NO_HANDLE)
  glk_context_dispose(c);
}

static void no_function_goes_on_without_what_it_needs(void) {
  glk_context *c;
  glk_handle v, l, o, s, p, sum;
  uint32_t op;
  uint64_t before, after;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  CHECK_STATUS(glk_variable_create(c, 1, dims, values, N, "v", 1, &v), GLK_OK);
  CHECK_STATUS(glk_locks_create(c, 1, dims, &l), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(c, GLK_ADAM, &o), GLK_OK);
  CHECK_STATUS(glk_solver_create(c, GLK_LBFGS, &s), GLK_OK);
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  CHECK_STATUS(glk_op_find(c, "sum", &op), GLK_OK);
  CHECK_STATUS(glk_apply(c, op, &v, 1, NULL, 0, &sum), GLK_OK);
  CHECK_STATUS(glk_program_end(c, &sum, 1, &p), GLK_OK);
  CHECK_STATUS(glk_optimizer_minimize(c, o, p, &v, 1, 2, NULL), GLK_OK);
  CHECK_STATUS(glk_digest(c, v, &before), GLK_OK);
  WITH_A_PLACE_THAT_IS_MISSING(IS_REFUSED)
  CHECK_STATUS(glk_digest(c, v, &after), GLK_OK);
  CHECK(before == after);
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(no_function_goes_on_without_a_context);
  TEST(no_function_takes_a_handle_of_nothing);
  TEST(no_function_goes_on_without_what_it_needs);
  return harness_report();
}
