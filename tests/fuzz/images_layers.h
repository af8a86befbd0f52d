/* How fuzz_images.c makes layers of bytes. They fit their images by construction; now and then an
 * op does not. */
#ifndef GLK_TESTS_IMAGES_LAYERS_H
#define GLK_TESTS_IMAGES_LAYERS_H

#include "images_net.h"
#include "op_order.h"

typedef struct window {
  double attributes[7]; /* padding, strides, then dilations, and room for two sizes */
  uint32_t taps[2];
} window;

/** A window that fits into the images; a pool's may be as large as they are. */
static window next_window(int is_pool) {
  window w = {.attributes = {next_u8(&input) & 1}};
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t k = next_u8(&input), s = next_u8(&input), size = nodes[current].dims[1 + i];
    const uint32_t dilation = s % 8 == 7 && !is_pool ? 2 + k % 2 : 1;
    uint32_t most = w.attributes[0] != 0 ? 5 : size ? (size - 1) / dilation + 1 : 1;
    if (most > 5) most = 5;
    w.taps[i] = k > 200 && most > 2 ? 3 : 1 + k / 2 % most;
    if (is_pool && size > 16 && k & 1) w.taps[i] = size - k / 2 % 4;
    w.attributes[1 + i] = s < 128 ? 1 : 1 + s / 8 % 3;
    w.attributes[3 + i] = is_pool ? w.taps[i] : dilation;
  }
  return w;
}

static uint32_t next_channels(void) {
  static const uint32_t many[4] = {16, 33, 64, 128};
  const uint32_t k = next_u8(&input);
  return k > 235 ? many[k % 4] : 1 + k % 12;
}

static void convolve(void) {
  const window w = next_window(0);
  const uint32_t dims[4] = {w.taps[0], w.taps[1], nodes[current].dims[3], next_channels()};
  const uint32_t filter = leaf(VARIABLE, 4, dims, 0);
  advance(apply("conv2d", current, filter, 0, w.attributes, 5));
}

static void convolve_depthwise(void) {
  const window w = next_window(0);
  const uint32_t dims[4] = {w.taps[0], w.taps[1], nodes[current].dims[3],
                            1 + next_below(&input, 3)};
  const uint32_t filter = leaf(VARIABLE, 4, dims, 0);
  advance(apply("depthwiseConv2d", current, filter, 0, w.attributes, 5));
}

/* Back to images of which these could be the windows. */
static void convolve_back(void) {
  window w = next_window(0);
  const uint32_t dims[4] = {w.taps[0], w.taps[1], next_channels(), nodes[current].dims[3]};
  for (uint32_t i = 0; i < 2; i++) {
    const uint32_t stride = (uint32_t)w.attributes[1 + i], count = nodes[current].dims[1 + i];
    const uint32_t reach = (w.taps[i] - 1) * (uint32_t)w.attributes[3 + i];
    const uint32_t size = (count - 1) * stride + 1 + next_below(&input, stride);
    w.attributes[5 + i] = count ? size + (w.attributes[0] != 0 ? 0 : reach) : 0;
  }
  const uint32_t filter = leaf(VARIABLE, 4, dims, 0);
  advance(apply("conv2dTranspose", current, filter, 0, w.attributes, 7));
}

/* A pool, or what its gradients are made of, which take another operand. */
static void pool(void) {
  static const char *const names[] = {"avgPool", "maxPool", "maxPoolPick", "maxPoolGradient"};
  const window w = next_window(1);
  advance(apply(names[next_below(&input, 4)], current, current, 0, w.attributes, 5));
}

/* A matrix product, of each pixel or of whole images. */
static void multiply(void) {
  const uint32_t k = next_u8(&input), *x = nodes[current].dims;
  const uint32_t flat[2] = {x[0], x[1] * x[2] * x[3]};
  const uint32_t rows = k & 1 ? reshape(current, 2, flat) : current;
  const uint32_t inner = k & 1 ? flat[1] : x[3], outer = next_channels(), is_turned = k >> 1 & 1;
  const uint32_t dims[2] = {is_turned ? outer : inner, is_turned ? inner : outer};
  const uint32_t matrix = leaf(VARIABLE, 2, dims, 0);
  advance(apply("matMul", rows, matrix, 0, (const double[]){0, is_turned}, 2));
}

