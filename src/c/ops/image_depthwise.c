/* Convolutions of each channel with its own filters, as TensorFlow defines them. The three rows are
 * gradients of each other, as in image_conv.c. Sums begin at +0: elements of y are summed over the
 * taps of their window, row by row; those of x and f over windows, in order. Taps outside of the
 * image are skipped. */
#include "kernels/depthwise.h"

#include "ops/image_conv_shapes.h"

/* x, f and y may each be out: only the output is written. */
typedef struct depthwise_job {
  glk_depthwise kind;
  glk_windows w;
  size_t multiplier;
  glk_real *x, *f, *y;
  const uint32_t *unread;
} depthwise_job;

static void compute_images(const void *work, size_t from, size_t to, uint32_t thread) {
  const depthwise_job *job = work;
  glk_windows w = job->w;
  const size_t windows = w.y.count * w.x.count * w.depth * job->multiplier;
  (void)thread;
  w.images = to - from;
  glk_kernel_depthwise(job->kind, &w, job->multiplier,
                       job->x + from * w.y.size * w.x.size * w.depth, job->f,
                       job->y + from * windows, job->unread);
}

/* By images; all images are one sum by the filter, which no thread can share. */
static void compute(glk_depthwise kind, const glk_call *call, const glk_shape *x_shape,
                    const glk_shape *f_shape, const glk_real *x, const glk_real *f,
                    const glk_real *y) {
  const glk_windows w = glk_windows_of(call->attributes, x_shape, f_shape->dims,
                                       call->attributes->values + GLK_CONV_DILATION);
  const depthwise_job job = {
      kind, w, f_shape->dims[3], (glk_real *)x, (glk_real *)f, (glk_real *)y, call->unread};
  const double ns = 0.15 * (double)glk_windows_count(&w) * (double)f_shape->count;
  if (w.images < 2 || kind == GLK_DEPTHWISE_F) {
    compute_images(&job, 0, w.images, 0);
  } else {
    glk_parallel_for(call->threads, ns, w.images, 1, compute_images, &job);
  }
}

static void y_forward(const glk_call *call) {
  compute(GLK_DEPTHWISE_Y, call, call->in_shape[0], call->in_shape[1], call->in[0], call->in[1],
          call->out);
}

static const glk_conv_rows rows = {&glk_op_depthwise_conv2d,
                                   &glk_op_depthwise_conv2d_input_gradient,
                                   &glk_op_depthwise_conv2d_filter_gradient};

static void y_gradient(glk_emitter *e, glk_gradient *g) { glk_conv_gradient(e, g, &rows); }

GLK_OP_ROW(depthwise_conv2d, "depthwiseConv2d",
           "depthwiseConv2d(x, filter; same, strideY, strideX, dilationY, dilationX)",
           "Sums of products of each channel's filters (height, width, channels, multiplier) with "
           "every window of images (..., height, width, channels); same = 1: windows may extend "
           "beyond the image as far as needed",
           .inputs = 2, .flags = GLK_OP_PUBLIC | GLK_OP_SHARED | GLK_OP_DEPTHWISE,
           .infer = glk_conv_infer, .forward = y_forward, .gradient = y_gradient)

static void x_forward(const glk_call *call) {
  compute(GLK_DEPTHWISE_X, call, call->out_shape, call->in_shape[1], call->out, call->in[1],
          call->in[0]);
}

static void x_gradient(glk_emitter *e, glk_gradient *g) { glk_conv_images_gradient(e, g, &rows); }

GLK_OP_ROW(depthwise_conv2d_input_gradient, "depthwiseConv2dInputGradient",
           "depthwiseConv2dInputGradient(dy, filter; same, strideY, strideX, dilationY, dilationX, "
           "height, width)",
           "The gradient of depthwiseConv2d by images of that height and width", .inputs = 2,
           .flags = GLK_OP_SHARED | GLK_OP_DEPTHWISE, .infer = glk_conv_infer_images,
           .forward = x_forward, .gradient = x_gradient)

static void f_forward(const glk_call *call) {
  compute(GLK_DEPTHWISE_F, call, call->in_shape[0], call->out_shape, call->in[0], call->out,
          call->in[1]);
}

static void f_gradient(glk_emitter *e, glk_gradient *g) { glk_conv_filter_gradient(e, g, &rows); }

GLK_OP_ROW(depthwise_conv2d_filter_gradient, "depthwiseConv2dFilterGradient",
           "depthwiseConv2dFilterGradient(x, dy; same, strideY, strideX, dilationY, dilationX, "
           "height, width)",
           "The gradient of depthwiseConv2d by a filter of that height and width", .inputs = 2,
           .flags = GLK_OP_MASKED | GLK_OP_DEPTHWISE, .infer = glk_conv_infer_filter,
           .forward = f_forward, .gradient = f_gradient)

GLK_OP_FAMILY(image_depthwise, &glk_op_depthwise_conv2d, &glk_op_depthwise_conv2d_input_gradient,
              &glk_op_depthwise_conv2d_filter_gradient)
