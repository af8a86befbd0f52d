/* Convolutions, pools and their gradients compared with plain loops that define the order of sums,
 * over random sizes, windows, strides, dilations and padding. The bits are the same, however tiles
 * and vectors are used. Samples, refusals and gradients against differences are elsewhere
 * (samples/image.h).
 */
#include "harness.h"
#include "ops/op.h"

#define OK(call) CHECK_STATUS(call, GLK_OK)

enum { MOST = 8192, TRIALS = 1500 };

/* Random sizes of a trial. An image is as large as its windows demand, or smaller if they may
 * overhang. */
typedef struct trial {
  int64_t images, size[2], taps[2], stride[2], dilation[2], before[2], count[2], inputs, outputs;
  int same;
} trial;

static glk_real x[MOST], filter[MOST], y[MOST], expected[MOST];
static trial t;

/* The number of windows in an image of that size. */
static void place_windows(int a, int64_t size) {
  const int64_t reach = (t.taps[a] - 1) * t.dilation[a] + 1;
  t.size[a] = size;
  t.count[a] =
      t.same ? (t.size[a] + t.stride[a] - 1) / t.stride[a] : (t.size[a] - reach) / t.stride[a] + 1;
  const int64_t pad = (t.count[a] - 1) * t.stride[a] + reach - t.size[a];
  t.before[a] = t.same && pad > 0 ? pad / 2 : 0;
}

static void draw_axis(int a, int is_pool) {
  t.taps[a] = 1 + rng_below(4);
  t.stride[a] = 1 + rng_below(3);
  t.dilation[a] = is_pool ? 1 : 1 + rng_below(2);
  const int64_t reach = (t.taps[a] - 1) * t.dilation[a] + 1;
  place_windows(a, t.same ? 1 + rng_below(9) : reach + rng_below(7));
}

static void fill(glk_real *values) {
  for (uint32_t i = 0; i < MOST; i++) values[i] = rng_below(9) ? rng_real(-2, 2) : (glk_real)-0.0;
}

static void draw(int is_pool) {
  t = (trial){.same = rng_below(2) != 0};
  t.images = 1 + rng_below(3);
  t.inputs = 1 + rng_below(9);
  t.outputs = is_pool ? t.inputs : 1 + rng_below(18);
  for (int a = 0; a < 2; a++) draw_axis(a, is_pool);
  fill(x), fill(filter), fill(y);
}

/* Index in x of tap (ty, tx) of window (wy, wx) of image n, or -1 outside. */
static int64_t input_index(int64_t n, int64_t wy, int64_t wx, int64_t ty, int64_t tx) {
  const int64_t iy = wy * t.stride[0] + ty * t.dilation[0] - t.before[0];
  const int64_t ix = wx * t.stride[1] + tx * t.dilation[1] - t.before[1];
  if (iy < 0 || ix < 0 || iy >= t.size[0] || ix >= t.size[1]) return -1;
  return ((n * t.size[0] + iy) * t.size[1] + ix) * t.inputs;
}

#define EACH_ROW(n, wy)                  \
  for (int64_t n = 0; n < t.images; n++) \
    for (int64_t wy = 0; wy < t.count[0]; wy++)
#define EACH_WINDOW(n, wy, wx) EACH_ROW(n, wy) for (int64_t wx = 0; wx < t.count[1]; wx++)
#define EACH_TAP(ty, tx)                     \
  for (int64_t ty = 0; ty < t.taps[0]; ty++) \
    for (int64_t tx = 0; tx < t.taps[1]; tx++)
#define EACH(c, count) for (int64_t c = 0; c < (count); c++)

static int64_t window_of(int64_t n, int64_t wy, int64_t wx) {
  return (n * t.count[0] + wy) * t.count[1] + wx;
}

static glk_handle tensor(glk_context *c, const glk_real *values, const int64_t dims[4]) {
  uint32_t shape[4], count = 1;
  for (int a = 0; a < 4; a++) count *= shape[a] = (uint32_t)dims[a];
  glk_handle out = 0;
  if (CHECK_MSG(count <= MOST, "%u values", count)) {
    OK(glk_tensor_create(c, 4, shape, values, count, &out));
  }
  return out;
}

