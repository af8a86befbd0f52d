/* Networks of images, and their training. Each way to compute gives the same bits, and locks are
 * kept.
 *
 * A network is made of bytes (images_layers.h) in a first context, op by op and without locks. What
 * is held:
 * - on a tape, and compiled in a second context, its values have the same bits, run after run. What
 *   is refused is refused with the same status. The second context may have threads;
 * - gradients have the same bits, those of locked elements, too;
 * - a step of every update rule, whatever its options, leaves locked elements and their slots as
 *   they are, and free elements as a step without locks does, with gradients from the tape;
 * - variables that follow a value, and writes to lists of indices, obey locks, too;
 * - if an allocation of the second context fails, the call says so, nothing has changed, and the
 *   call can be repeated;
 * - nothing is left.
 *
 * Input: seeds of locks, options and failures, threads, the network. */
#include "images_layers.h"
#include "images_world.h"

enum { MOST_OPTIONS = 3 };

/* ----------------------------------------------------------------------------------------- ways */

/* Record a node. A trace sees only when it runs that values are bad: such an op is left out. */
static void record_node(world *w, uint32_t i, glk_record_mode mode) {
  const node *n = &nodes[i];
  const glk_status status = TRY(w, perform(w, i));
  if (mode == GLK_TRACE && n->status != GLK_OK && status == GLK_OK) {
    if (w->at[i]) SURE(w, glk_dispose(w->c, w->at[i]));
    w->at[i] = 0;
  } else if (status != n->status) {
    BROKEN("node %u: %s, then %s", i, glk_status_name(n->status), glk_status_name(status));
  }
}

static void record_all(world *w, glk_record_mode mode) {
  OK(w, glk_program_begin(w->c, mode));
  for (uint32_t i = 0; i < node_count; i++) {
    if (nodes[i].kind >= APPLY && nodes[i].elements <= MOST_ELEMENTS) record_node(w, i, mode);
  }
}

static uint32_t outputs[2]; /* the loss, and the last layer */

static void end_recording(world *w) {
  const glk_handle list[2] = {w->at[outputs[0]], w->at[outputs[1]]};
  OK(w, glk_program_end(w->c, list, 2, &w->program));
}

static void check_run(world *w) {
  OK(w, glk_program_run(w->c, w->program));
  for (uint32_t k = 0; k < 2; k++) {
    glk_handle out = 0;
    OK(w, glk_program_output(w->c, w->program, k, &out));
    if (nodes[outputs[k]].kind == APPLY && digest_of(w, out) != digests[outputs[k]]) {
      BROKEN("node %u differs in a program", outputs[k]);
    }
    SURE(w, glk_dispose(w->c, out));
  }
}

/* ------------------------------------------------------------------------------------ gradients */

static void list_trained(world *w) {
  glk_handle list[NODES];
  SURE(w, glk_program_trainable(w->c, w->program, list, NODES, &trained_count));
  for (uint32_t k = 0; k < trained_count; k++) {
    trained[k] = 0;
    while (w->at[trained[k]] != list[k]) trained[k]++;
  }
}

static void list_handles(const world *w, glk_handle *out) {
  for (uint32_t k = 0; k < trained_count; k++) out[k] = w->at[trained[k]];
}

/* Those of the tape are kept in `out`. */
static void check_gradients(glk_handle *out) {
  glk_handle of_first[NODES], of_second[NODES], gradients[NODES];
  double loss[2];
  list_handles(&first, of_first);
  list_handles(&second, of_second);
  OK(&first, glk_program_gradient(first.c, first.program, of_first, trained_count, &loss[0], out));
  OK(&second,
     glk_program_gradient(second.c, second.program, of_second, trained_count, &loss[1], gradients));
  if (memcmp(&loss[0], &loss[1], sizeof *loss) && loss[0] == loss[0]) BROKEN("the loss differs");
  for (uint32_t k = 0; k < trained_count; k++) {
    if (digest_of(&first, out[k]) != digest_of(&second, gradients[k])) {
      BROKEN("the gradient by node %u differs", trained[k]);
    }
    glk_dispose(second.c, gradients[k]);
  }
}

/* ---------------------------------------------------------------------------------------- rules */

typedef struct setup {
  const char *names[MOST_OPTIONS];
  double values[MOST_OPTIONS];
  uint32_t count;
  int is_normed;    /* clips by a norm, which is that of the free elements */
  float factors[4]; /* of learning rates */
} setup;