/* Attributes of an op of images, a letter for each. */
static uint32_t next_attributes(const char *letters, double *out) {
  const uint32_t *dims = nodes[current].dims;
  uint32_t count = 0;
  for (; *letters; letters++) {
    const uint32_t k = next_u8(&input);
    for (uint32_t a = 0; a < IMAGES; a++) {
      const uint32_t bit = k >> a & 1, inner = bit && dims[a] > 1;
      switch (*letters) {
      case 'a': /* axes */
        if (bit) out[count++] = a;
        break;
      case 'p': out[count++] = (a + k) % 4; break;
      case 't': out[count++] = 1 + bit; break;
      case 'b': out[count++] = inner; break; /* where an axis begins, and what is left of it */
      case 'l': out[count++] = dims[a] - (dims[a] > 1); break;
      case 'e': out[count++] = dims[a]; break;
      default: break;
      }
    }
    switch (*letters) {
    case '1': out[count++] = 1; break;
    case 'f': out[count++] = k & 1; break;
    case '2': out[count++] = k % 3; break;
    case 'x': out[count++] = (double)(k % 5) - 1; break; /* an axis */
    case 'u': out[count++] = k / 256.0; break;
    case 'n': out[count++] = k / -64.0; break;
    default: break;
    }
  }
  return count;
}

static const char *const table[][2] = {
    {"sum", "1a"},      {"mean", "1a"},      {"max", "1a"},         {"min", "1a"},
    {"prod", "1a"},     {"logSumExp", "1a"}, {"variance", "1a"},    {"l2Norm", "1a"},
    {"softmax", "x"},   {"logSoftmax", "x"}, {"layerNorm", "ua"},   {"cumsum", "xff"},
    {"sort", "xf"},     {"gelu", "f"},       {"leakyRelu", "u"},    {"elu", "u"},
    {"transpose", "p"}, {"reverse", "a"},    {"tile", "t"},         {"roll", "2x"},
    {"slice", "bl"},    {"pad", "bbu"},      {"mirrorPad", "bbf"},  {"stridedSlice", "bet"},
    {"argMax", "x"},    {"all", "1a"},       {"clipByValue", "nu"}, {"concat", "x"}};

static void apply_of_table(void) {
  double attributes[GLK_MAX_ATTRIBUTES];
  const char *const *row = table[next_below(&input, sizeof table / sizeof *table)];
  const uint32_t count = next_attributes(row[1], attributes);
  advance(apply(row[0], current, current, 0, attributes, count));
}

/* The next of all ops that has just these operands. */
static uint32_t next_op(const char *operands) {
  const uint32_t from = next_u8(&input), all = glk_op_count();
  order_ops();
  for (uint32_t i = 0; i < all; i++) {
    glk_op_info info;
    glk_op_describe(op_numbers[(from + i) % all], &info);
    const char *list = strchr(info.signature, '(');
    if (list && !strcmp(list, operands)) return op_numbers[(from + i) % all];
  }
  BROKEN("no op has the operands %s", operands);
}

static void apply_unary(void) { advance(apply_number(next_op("(x)"), &current, NULL, 0)); }

/* With a bias, another operand that is broadcast, or the images themselves. */
static void apply_binary(void) {
  const uint32_t k = next_u8(&input);
  uint32_t dims[4], other = current;
  for (uint32_t a = 0; a < 4; a++) dims[a] = k >> a & 1 ? 1 : nodes[current].dims[a];
  if (k < 224) other = leaf(k < 160 ? VARIABLE : TENSOR, 4, dims, 0);
  const uint32_t in[3] = {k & 16 ? other : current, k & 16 ? current : other, current};
  advance(apply_number(next_op(k % 32 == 31 ? "(condition, a, b)" : "(a, b)"), in, NULL, 0));
}

/* Rows of the images, or single elements, by lists of indices. */
static void gather_or_scatter(void) {
  static const char *const names[] = {
      "gatherNd",           "tensorScatterNdUpdate", "tensorScatterNdAdd", "tensorScatterNdSub",
      "tensorScatterNdMin", "tensorScatterNdMax",    "scatterNd",          "gather"};
  const uint32_t k = next_u8(&input), *x = nodes[current].dims, depth = 1 + k / 8 % 4;
  const uint32_t which = k % 8, rows = which == 6 ? x[0] : 1 + k % 5;
  const double sizes[4] = {x[0] + 1, x[1], x[2], x[3]};
  uint32_t list[2] = {rows, which < 6 ? depth : 1}, dims[4] = {rows}, least = x[0];
  for (uint32_t a = 1; a < list[1]; a++) least = x[a] < least ? x[a] : least;
  for (uint32_t a = depth; a < 4; a++) dims[1 + a - depth] = x[a];
  const uint32_t indices = leaf(TENSOR, which == 7 ? 1 : 2, list, least ? least : 1);
  uint32_t updates = 0;
  if (which > 0 && which < 6) updates = leaf(VARIABLE, 1 + 4 - depth, dims, 0);
  if (which == 6) {
    advance(apply(names[6], indices, current, 0, sizes, 4));
  } else {
    const double way = next_below(&input, 3);
    advance(apply(names[which], current, indices, updates, &way, which == 1));
  }
}