/* Apply an op, and hold its bits against `expected`. */
static void expect(glk_context *c, uint32_t op, const glk_real *a, const int64_t *a_dims,
                   const glk_real *b, const int64_t *b_dims, const int64_t *more) {
  double attributes[8] = {t.same, (double)t.stride[0], (double)t.stride[1]};
  uint32_t count = 3;
  const int is_pool = strstr(glk_op_at(op)->name, "Pool") != NULL;
  for (int i = 0; i < 2; i++) {
    attributes[count++] = (double)(is_pool ? t.taps[i] : t.dilation[i]);
  }
  for (int i = 0; more && i < 2; i++) attributes[count++] = (double)more[i];
  const glk_handle in[2] = {tensor(c, a, a_dims), b ? tensor(c, b, b_dims) : 0};
  glk_handle out = 0;
  const glk_real *values = NULL;
  size_t n = 0;
  OK(glk_apply(c, op, in, b ? 2 : 1, attributes, count, &out));
  OK(glk_view(c, out, &values, &n));
  CHECK_MSG(
      n <= MOST && !memcmp(values, expected, n * sizeof *values),
      "%s: %d images of %d x %d x %d, windows %d x %d, strides %d and %d, dilations %d and %d, "
      "same %d, %d outputs",
      glk_op_at(op)->name, (int)t.images, (int)t.size[0], (int)t.size[1], (int)t.inputs,
      (int)t.taps[0], (int)t.taps[1], (int)t.stride[0], (int)t.stride[1], (int)t.dilation[0],
      (int)t.dilation[1], t.same, (int)t.outputs);
  glk_dispose(c, out);
  glk_dispose(c, in[0]);
  if (b) glk_dispose(c, in[1]);
}

#define X_DIMS ((int64_t[]){t.images, t.size[0], t.size[1], t.inputs})
#define F_DIMS ((int64_t[]){t.taps[0], t.taps[1], t.inputs, t.outputs})
#define Y_DIMS ((int64_t[]){t.images, t.count[0], t.count[1], t.outputs})

/* --------------------------------------------------------------------------------- convolutions */

static int64_t weight(int64_t ty, int64_t tx, int64_t i, int64_t o) {
  return ((ty * t.taps[1] + tx) * t.inputs + i) * t.outputs + o;
}

/* y: over taps, row by row, then inputs. */
static void conv2d_sums_a_window_tap_by_tap_and_input_by_input(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  for (int trial = 0; trial < TRIALS; trial++) {
    draw(0);
    EACH_WINDOW(n, wy, wx) EACH(o, t.outputs) {
      glk_real sum = 0;
      EACH_TAP(ty, tx) EACH(i, t.inputs) {
        const int64_t at = input_index(n, wy, wx, ty, tx);
        sum += (at < 0 ? 0 : x[at + i]) * filter[weight(ty, tx, i, o)];
      }
      expected[window_of(n, wy, wx) * t.outputs + o] = sum;
    }
    expect(c, OP("conv2d"), x, X_DIMS, filter, F_DIMS, NULL);
  }
  glk_context_dispose(c);
}

/* x: over outputs, then over windows in order. */
static void its_gradient_by_images_adds_windows_in_order(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  for (int trial = 0; trial < TRIALS; trial++) {
    draw(0);
    memset(expected, 0, sizeof expected);
    EACH_WINDOW(n, wy, wx) EACH_TAP(ty, tx) EACH(i, t.inputs) {
      const int64_t at = input_index(n, wy, wx, ty, tx);
      glk_real sum = 0;
      EACH(o, t.outputs) {
        sum += y[window_of(n, wy, wx) * t.outputs + o] * filter[weight(ty, tx, i, o)];
      }
      if (at >= 0) expected[at + i] += sum;
    }
    expect(c, OP("conv2dTranspose"), y, Y_DIMS, filter, F_DIMS, t.size);
  }
  glk_context_dispose(c);
}

/* f: over windows in order. */
static void its_gradient_by_the_filter_sums_over_windows_in_order(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  for (int trial = 0; trial < TRIALS; trial++) {
    draw(0);
    memset(expected, 0, sizeof expected);
    EACH_WINDOW(n, wy, wx) EACH_TAP(ty, tx) EACH(i, t.inputs) EACH(o, t.outputs) {
      const int64_t at = input_index(n, wy, wx, ty, tx);
      const glk_real dy = y[window_of(n, wy, wx) * t.outputs + o];
      expected[weight(ty, tx, i, o)] += (at < 0 ? 0 : x[at + i]) * dy;
    }
    expect(c, OP("conv2dFilterGradient"), x, X_DIMS, y, Y_DIMS, t.taps);
  }
  glk_context_dispose(c);
}

/* ---------------------------------------------------------------------------------------- pools */

/* Where in x the largest of each window is. */
static int64_t largest[MOST];

