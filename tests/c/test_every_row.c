/* Every row of the op table, on the operands of its samples and on special numbers: the same bits
 * op by op, on a tape and compiled, run after run, forward and backward (ways.h says how). Programs
 * and digests are printed. run.test.js expects the same ones natively and under WASI,
 * tests/js/programs.test.js from the published WebAssembly. A row that no sample reaches fails the
 * run, and so does a differentiable one of which no gradient was computed.
 */
#include "samples/all.h"
#include "ways.h"

static int computed[MAX_OPS], differentiated[MAX_OPS];

static const double specials[] = {
    0,    -0.0,  1,    -1,    0.5,      -2.5,   3,       88.5,    -104,    1e-40,   -1e-45,
    1e10, -1e10, 3e38, -3e38, 16777217, 0x1p24, -0x1p24, 1.1e-38, 0.99999, -0.0625, 6.2832};
enum { ORDINARY = sizeof specials / sizeof *specials, SPECIALS = ORDINARY + 3 };

static glk_real special(uint32_t i) {
  if (i < ORDINARY) return (glk_real)specials[i];
  const double rest[] = {__builtin_inf(), -__builtin_inf(), __builtin_nan("")};
  return (glk_real)rest[i - ORDINARY];
}

static void check_application(const line *l, const char *title) {
  uint32_t in[GLK_MAX_INPUTS] = {0}, y = 0;
  const int has_letters = l->letters[0] != 0;
  glk_attributes attributes = {.count = l->count};
  memcpy(attributes.values, l->attributes, sizeof l->attributes);
  begin_program(0);
  for (uint32_t k = 0; k < l->inputs; k++) {
    line_draw(l->letters[k], &l->in[k]);
    const int varies = !has_letters || strchr("adpqrw", l->letters[k]);
    in[k] = add_leaf(&l->in[k].shape, l->in[k].values, varies);
  }
  const glk_status status = add_step(l->op, in, &attributes, &y);
  CHECK_MSG(status == GLK_OK, "%s: %s", title, glk_context_detail(c));
  if (status == GLK_OK) {
    computed[l->op] = 1;
    add_loss(1);
    const slopes s = check_program(title);
    for (uint32_t k = 0; k < variable_count; k++) differentiated[l->op] |= s.status[k] == GLK_OK;
  }
}

static void check_text(const char *text) {
  const line l = line_parse(text, NULL);
  if (l.op != glk_op_count()) check_application(&l, text);
}

/* Every special number, paired with every other if there are two operands. */
static void check_specials(const char *text) {
  const uint32_t inputs = (uint32_t)strlen(strchr(text, ' ')) - 1;
  char operands[96], shape[24], title[160];
  operands[0] = 0;
  for (uint32_t k = 0; k < inputs; k++) {
    snprintf(shape, sizeof shape, k == 1 ? "[%u,1]" : "[%u]", (uint32_t)SPECIALS);
    strcat(operands, shape);
  }
  snprintf(title, sizeof title, "%s %s of special numbers", text, operands);
  line l = line_parse(text, operands);
  for (uint32_t k = 0; k < inputs; k++) {
    for (uint32_t i = 0; i < SPECIALS; i++) l.in[k].values[i] = special((i + k / 2) % SPECIALS);
  }
  check_application(&l, title);
}

static void every_row_gives_the_same_bits_in_every_way(void) {
  begin();
  is_thorough = 1;
  is_printed = sizeof(glk_real) == 4;
  FOR_SAMPLES(text, examples) check_text(text);
  FOR_SAMPLES(text, slopes) check_text(text);
  FOR_SAMPLES(text, broadcasting) check_specials(text);
  for (uint32_t op = 0; op < glk_op_count(); op++) {
    const char *name = glk_op_at(op)->name;
    CHECK_MSG(computed[op], "%s: no sample", name);
    CHECK_MSG(differentiated[op] || !glk_op_is_differentiable(glk_op_at(op)),
              "%s: no gradient of a sample", name);
  }
  end();
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(every_row_gives_the_same_bits_in_every_way);
  return harness_report();
}