/* Running statistics. */
static void follow_mean(void) {
  const uint32_t mean = apply("mean", current, 0, 0, (const double[]){0, 0, 1, 2}, 4);
  const double decay = next_u8(&input) / 255.0;
  if (!is_usable(mean)) return;
  const uint32_t variable = leaf(VARIABLE, nodes[mean].rank, nodes[mean].dims, 0);
  add((node){.kind = MOVE, .in = {variable, mean}, .inputs = 2, .attributes = {decay}});
}

/* Images, and a variable: the gradient of the one by the other becomes a part of the loss. */
static uint32_t penalized[2];

static void penalize(void) {
  penalized[0] = current, penalized[1] = next_below(&input, node_count);
  while (penalized[1] && nodes[penalized[1]].kind != VARIABLE) penalized[1]--;
}

typedef void layer(void);

static layer *const layers[] = {
    convolve,     convolve,       convolve_depthwise, convolve_depthwise, convolve_back,
    pool,         pool,           multiply,           apply_of_table,     apply_unary,
    apply_binary, apply_of_table, gather_or_scatter,  follow_mean,        penalize,
    apply_binary};

/* ---------------------------------------------------------------------------------------- whole */

static void make_images(void) {
  const uint32_t k = next_u8(&input), h = next_u8(&input), w = next_u8(&input);
  uint32_t dims[4] = {k % 4, 1 + h % 9, 1 + w % 9, next_channels()};
  if (k > 200) dims[1] = 24 + h % 8, dims[2] = 24 + w % 8, dims[3] = 1 + h % 3;
  if (k > 240) dims[1] = 1, dims[2] = 130 + 2 * w;
  if (k < 248 && !dims[0]) dims[0] = 1;
  if (product(4, dims) > MOST_ELEMENTS) dims[3] = 1;
  current = leaf(k & 4 ? VARIABLE : TENSOR, 4, dims, 0);
}

/* The last part, a scalar. */
static uint32_t make_loss(void) {
  static const char *const losses[][2] = {{"meanSquaredError", "2"},
                                          {"meanAbsoluteError", "2"},
                                          {"huber", "2u"},
                                          {"hinge", "2"},
                                          {"cosineSimilarity", "2x"},
                                          {"binaryCrossentropy", "2fu"},
                                          {"categoricalCrossentropy", "2fu"},
                                          {"sparseCategoricalCrossentropy", "2f"}};
  double attributes[GLK_MAX_ATTRIBUTES];
  const uint32_t k = next_below(&input, 8), *dims = nodes[current].dims;
  const uint32_t truth = leaf(TENSOR, k == 7 ? 3 : 4, dims, k == 7 ? dims[3] : k > 4 ? 2 : 0);
  const uint32_t count = next_attributes(losses[k][1], attributes);
  const uint32_t loss = apply(losses[k][0], truth, current, 0, attributes, count);
  return apply("mean", is_usable(loss) ? loss : current, 0, 0, (const double[]){0}, 1);
}

/** Make the network in the first world; returns its loss. */
static uint32_t make_network(void) {
  node_count = 0, value_count = 0;
  penalized[0] = penalized[1] = 0;
  make_images();
  for (uint32_t left = next_u8(&input) % 8; left && node_count < NODES - 16; left--) {
    layers[next_below(&input, sizeof layers / sizeof *layers)]();
  }
  return make_loss();
}

/** While the network is recorded in the first world: the loss and the mean square of a gradient. */
static uint32_t add_penalty(uint32_t loss) {
  if (!penalized[0]) return loss;
  const uint32_t d = add((node){.kind = DERIVE, .in = {penalized[0], penalized[1]}, .inputs = 2});
  const uint32_t square = apply("square", d, 0, 0, NULL, 0);
  const uint32_t sum =
      apply("add", loss, apply("mean", square, 0, 0, (const double[]){0}, 1), 0, NULL, 0);
  return is_usable(sum) ? sum : loss;
}

#endif