static void find_largest(void) {
  EACH_WINDOW(n, wy, wx) EACH(i, t.inputs) {
    int64_t best = -1;
    EACH_TAP(ty, tx) {
      const int64_t at = input_index(n, wy, wx, ty, tx) + i;
      if (at < i) continue;
      if (best < 0 || x[at] > x[best] || (x[at] != x[at] && x[best] == x[best])) best = at;
    }
    largest[window_of(n, wy, wx) * t.inputs + i] = best;
  }
}

static void check_max_pools(glk_context *c, int trials, void (*draw_pool)(void)) {
  for (int trial = 0; trial < trials; trial++) {
    draw_pool();
    if (rng_below(2)) { /* ties, infinities and NaNs */
      for (uint32_t i = 0; i < MOST; i++) {
        const uint32_t kind = rng_below(5);
        x[i] = (glk_real)(kind == 0 ? -__builtin_inf() : kind == 1 ? __builtin_nan("") : kind);
      }
    }
    find_largest();
    const int64_t windows = t.images * t.count[0] * t.count[1] * t.inputs;
    EACH(k, windows) expected[k] = x[largest[k]];
    expect(c, OP("maxPool"), x, X_DIMS, NULL, NULL, NULL);
    EACH(k, windows) expected[k] = filter[largest[k]];
    expect(c, OP("maxPoolPick"), filter, X_DIMS, x, X_DIMS, NULL);
    memset(expected, 0, sizeof expected);
    EACH_ROW(n, wy) EACH_TAP(ty, tx) EACH(wx, t.count[1]) EACH(i, t.inputs) {
      const int64_t at = input_index(n, wy, wx, ty, tx) + i,
                    window = window_of(n, wy, wx) * t.inputs + i;
      if (at >= i && largest[window] == at) expected[at] += y[window];
    }
    expect(c, OP("maxPoolGradient"), y, Y_DIMS, x, X_DIMS, NULL);
  }
}

static void draw_pool(void) { draw(1); }

static void max_pools_take_and_give_where_the_first_largest_is(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  check_max_pools(c, TRIALS, draw_pool);
  glk_context_dispose(c);
}

/* Windows as large as their images, from 64-fold overlap on: they are looked through one axis after
 * the other. */
static void draw_wide(uint32_t least, uint32_t most) {
  draw(1);
  t.images = 1 + rng_below(2);
  t.inputs = t.outputs = 1 + rng_below(2);
  for (int a = 0; a < 2; a++) {
    t.taps[a] = least + rng_below(most - least + 1);
    t.stride[a] = 1 + rng_below(8) / 7;
    t.same = 1;
    t.size[a] = least + rng_below(most - least + 1);
    t.count[a] = (t.size[a] + t.stride[a] - 1) / t.stride[a];
    const int64_t pad = (t.count[a] - 1) * t.stride[a] + t.taps[a] - t.size[a];
    t.before[a] = pad > 0 ? pad / 2 : 0;
  }
}

static void draw_wide_max(void) {
  draw_wide(14, 17);
  for (int i = 0; i < 40; i++) { /* ties, both zeros and NaNs */
    const double specials[] = {2, -0.0, 0, __builtin_inf(), -__builtin_inf(), __builtin_nan("")};
    x[rng_below(MOST)] = (glk_real)specials[rng_below(rng_below(4) ? 5 : 6)];
  }
}

static void wide_max_pools_give_the_same_bits(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  check_max_pools(c, 24, draw_wide_max);
  glk_context_dispose(c);
}

/* Apply an op, and hold it against `expected`: sums of positive numbers in another order. */
static void expect_near(glk_context *c, uint32_t op, const glk_real *a, const int64_t *a_dims,
                        uint32_t count, uint32_t terms) {
  const double eps = sizeof(glk_real) == 4 ? 0x1p-23 : 0x1p-52;
  double attributes[7] = {t.same,
                          (double)t.stride[0],
                          (double)t.stride[1],
                          (double)t.taps[0],
                          (double)t.taps[1],
                          (double)t.size[0],
                          (double)t.size[1]};
  const glk_handle in = tensor(c, a, a_dims);
  const glk_real *values = NULL;
  glk_handle out = 0;
  size_t n = 0;
  OK(glk_apply(c, op, &in, 1, attributes, op == OP("avgPool") ? 5 : 7, &out));
  OK(glk_view(c, out, &values, &n));
  CHECK_EQ((int64_t)n, count);
  for (uint32_t i = 0; i < count; i++) {
    CHECK_NEAR(values[i], expected[i], eps * terms * (double)expected[i]);
  }
  glk_dispose(c, out);
  glk_dispose(c, in);
}

