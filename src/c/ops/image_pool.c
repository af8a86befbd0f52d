/* Pools of images, (..., height, width, channels): the largest or the mean of every window's
 * elements inside of the image. If several are the largest, the gradient goes to the first, as in
 * TensorFlow; a NaN counts as the largest. Gradients of elements in several windows are added from
 * +0, row by row of windows, and in a row tap by tap. */
#include "kernels/pool.h"

#include "kernels/elementwise.h"
#include "ops/window.h"

/* Attributes after those of windows: a window's height and width, and those of the images if no
 * operand has them. */
enum { TAPS = GLK_WINDOW_ATTRIBUTES, SIZES = TAPS + 2, ALL = SIZES + 2 };

static glk_windows windows_of(const glk_shape *x, const glk_attributes *attributes) {
  const uint32_t taps[2] = {(uint32_t)attributes->values[TAPS],
                            (uint32_t)attributes->values[TAPS + 1]};
  return glk_windows_of(attributes, x, taps, NULL);
}

/* The shape of the output for images x. */
static glk_status infer_y(glk_context *context, const glk_op *op, const glk_attributes *attributes,
                          const glk_shape *x, glk_shape *out) {
  uint32_t taps[2];
  GLK_TRY(glk_attribute_sizes(context, op, attributes, TAPS, 2, 1, "a window's size", taps));
  return glk_windows_infer(context, op, attributes, x, taps, NULL,
                           x->rank ? x->dims[x->rank - 1] : 0, out);
}

static glk_status expect_y(glk_context *context, const glk_op *op, const glk_attributes *attributes,
                           const glk_shape *x, const glk_shape *y) {
  glk_shape expected;
  GLK_TRY(infer_y(context, op, attributes, x, &expected));
  if (glk_shape_equal(&expected, y)) return GLK_OK;
  return glk_fail(context, GLK_ERROR_SHAPE, "%s: got shape %S, but the windows of shape %S give %S",
                  op->name, y, x, &expected);
}

static glk_status pool_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, SIZES, SIZES));
  return infer_y(context, op, attributes, in[0], out);
}

typedef struct pool_job {
  const glk_call *call;
  glk_pool kind;
  const glk_windows *w;
  const glk_real *x;
  size_t from_image, to_image; /* reals of an image in the operand and in the output */
} pool_job;

static void pool_images(const void *work, size_t from, size_t to, uint32_t thread) {
  const pool_job *job = work;
  const glk_call *call = job->call;
  glk_windows w = *job->w;
  const size_t image = w.y.size * w.x.size * w.depth;
  w.images = to - from;
  glk_kernel_pool(job->kind, &w, job->x ? job->x + from * image : NULL,
                  job->from_image ? call->in[0] + from * job->from_image : NULL,
                  call->out + from * job->to_image, glk_scratch_of(call, thread));
}

static void pool(const glk_call *call, glk_pool kind, const glk_windows *w, const glk_real *x) {
  const size_t images = w->images;
  if (!call->out_shape->count) return;
  const pool_job job = {
      call, kind, w, x, call->in_shape[0]->count / images, call->out_shape->count / images};
  const double ns = 2 * (double)(call->in_shape[0]->count + call->out_shape->count);
  glk_parallel_for(call->threads, ns, images, 1, pool_images, &job);
}

/* From the first operand, of x's shape, a value for each window of x. */
static void gather(const glk_call *call, glk_pool kind, const glk_real *x) {
  const glk_windows w = windows_of(call->in_shape[0], call->attributes);
  pool(call, kind, &w, x);
}

/* Distribute the first operand's value for each window of x to the output, which has x's shape. */
static void scatter(const glk_call *call, glk_pool kind, const glk_real *x) {
  const glk_windows w = windows_of(call->out_shape, call->attributes);
  glk_kernel_fill(call->out_shape->count, 0, call->out);
  pool(call, kind, &w, x);
}

/* Scratch size of the pool over the windows of x. */
static size_t scratch_of(glk_pool kind, const glk_shape *x, const glk_attributes *attributes) {
  const glk_windows w = windows_of(x, attributes);
  return glk_kernel_pool_scratch(kind, &w);
}

static size_t max_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  return scratch_of(GLK_POOL_MAX, in[0], attributes);
}

static void max_forward(const glk_call *call) { gather(call, GLK_POOL_MAX, call->in[0]); }

static void max_gradient(glk_emitter *e, glk_gradient *g) {
  g->d[0] =
      e->apply(e, &glk_op_max_pool_gradient, (const glk_ref[]){g->dy, g->in[0]}, g->attributes);
}

GLK_OP_ROW(max_pool, "maxPool", "maxPool(x; same, strideY, strideX, height, width)",
           "Largest element of every window of images (..., height, width, channels), NaN if any "
           "is; the gradient goes to the first of equal ones",
           .inputs = 1, .flags = GLK_OP_PUBLIC | GLK_OP_SHARED, .infer = pool_infer,
           .scratch = max_scratch, .forward = max_forward, .gradient = max_gradient)

/* Two rows, linear in their first operand and flat in the second, which chooses; each is the
 * other's gradient. */

static void emit_picked(glk_emitter *e, glk_gradient *g, const glk_op *op) {
  if (!g->needs_gradient[0]) return;
  g->d[0] = e->apply(e, op, (const glk_ref[]){g->dy, g->in[1]}, g->attributes);
}