/* Some options from the library's list, with values in their range. */
static setup next_setup(glk_rule rule) {
  setup s = {.count = draw(&option_seed, MOST_OPTIONS + 1)};
  uint32_t all = 0;
  glk_rule_describe(rule, NULL, NULL, &all);
  for (uint32_t i = 0; i < s.count; i++) {
    glk_option_info option;
    glk_rule_option(rule, draw(&option_seed, all), &option);
    const double share = draw(&option_seed, 16) / 16.0, top = option.high < 4 ? option.high : 4;
    s.names[i] = option.name;
    s.values[i] = option.is_flag ? share >= 0.25 : option.low + share * (top - option.low);
    if (strstr(option.name, "lip")) s.is_normed = 1;
    if (strstr(option.name, "Steps") || strstr(option.name, "requency"))
      s.values[i] = 1 + draw(&option_seed, 3);
  }
  for (uint32_t i = 0; i < 4; i++) s.factors[i] = (float)draw(&option_seed, 3);
  return s;
}

/* A new optimizer for variables as they were made; returns whether it takes the options. */
static int begin_rule(world *w, glk_rule rule, const setup *s) {
  OK(w, glk_optimizer_create(w->c, rule, &w->optimizer));
  reset_variables(w);
  for (uint32_t i = 0; i < node_count; i++) {
    const node *n = &nodes[i];
    if (n->kind != VARIABLE || s->factors[0] == 1 || !n->elements || n->elements > 4) continue;
    SURE(w, glk_optimizer_scale_rate(w->c, w->optimizer, w->at[i], s->factors, n->elements));
  }
  return TRY(w, glk_optimizer_set(w->c, w->optimizer, s->names, s->values, s->count)) == GLK_OK;
}

/* One step of both, with the gradients of the tape in the first. */
static void compare_step(const setup *s, const glk_handle *gradients) {
  glk_handle of_first[NODES], of_second[NODES];
  double steps[2];
  list_handles(&first, of_first);
  list_handles(&second, of_second);
  for (uint32_t k = 0; k < trained_count; k++) {
    set_locks(&first, trained[k], s->is_normed ? locked + place_of(trained[k]) : NULL);
  }
  OK(&first, glk_optimizer_apply(first.c, first.optimizer, of_first, gradients, trained_count));
  OK(&second, glk_optimizer_minimize(second.c, second.optimizer, second.program, of_second,
                                     trained_count, 1, NULL));
  for (uint32_t k = 0; k < trained_count; k++) compare_variable(trained[k], "a step");
  SURE(&first, glk_optimizer_iterations(first.c, first.optimizer, &steps[0]));
  SURE(&second, glk_optimizer_iterations(second.c, second.optimizer, &steps[1]));
  if (steps[0] != steps[1]) BROKEN("%g steps, and %g", steps[0], steps[1]);
}

static uint32_t read_slots(uint32_t i, glk_rule rule, float out[][MOST_ELEMENTS]) {
  uint32_t count = 0;
  glk_rule_describe(rule, NULL, &count, NULL);
  for (uint32_t s = 0; s < count; s++) {
    SURE(&second, glk_optimizer_slot(second.c, second.optimizer, second.at[i], s, out[s],
                                     nodes[i].elements));
  }
  return count;
}

static uint32_t kept[NODES][MOST_ELEMENTS];
static float slots[2][GLK_MAX_SLOTS][MOST_ELEMENTS];

/* More steps, with other locks. Of one variable slots are compared, too. */
static void train_on(glk_rule rule) {
  glk_handle list[NODES];
  const uint32_t one = trained[draw(&lock_seed, trained_count)];
  list_handles(&second, list);
  change_locks();
  for (uint32_t i = 0; i < node_count; i++) {
    if (nodes[i].kind == VARIABLE) read_bits(&second, i, kept[i]);
  }
  read_slots(one, rule, slots[0]);
  OK(&second, glk_optimizer_minimize(second.c, second.optimizer, second.program, list,
                                     trained_count, 2, NULL));
  for (uint32_t i = 0; i < node_count; i++) {
    if (nodes[i].kind == VARIABLE) check_locked(&second, i, kept[i], "training");
  }
  const uint32_t count = read_slots(one, rule, slots[1]);
  for (uint32_t k = 0; k < count * nodes[one].elements; k++) {
    const uint32_t s = k / nodes[one].elements, e = k % nodes[one].elements;
    if (locked[place_of(one) + e] && memcmp(&slots[0][s][e], &slots[1][s][e], sizeof(float)))
      BROKEN("training changed a slot of a locked element");
  }
}