static void wide_mean_pools_are_the_same_but_for_the_order_of_their_sums(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  for (int trial = 0; trial < 12; trial++) {
    static double sums[MOST];
    draw_wide(32, 36);
    for (uint32_t i = 0; i < MOST; i++) x[i] = rng_real(1, 2), y[i] = rng_real(1, 2), sums[i] = 0;
    EACH_WINDOW(n, wy, wx) EACH(i, t.inputs) {
      const int64_t window = window_of(n, wy, wx) * t.inputs + i;
      double sum = 0, many = 0;
      EACH_TAP(ty, tx) {
        const int64_t at = input_index(n, wy, wx, ty, tx);
        if (at >= 0) many += 1, sum += (double)x[at + i];
      }
      expected[window] = (glk_real)(sum / many);
      EACH_TAP(ty, tx) {
        const int64_t at = input_index(n, wy, wx, ty, tx);
        if (at >= 0) sums[at + i] += (double)y[window] / many;
      }
    }
    const int64_t windows = t.images * t.count[0] * t.count[1] * t.inputs;
    const int64_t all = t.images * t.size[0] * t.size[1] * t.inputs;
    expect_near(c, OP("avgPool"), x, X_DIMS, (uint32_t)windows, 200);
    for (int64_t i = 0; i < all; i++) expected[i] = (glk_real)sums[i];
    expect_near(c, OP("avgPoolGradient"), y, Y_DIMS, (uint32_t)all, 200);
  }
  glk_context_dispose(c);
}

/* Tap by tap these would take hours. */
static void the_price_of_a_pool_does_not_depend_on_its_windows(void) {
  enum { SIDE = 512 };
  const uint32_t ops[] = {OP("maxPool"), OP("maxPoolPick"), OP("maxPoolGradient"), OP("avgPool"),
                          OP("avgPoolGradient")};
  static const uint32_t dims[][3] = {{SIDE, SIDE, 1}, {1, SIDE * SIDE, 1}, {SIDE * SIDE, 1, 1}};
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  for (int k = 0; k < 3; k++) {
    const glk_real zero = 0;
    glk_handle in[2], x0 = 0;
    double shape[3];
    for (int a = 0; a < 3; a++) shape[a] = dims[k][a];
    OK(glk_tensor_create(c, 0, NULL, &zero, 1, &x0));
    OK(glk_apply(c, OP("broadcastTo"), &x0, 1, shape, 3, &in[0]));
    in[1] = in[0];
    for (int i = 0; i < 5; i++) {
      const double windows[7] = {1, 1, 1, SIDE * SIDE - 1, SIDE * SIDE / 2, shape[0], shape[1]};
      const glk_op *row = glk_op_at(ops[i]);
      glk_handle out = 0;
      OK(glk_apply(c, ops[i], in, row->inputs, windows, ops[i] == OP("avgPoolGradient") ? 7 : 5,
                   &out));
      OK(glk_dispose(c, out));
    }
    OK(glk_dispose(c, in[0]));
  }
  glk_context_dispose(c);
}

static void mean_pools_sum_tap_by_tap_and_share_among_what_is_inside(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  for (int trial = 0; trial < TRIALS; trial++) {
    static glk_real many[MOST];
    draw(1);
    EACH_WINDOW(n, wy, wx) EACH(i, t.inputs) {
      const int64_t window = window_of(n, wy, wx);
      glk_real sum = 0;
      many[window] = 0;
      EACH_TAP(ty, tx) {
        const int64_t at = input_index(n, wy, wx, ty, tx);
        if (at >= 0) many[window] += 1, sum += x[at + i];
      }
      expected[window * t.inputs + i] = sum / many[window];
    }
    expect(c, OP("avgPool"), x, X_DIMS, NULL, NULL, NULL);
    memset(expected, 0, sizeof expected);
    EACH_ROW(n, wy) EACH_TAP(ty, tx) EACH(wx, t.count[1]) EACH(i, t.inputs) {
      const int64_t at = input_index(n, wy, wx, ty, tx), window = window_of(n, wy, wx);
      if (at >= 0) expected[at + i] += y[window * t.inputs + i] / many[window];
    }
    expect(c, OP("avgPoolGradient"), y, Y_DIMS, NULL, NULL, t.size);
  }
  glk_context_dispose(c);
}

/* Sums of each channel separately: y over taps, f and x over windows, in order; what overhangs is
 * left out. With one output a channel, by vectors, and with several. */