static glk_status max_gradient_infer(glk_context *context, const glk_op *op,
                                     const glk_shape *const *in, glk_attributes *attributes,
                                     glk_shape *out) {
  GLK_TRY(glk_attribute_count(context, op, attributes, SIZES, SIZES));
  *out = *in[1];
  return expect_y(context, op, attributes, in[1], in[0]);
}

static size_t max_gradient_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  return scratch_of(GLK_POOL_MAX_GIVE, in[1], attributes);
}

static void max_gradient_forward(const glk_call *call) {
  scatter(call, GLK_POOL_MAX_GIVE, call->in[1]);
}

static void max_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  emit_picked(e, g, &glk_op_max_pool_pick);
}

GLK_OP_ROW(max_pool_gradient, "maxPoolGradient",
           "maxPoolGradient(dy, x; same, strideY, strideX, height, width)",
           "Adds dy where each window of x has its largest element", .inputs = 2,
           .flags = GLK_OP_SHARED, .infer = max_gradient_infer, .scratch = max_gradient_scratch,
           .forward = max_gradient_forward, .gradient = max_gradient_gradient)

static glk_status pick_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                             glk_attributes *attributes, glk_shape *out) {
  if (!glk_shape_equal(in[0], in[1])) {
    return glk_fail(context, GLK_ERROR_SHAPE, "%s: shapes %S and %S differ", op->name, in[0],
                    in[1]);
  }
  return pool_infer(context, op, in, attributes, out);
}

static size_t pick_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  return scratch_of(GLK_POOL_MAX_PICK, in[1], attributes);
}

static void pick_forward(const glk_call *call) { gather(call, GLK_POOL_MAX_PICK, call->in[1]); }

static void pick_gradient(glk_emitter *e, glk_gradient *g) {
  emit_picked(e, g, &glk_op_max_pool_gradient);
}

GLK_OP_ROW(max_pool_pick, "maxPoolPick",
           "maxPoolPick(values, x; same, strideY, strideX, height, width)",
           "The values where each window of x has its largest element", .inputs = 2,
           .flags = GLK_OP_SHARED, .infer = pick_infer, .scratch = pick_scratch,
           .forward = pick_forward, .gradient = pick_gradient)

static size_t mean_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  return scratch_of(GLK_POOL_MEAN, in[0], attributes);
}

static void mean_forward(const glk_call *call) { gather(call, GLK_POOL_MEAN, NULL); }

static void mean_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_shape x = e->shape(e, g->in[0]);
  glk_attributes all = *g->attributes;
  for (uint32_t i = 0; i < 2; i++) all.values[all.count++] = x.dims[x.rank - 3 + i];
  g->d[0] = e->apply(e, &glk_op_avg_pool_gradient, &g->dy, &all);
}

GLK_OP_ROW(avg_pool, "avgPool", "avgPool(x; same, strideY, strideX, height, width)",
           "Mean of every window of images (..., height, width, channels), padding left out",
           .inputs = 1, .flags = GLK_OP_PUBLIC | GLK_OP_SHARED, .infer = pool_infer,
           .scratch = mean_scratch, .forward = mean_forward, .gradient = mean_gradient)

static glk_status mean_gradient_infer(glk_context *context, const glk_op *op,
                                      const glk_shape *const *in, glk_attributes *attributes,
                                      glk_shape *out) {
  glk_shape x = *in[0];
  GLK_TRY(glk_attribute_count(context, op, attributes, ALL, ALL));
  if (x.rank >= 3) {
    uint32_t *sizes = x.dims + x.rank - 3;
    GLK_TRY(glk_attribute_sizes(context, op, attributes, SIZES, 2, 0, "a size", sizes));
  }
  GLK_TRY(glk_shape_make(context, op->name, x.rank, x.dims, out));
  return expect_y(context, op, attributes, out, in[0]);
}

static size_t mean_gradient_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  glk_shape x = *in[0];
  for (uint32_t i = 0; i < 2; i++) x.dims[x.rank - 3 + i] = (uint32_t)attributes->values[SIZES + i];
  return scratch_of(GLK_POOL_MEAN_GIVE, &x, attributes);
}

static void mean_gradient_forward(const glk_call *call) { scatter(call, GLK_POOL_MEAN_GIVE, NULL); }

static void mean_gradient_gradient(glk_emitter *e, glk_gradient *g) {
  glk_attributes own = *g->attributes;
  own.count = SIZES;
  g->d[0] = e->apply(e, &glk_op_avg_pool, &g->dy, &own);
}

GLK_OP_ROW(avg_pool_gradient, "avgPoolGradient",
           "avgPoolGradient(dy; same, strideY, strideX, height, width, imageHeight, imageWidth)",
           "An equal share of dy for each element of its window", .inputs = 1,
           .flags = GLK_OP_SHARED, .infer = mean_gradient_infer, .scratch = mean_gradient_scratch,
           .forward = mean_gradient_forward, .gradient = mean_gradient_gradient)

GLK_OP_FAMILY(image_pool, &glk_op_max_pool, &glk_op_max_pool_gradient, &glk_op_max_pool_pick,
              &glk_op_avg_pool, &glk_op_avg_pool_gradient)
