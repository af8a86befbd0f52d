/* What the library lists of itself: rules, slots, options, schedules, methods, ops and statuses. It
 * can be asked by number, with any output left out, and there is nothing beyond the last. */
#include "harness.h"

static const int strange[] = {-1, 1 << 20};

static void check_option(const glk_option_info *info) {
  CHECK(info->name && *info->name);
  CHECK_MSG(info->low < info->high, "%s: %g to %g", info->name, info->low, info->high);
  const int must_be_given = info->initial != info->initial;
  CHECK_MSG(must_be_given || (info->initial >= info->low && info->initial < info->high), "%s",
            info->name);
}

static void rules_list_their_slots_and_options(void) {
  for (int rule = 0; rule < GLK_RULE_COUNT; rule++) {
    const char *name = NULL, *slot;
    uint32_t slots = 0, options = 0;
    glk_option_info info;
    CHECK_STATUS(glk_rule_describe((glk_rule)rule, NULL, NULL, NULL), GLK_OK);
    CHECK_STATUS(glk_rule_describe((glk_rule)rule, &name, &slots, &options), GLK_OK);
    CHECK(name && *name && options > 0);
    for (uint32_t k = 0; k < slots; k++) {
      CHECK_STATUS(glk_rule_slot_name((glk_rule)rule, k, &slot), GLK_OK);
      CHECK(slot && *slot);
    }
    for (uint32_t k = 0; k < options; k++) {
      CHECK_STATUS(glk_rule_option((glk_rule)rule, k, &info), GLK_OK);
      check_option(&info);
    }
    CHECK_STATUS(glk_rule_slot_name((glk_rule)rule, slots, &slot), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_rule_slot_name((glk_rule)rule, 0, NULL), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_rule_option((glk_rule)rule, options, &info), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_rule_option((glk_rule)rule, 0, NULL), GLK_ERROR_ARGUMENT);
  }
}

static void methods_and_schedules_list_their_numbers(void) {
  glk_option_info info;
  const char *name;
  uint32_t count;
  for (int method = 0; method < GLK_METHOD_COUNT; method++) {
    CHECK_STATUS(glk_method_describe((glk_method)method, NULL, NULL), GLK_OK);
    CHECK_STATUS(glk_method_describe((glk_method)method, &name, &count), GLK_OK);
    for (uint32_t k = 0; k < count; k++) {
      CHECK_STATUS(glk_method_option((glk_method)method, k, &info), GLK_OK);
      check_option(&info);
    }
    CHECK_STATUS(glk_method_option((glk_method)method, count, &info), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_method_option((glk_method)method, 0, NULL), GLK_ERROR_ARGUMENT);
  }
  for (int kind = 0; kind < GLK_SCHEDULE_COUNT; kind++) {
    CHECK_STATUS(glk_schedule_describe((glk_schedule)kind, NULL, NULL), GLK_OK);
    CHECK_STATUS(glk_schedule_describe((glk_schedule)kind, &name, &count), GLK_OK);
    for (uint32_t k = 0; k < count; k++) {
      CHECK_STATUS(glk_schedule_number((glk_schedule)kind, k, &info), GLK_OK);
      check_option(&info);
    }
    CHECK_STATUS(glk_schedule_number((glk_schedule)kind, count, &info), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_schedule_number((glk_schedule)kind, 0, NULL), GLK_ERROR_ARGUMENT);
  }
}

static void there_is_nothing_beyond_the_lists(void) {
  for (int k = 0; k < 2; k++) {
    const int number = strange[k];
    glk_option_info info;
    glk_op_info op;
    const char *name;
    glk_context *c;
    glk_handle out;
    uint32_t at;
    double rate;
    CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
    CHECK_STATUS(glk_rule_describe((glk_rule)number, &name, NULL, NULL), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_rule_slot_name((glk_rule)number, 0, &name), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_rule_option((glk_rule)number, 0, &info), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_method_describe((glk_method)number, &name, NULL), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_method_option((glk_method)number, 0, &info), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_schedule_describe((glk_schedule)number, &name, NULL), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_schedule_number((glk_schedule)number, 0, &info), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_schedule_rate(c, (glk_schedule)number, NULL, 0, 0, &rate), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_op_describe((uint32_t)number, &op), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_op_describe(0, NULL), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_op_find(c, "noSuchOp", &at), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_optimizer_create(c, (glk_rule)number, &out), GLK_ERROR_ARGUMENT);
    CHECK_STATUS(glk_solver_create(c, (glk_method)number, &out), GLK_ERROR_ARGUMENT);
    CHECK(!glk_status_name((glk_status)number) && !glk_status_meaning((glk_status)number));
    glk_context_dispose(c);
  }
}

/* Calls with an output that is NULL, or with a context that is. */
static void outputs_may_be_left_out_and_contexts_may_not(void) {
  const glk_real values[2] = {3, 4};
  const uint32_t two = 2;
  glk_context *c;
  glk_handle v, sgd, lbfgs, gradient;
  uint32_t count = 9, rank = 9;
  double all = 0;
  CHECK_STATUS(glk_context_create(NULL, &c), GLK_OK);
  CHECK_STATUS(glk_variable_create(c, 1, &two, values, 2, "v", 1, &v), GLK_OK);
  CHECK_STATUS(glk_tensor_create(c, 1, &two, values, 2, &gradient), GLK_OK);
  CHECK_STATUS(glk_optimizer_create(c, GLK_SGD, &sgd), GLK_OK);
  CHECK_STATUS(glk_solver_create(c, GLK_LBFGS, &lbfgs), GLK_OK);
  CHECK_STATUS(glk_optimizer_apply(c, sgd, &v, &gradient, 1), GLK_OK);

  CHECK_STATUS(glk_shape_of(c, v, NULL, NULL), GLK_OK);
  CHECK_STATUS(glk_shape_of(c, v, &rank, NULL), GLK_OK);
  CHECK_EQ(rank, 1);
  CHECK_STATUS(glk_optimizer_norms(c, sgd, NULL, NULL), GLK_OK);
  CHECK_STATUS(glk_optimizer_norms(c, sgd, NULL, &all), GLK_OK);
  CHECK_STATUS(glk_state_variables(c, sgd, NULL, 0, &count), GLK_OK);
  CHECK_EQ(count, 1);
  CHECK_STATUS(glk_state_variables(c, lbfgs, NULL, 0, &count), GLK_OK);
  CHECK_EQ(count, 0);
  glk_context_conflict(c, NULL, NULL);
  glk_context_conflict(NULL, &count, &rank);

  CHECK_STATUS(glk_state_variables(c, sgd, NULL, 1, &count), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_state_variables(c, sgd, &v, 1, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_state_variables(c, v, &v, 1, &count), GLK_ERROR_KIND);
  CHECK_STATUS(glk_optimizer_norms(NULL, sgd, NULL, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_shape_of(NULL, v, &rank, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_program_begin(NULL, GLK_TRACE), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_optimizer_create(c, GLK_SGD, NULL), GLK_ERROR_ARGUMENT);
  CHECK_STATUS(glk_solver_create(c, GLK_LBFGS, NULL), GLK_ERROR_ARGUMENT);
  glk_program_cancel(NULL);
  glk_context_dispose(NULL);
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(rules_list_their_slots_and_options);
  TEST(methods_and_schedules_list_their_numbers);
  TEST(there_is_nothing_beyond_the_lists);
  TEST(outputs_may_be_left_out_and_contexts_may_not);
  return harness_report();
}