static void check_rule(glk_rule rule, const glk_handle *gradients) {
  const setup s = next_setup(rule);
  const int taken = begin_rule(&first, rule, &s);
  if (begin_rule(&second, rule, &s) != taken) BROKEN("options are not refused alike");
  compare_step(&s, gradients);
  if (draw(&option_seed, 3) == 0) train_on(rule); /* which takes longest */
  glk_dispose(first.c, first.optimizer);
  glk_dispose(second.c, second.optimizer);
  first.optimizer = second.optimizer = 0;
}

/* ------------------------------------------------------------------------------------ one input */

/* Writes to listed rows of a variable, which locks may refuse. */
static void check_scatter(uint32_t i) {
  const node *n = &nodes[i];
  uint32_t dims[GLK_MAX_RANK], two[2] = {2, 1};
  float at[2];
  glk_handle at_indices = 0, updates = 0;
  if (!n->rank || !n->elements) return;
  for (uint32_t k = 0; k < 2; k++) at[k] = (float)draw(&option_seed, n->dims[0]);
  memcpy(dims, n->dims, sizeof dims);
  dims[0] = 2;
  if (product(n->rank, dims) > n->elements) return;
  SURE(&second, glk_tensor_create(second.c, 2, two, at, 2, &at_indices));
  SURE(&second,
       glk_tensor_create(second.c, n->rank, dims, n->values, product(n->rank, dims), &updates));
  read_bits(&second, i, kept[i]);
  const uint64_t before = observe(&second);
  const glk_scatter mode = (glk_scatter)draw(&option_seed, GLK_SCATTER_COUNT);
  const glk_status status =
      TRY(&second, glk_variable_scatter(second.c, second.at[i], mode, at_indices, updates, 0));
  if (status != GLK_OK && observe(&second) != before) BROKEN("a refused scatter changed something");
  check_locked(&second, i, kept[i], "a scatter");
  glk_dispose(second.c, at_indices);
  glk_dispose(second.c, updates);
}

static int has_value(uint32_t i) {
  return nodes[i].kind >= APPLY && first.at[i] && nodes[i].elements <= MOST_ELEMENTS;
}

/* The network op by op, and again on a tape. */
static void begin_first(void) {
  begin_world(&first);
  outputs[0] = make_network(), outputs[1] = current;
  for (uint32_t i = 0; i < node_count; i++) {
    if (has_value(i)) digests[i] = digest_of(&first, first.at[i]);
    if (nodes[i].kind >= APPLY && first.at[i]) glk_dispose(first.c, first.at[i]);
    if (nodes[i].kind >= APPLY) first.at[i] = 0;
  }
  const uint32_t count = node_count;
  record_all(&first, GLK_TAPE);
  if (outputs[0] != NONE) outputs[0] = add_penalty(outputs[0]);
  for (uint32_t i = 0; i < node_count; i++) {
    if (!has_value(i)) continue;
    const uint64_t digest = digest_of(&first, first.at[i]);
    if (i < count && digest != digests[i]) BROKEN("node %u differs on a tape", i);
    digests[i] = digest;
  }
}

static void begin_second(uint32_t threads) {
  begin_world(&second);
  if (threads > 1) glk_context_threads(second.c, threads, 0);
  for (uint32_t i = 0; i < node_count; i++) {
    if (nodes[i].kind < APPLY) OK(&second, perform(&second, i));
  }
  change_locks();
  reset_variables(&second); /* NaNs of locked elements, which may have been read before, too */
  record_all(&second, GLK_TRACE);
  end_recording(&second);
  check_run(&second);
  for (uint32_t i = 0; i < node_count; i++) {
    if (nodes[i].kind == MOVE && nodes[i].status == GLK_OK)
      compare_variable(nodes[i].in[0], "a mean");
  }
  check_run(&second);
}

static void check_training(void) {
  glk_handle gradients[NODES] = {0};
  list_trained(&second);
  if (!trained_count) return;
  check_gradients(gradients);
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) check_rule((glk_rule)rule, gradients);
  check_scatter(trained[draw(&option_seed, trained_count)]);
  for (uint32_t k = 0; k < trained_count; k++) glk_dispose(first.c, gradients[k]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  input = (bytes){data, size};
  lock_seed = next_u8(&input), option_seed = next_u8(&input), failure_seed = next_u8(&input);
  const uint32_t threads = next_u8(&input) < 16 ? 2 : 1;
  begin_first();
  if (outputs[0] == NONE || !is_usable(outputs[0]) || nodes[outputs[0]].rank) {
    glk_program_cancel(first.c);
  } else {
    end_recording(&first);
    begin_second(threads);
    check_training();
    end_world(&second);
  }
  end_world(&first);
  return 0;
}
