/* The fixed training run: a small network, every rule, locks that change on the way. It prints the digests of its final
 * weights, and those of random draws; tests/js/digest.test.js trains the same network through JavaScript, in both WebAssembly builds, and wants
 * the same bytes everywhere. Every number it starts from is a ratio of small integers, so nothing is left to chance. */
#include "harness.h"

enum { BATCH = 16, IN = 8, HIDDEN = 12, OUT = 3, STEPS = 60 };

static glk_context *c;

/* Integers in, exact reals out: -1 <= value < 1. */
static glk_real number(uint32_t i, uint32_t salt) {
  const uint32_t mixed = (i + 1) * 2654435761u + salt * 40503u;
  return (glk_real)((int32_t)(mixed >> 16 & 0xffff) - 32768) / 32768;
}

static void numbers(glk_real *out, uint32_t count, uint32_t salt) {
  for (uint32_t i = 0; i < count; i++) out[i] = number(i, salt);
}

static glk_handle constant(uint32_t rows, uint32_t columns, uint32_t salt) {
  const uint32_t dims[2] = {rows, columns};
  glk_real values[BATCH * HIDDEN];
  glk_handle out = 0;
  numbers(values, rows * columns, salt);
  CHECK_STATUS(glk_tensor_create(c, 2, dims, values, (size_t)rows * columns, &out), GLK_OK);
  return out;
}

static glk_handle variable(uint32_t rank, uint32_t rows, uint32_t columns, uint32_t salt) {
  const uint32_t dims[2] = {rows, columns};
  glk_real values[BATCH * HIDDEN];
  glk_handle out = 0;
  numbers(values, rows * columns, salt);
  CHECK_STATUS(glk_variable_create(c, rank, dims, values, (size_t)rows * columns, "w", 1, &out),
               GLK_OK);
  return out;
}

static glk_handle apply(const char *name, glk_handle a, glk_handle b) {
  uint32_t op;
  glk_handle out = 0;
  CHECK_STATUS(glk_op_find(name, &op), GLK_OK);
  CHECK_STATUS(glk_apply(c, op, (glk_handle[]){a, b}, b ? 2 : 1, NULL, 0, &out), GLK_OK);
  return out;
}

static glk_handle scalar(glk_real value) {
  glk_handle out = 0;
  CHECK_STATUS(glk_tensor_create(c, 0, NULL, &value, 1, &out), GLK_OK);
  return out;
}

/* mean((sigmoid(tanh(x w1 + b) w2) - y)^2) + mean(log(1 + exp(w2))) / 64 */
static glk_handle record(glk_handle w1, glk_handle b, glk_handle w2) {
  const glk_handle x = constant(BATCH, IN, 1), y = constant(BATCH, OUT, 2);
  const glk_handle one = scalar(1), share = scalar((glk_real)0.015625);
  glk_handle program = 0;
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  const glk_handle hidden = apply("tanh", apply("add", apply("matMul", x, w1), b), 0);
  const glk_handle error = apply("sub", apply("sigmoid", apply("matMul", hidden, w2), 0), y);
  const glk_handle fit = apply("mean", apply("square", error, 0), 0);
  const glk_handle softplus = apply("log", apply("add", one, apply("exp", w2, 0)), 0);
  const glk_handle loss = apply("add", fit, apply("mul", apply("mean", softplus, 0), share));
  CHECK_STATUS(glk_program_end(c, &loss, 1, &program), GLK_OK);
  return program;
}

static void toggle(glk_handle variable, uint32_t salt) {
  glk_handle selection;
  uint32_t rank, dims[GLK_MAX_RANK], count = 1;
  uint8_t mask[BATCH * HIDDEN];
  CHECK_STATUS(glk_shape_of(c, variable, &rank, dims), GLK_OK);
  for (uint32_t a = 0; a < rank; a++) count *= dims[a];
  for (uint32_t i = 0; i < count; i++) mask[i] = number(i, salt) < 0;
  CHECK_STATUS(glk_locks_create(c, rank, dims, &selection), GLK_OK);
  CHECK_STATUS(glk_locks_add_mask(c, selection, mask, count), GLK_OK);
  CHECK_STATUS(glk_locks_combine(c, variable, GLK_LOCKS_XOR, selection), GLK_OK);
  CHECK_STATUS(glk_dispose(c, selection), GLK_OK);
}

static void set(glk_handle optimizer, const char *name, double value) {
  CHECK_STATUS(glk_optimizer_set(c, optimizer, &name, &value, 1), GLK_OK);
}

/* The options of each rule's run beside its rate, as in tests/js/digest.test.js. */
typedef struct run_options {
  glk_rule rule;
  struct {
    const char *name;
    double value;
  } set[3];
} run_options;