static void depthwise_convolutions_visit_windows_in_order_and_leave_out_what_overhangs(void) {
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  for (int trial = 0; trial < TRIALS; trial++) {
    static glk_real dx[MOST], df[MOST];
    draw(0);
    /* Enough channels for several adjacent vectors, of an image that fits. */
    if (trial % 3 == 0) t.images = 1, t.inputs = 16 + rng_below(20);
    if (trial % 2) { /* wide enough for windows that are summed together, three taps wide */
      t.images = 1, t.taps[1] = 3, t.dilation[1] = 1, t.stride[1] = 1 + rng_below(2);
      place_windows(1, 3 + rng_below(15));
    }
    const int64_t many = trial % 3 < 2 ? 1 : 1 + rng_below(3), inputs = t.inputs;
    t.outputs = inputs * many;
    const int64_t f_dims[] = {t.taps[0], t.taps[1], inputs, many};
    memset(dx, 0, sizeof dx);
    memset(df, 0, sizeof df);
    EACH_WINDOW(n, wy, wx) EACH(o, t.outputs) {
      const int64_t window = window_of(n, wy, wx) * t.outputs + o;
      glk_real sum = 0;
      EACH_TAP(ty, tx) {
        const int64_t at = input_index(n, wy, wx, ty, tx) + o / many;
        const int64_t tap = (ty * t.taps[1] + tx) * t.outputs + o;
        if (input_index(n, wy, wx, ty, tx) < 0) continue;
        sum += x[at] * filter[tap];
        dx[at] += y[window] * filter[tap];
        df[tap] += x[at] * y[window];
      }
      expected[window] = sum;
    }
    expect(c, OP("depthwiseConv2d"), x, X_DIMS, filter, f_dims, NULL);
    memcpy(expected, dx, sizeof dx);
    expect(c, OP("depthwiseConv2dInputGradient"), y, Y_DIMS, filter, f_dims, t.size);
    memcpy(expected, df, sizeof df);
    expect(c, OP("depthwiseConv2dFilterGradient"), x, X_DIMS, y, Y_DIMS, t.taps);
  }
  glk_context_dispose(c);
}

/* Scratch in reals of a convolution of 3 x 3, or of its gradient, over an image 6 wide. */
static size_t scratch_of(glk_context *c, uint32_t op, uint32_t height, uint32_t channels) {
  const int is_gradient = op != OP("conv2d");
  const glk_shape image = {.rank = 4, .dims = {1, height, 6, channels}}, y = image;
  const glk_shape taps = {.rank = 4, .dims = {3, 3, channels, channels}};
  const glk_shape *const in[2] = {&image, op == OP("conv2dFilterGradient") ? &y : &taps};
  glk_attributes attributes = {is_gradient ? 7 : 5, {1, 1, 1, 1, 1, 3, 3}};
  if (op == OP("conv2dTranspose")) attributes.values[5] = height, attributes.values[6] = 6;
  glk_shape out;
  OK(glk_op_at(op)->infer(c, glk_op_at(op), in, &attributes, &out));
  return glk_op_at(op)->scratch(in, &attributes);
}

/* Neither the lines of its windows nor its rows with padding are all copied at once. */
static void scratch_of_a_convolution_does_not_grow_with_its_images(void) {
  const uint32_t ops[] = {OP("conv2d"), OP("conv2dTranspose"), OP("conv2dFilterGradient")};
  glk_context *c = NULL;
  OK(glk_context_create(NULL, &c));
  for (int i = 0; i < 3; i++) {
    for (uint32_t channels = 1; channels <= 16; channels++) {
      const size_t less = scratch_of(c, ops[i], 100, channels);
      const size_t more = scratch_of(c, ops[i], 1000, channels);
      CHECK_MSG(more == less, "%s, %u channels: %zu reals for 100 rows, %zu for 1000",
                glk_op_at(ops[i])->name, channels, less, more);
    }
  }
  glk_context_dispose(c);
}

int main(int argc, char **argv) {
  harness_begin(argc, argv);
  TEST(conv2d_sums_a_window_tap_by_tap_and_input_by_input);
  TEST(its_gradient_by_images_adds_windows_in_order);
  TEST(its_gradient_by_the_filter_sums_over_windows_in_order);
  TEST(scratch_of_a_convolution_does_not_grow_with_its_images);
  TEST(depthwise_convolutions_visit_windows_in_order_and_leave_out_what_overhangs);
  TEST(max_pools_take_and_give_where_the_first_largest_is);
  TEST(wide_max_pools_give_the_same_bits);
  TEST(wide_mean_pools_are_the_same_but_for_the_order_of_their_sums);
  TEST(the_price_of_a_pool_does_not_depend_on_its_windows);
  TEST(mean_pools_sum_tap_by_tap_and_share_among_what_is_inside);
  return harness_report();
}