static const run_options runs[] = {
    {GLK_SGD, {{"momentum", 0.875}, {"weightDecay", 0.125}}},
    {GLK_ADAM, {{"globalClipNorm", 0.125}}},
    {GLK_ADAMW, {{"weightDecay", 0.125}}},
    {GLK_ADAGRAD, {{"weightDecay", 0.125}}},
    {GLK_ADADELTA, {{"learningRate", 4}, {"epsilon", 0.0009765625}}},
    {GLK_RMSPROP, {{"centered", 1}, {"momentum", 0.875}, {"learningRate", 0.0078125}}},
    {GLK_ADAMAX, {{"globalClipNorm", 0.125}}},
    {GLK_NADAM, {{"weightDecay", 0.125}}},
    {GLK_LION, {{"learningRate", 0.0078125}}},
    {GLK_FTRL, {{"learningRatePower", -0.75}, {"l1RegularizationStrength", 0.0009765625}}},
    {GLK_ADAM, {{"amsgrad", 1}}},
    {GLK_RMSPROP, {{"clipValue", 0.125}}},
};
enum { RUNS = sizeof runs / sizeof runs[0] };

static void train(const run_options *run) {
  const glk_rule rule = run->rule;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  const glk_handle weights[3] = {variable(2, IN, HIDDEN, 3), variable(1, HIDDEN, 1, 4),
                                 variable(2, HIDDEN, OUT, 5)};
  const glk_handle program = record(weights[0], weights[1], weights[2]);
  glk_handle optimizer;
  const char *name;
  double loss, first;
  CHECK_STATUS(glk_optimizer_create(c, rule, &optimizer), GLK_OK);
  CHECK_STATUS(glk_rule_describe(rule, &name, NULL, NULL), GLK_OK);
  set(optimizer, "learningRate", 0.0625);
  for (int k = 0; k < 3 && run->set[k].name; k++) {
    set(optimizer, run->set[k].name, run->set[k].value);
  }
  CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, weights, 3, STEPS / 3, &first),
               GLK_OK);
  for (uint32_t round = 0; round < 2; round++) {
    for (uint32_t k = 0; k < 3; k++) toggle(weights[k], 10 + 3 * round + k);
    CHECK_STATUS(glk_optimizer_minimize(c, optimizer, program, weights, 3, STEPS / 3, &loss),
                 GLK_OK);
  }
  CHECK_MSG(loss < first, "%s: the loss went from %g to %g", name, first, loss);
  printf("digest %s", name);
  for (uint32_t k = 0; k < 3; k++) {
    uint64_t digest = 0;
    CHECK_STATUS(glk_digest(c, weights[k], &digest), GLK_OK);
    printf(" %016llx", (unsigned long long)digest);
  }
  printf("\n");
  glk_context_dispose(c);
}

static void a_fixed_training_run_learns_under_every_rule(void) {
  uint32_t trained = 0;
  for (int i = 0; i < RUNS; i++) {
    train(&runs[i]);
    trained |= 1u << runs[i].rule;
  }
  CHECK_EQ(trained, (1u << GLK_RULE_COUNT) - 1);
}

/* ------------------------------------------------------------------------------------------ draws */

static glk_handle drawn(const char *name, const glk_handle *x, const double *attributes,
                        uint32_t count) {
  uint32_t op;
  glk_handle out = 0;
  CHECK_STATUS(glk_op_find(name, &op), GLK_OK);
  CHECK_STATUS(glk_apply(c, op, x, x ? 1 : 0, attributes, count, &out), GLK_OK);
  return out;
}

static void print_digest(const char *name, glk_handle tensor) {
  uint64_t digest = 0;
  CHECK_STATUS(glk_digest(c, tensor, &digest), GLK_OK);
  printf("drawn %s %016llx\n", name, (unsigned long long)digest);
}

/* Seed and step are as JavaScript's generator of that seed counts them. */
static void fixed_draws_have_digests(void) {
  const double seed = 0x1p40 + 3, n = 50001;
  glk_handle program, out, x;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  print_digest("uniform", drawn("randomUniform", NULL, (double[]){seed, 0, -0.1, 0.7, n}, 5));
  x = drawn("randomNormal", NULL, (double[]){seed, 1, 0.25, 3, n}, 5);
  print_digest("normal", x);
  print_digest("truncatedNormal", drawn("truncatedNormal", NULL, (double[]){seed, 2, 0, 1, n}, 5));
  print_digest("bernoulli", drawn("randomBernoulli", NULL, (double[]){seed, 3, 0.3, n}, 4));
  print_digest("permutation", drawn("randomPermutation", NULL, (double[]){seed, 4, n}, 3));
  CHECK_STATUS(glk_program_begin(c, GLK_TRACE), GLK_OK);
  out = drawn("dropout", &x, (double[]){0.1, seed, 5}, 3);
  CHECK_STATUS(glk_program_end(c, &out, 1, &program), GLK_OK);
  for (int run = 0; run < 3; run++) {
    CHECK_STATUS(glk_program_run(c, program), GLK_OK);
    CHECK_STATUS(glk_program_output(c, program, 0, &out), GLK_OK);
    print_digest("dropout", out);
  }
  x = drawn("randomNormal", NULL, (double[]){seed, 6, 0, 1, 40, 30}, 6);
  print_digest("orthogonal", drawn("orthogonalize", &x, NULL, 0));
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(a_fixed_training_run_learns_under_every_rule);
  TEST(fixed_draws_have_digests);
  return harness_report();
}
