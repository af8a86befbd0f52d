/* Convolutions of images, (..., height, width, channels), with filters, (height, width, inputs,
 * outputs), as TensorFlow defines them: without turning the filter. Their shapes and gradients are
 * in image_conv_shapes.c.
 *
 * They are products of matrices: the windows of x, as the lines of one matrix, times f. Lines are
 * copied only where nothing else works, a tile at a time. Forward, windows are packed directly from
 * their image; the filter's gradient reads images in place (docs/decisions/0032). No bit depends on
 * that, nor on the sizes of tiles, since the order of sums is fixed. Elements of y are summed over
 * the taps of their window, row by row, and the channels of each. Those of f are summed over
 * windows, in order; those of x over outputs, then over windows, in order. All sums begin at +0.
 * Padding is zeros that are multiplied like other values. */
#include "ops/image_conv_shapes.h"

#include "kernels/conv.h"
#include "kernels/elementwise.h"
#include "kernels/gemm.h"

enum { DILATION_Y = GLK_CONV_DILATION, GIVEN = GLK_CONV_GIVEN };

/* Builds for tests take few lines, so that all their small products have several tiles. */
#ifdef GLK_DEBUG
enum { TILE = 64, LEAST = 4, BLOCK = 5, FEWEST = 4, PADDED = 300 };
#else
enum {
  TILE = 1 << 14,  /* reals of lines in hand: 64 kB, an eighth of the second-level cache */
  LEAST = 32,      /* lines in hand, so that the filter is not read too often */
  BLOCK = 128,     /* lines whose gradients stay in the first-level cache */
  FEWEST = 8,      /* windows that are worth being read in place */
  PADDED = 1 << 16 /* reals of an image's rows with padding: 256 kB */
};
#endif

/* Multiply lines of `length`, one for each window, by a filter of (length, outputs); no windows if
 * there is nothing to sum. */
typedef struct product {
  glk_windows w;
  size_t windows, length, outputs, tile;
  glk_windows part; /* windows that are read together: all, or rows of an image's with padding */
  size_t padded, together; /* reals of such rows, and how many come together; 0: all */
  int is_whole;            /* windows of `part` do not overhang; rows of their taps are adjacent */
} product;

/* Time of one thread: a product, and moving its left operand. */
static double ns_of(const product *p) {
  return GLK_PRODUCT_NS * (double)p->windows * (double)p->length * (double)(p->outputs + 4);
}

/* The size that holds all windows, with padding if need be. */
static size_t span_of(const glk_window_axis *a) {
  return (a->count - 1) * a->stride + (a->taps - 1) * a->dilation + 1;
}

static int overhangs(const glk_window_axis *a) { return a->before || span_of(a) > a->size; }

/* Choose how windows are read. If none overhangs, they are read in place. Otherwise they are read
 * from copies of some image rows with padding, if a copy serves at least `fewest`; else one by
 * one. */
static void choose_reading(product *p, size_t fewest) {
  glk_windows *w = &p->part;
  if (!p->windows || w->x.dilation > 1) return;
  size_t together = w->y.count;
  const int is_padded = overhangs(&w->y) || overhangs(&w->x);
  if (is_padded) {
    const size_t rows = PADDED / w->depth / span_of(&w->x);
    const size_t reach = (w->y.taps - 1) * w->y.dilation + 1;
    if (rows < reach) return;
    together = glk_min_size(together, (rows - reach) / w->y.stride + 1);
  }
  if (together * w->x.count < fewest) return;
  p->is_whole = 1;
  if (!is_padded) return;
  w->y.count = p->together = together;
  w->y.size = span_of(&w->y), w->x.size = span_of(&w->x), w->images = 1;
  w->y.before = w->x.before = 0;
  p->padded = w->y.size * w->x.size * w->depth;
}

static product product_of(const glk_shape *x, const uint32_t taps[2], uint32_t outputs,
                          const glk_attributes *attributes) {
  product p = {.w = glk_windows_of(attributes, x, taps, attributes->values + DILATION_Y),
               .outputs = outputs};
  p.length = (size_t)taps[0] * taps[1] * p.w.depth;
  if (p.length && outputs) p.windows = glk_windows_count(&p.w);
  /* Where so few would not fit either, one: there may be no number for their memory. */
  const size_t most =
      p.windows && p.length < GLK_MAX_ELEMENTS / LEAST ? TILE / (p.length + outputs) + LEAST : 1;
  p.tile = glk_min_size(p.windows, most / GLK_TILE_ROWS * GLK_TILE_ROWS + (most == 1));
  p.part = p.w;
  return p;
}

/* Where `part`, which begins with window i, finds its images. */
static const glk_real *read_part(product *p, size_t i, const glk_real *x, glk_real *room) {
  const glk_windows *w = &p->w;
  if (!p->padded) return x;
  const size_t row = i / w->x.count, v = row % w->y.count;
  p->part.y.count = glk_min_size(p->together, w->y.count - v);
  p->part.y.size = span_of(&p->part.y);
  glk_kernel_pad(w, (ptrdiff_t)(v * w->y.stride) - (ptrdiff_t)w->y.before, &p->part,
                 x + row / w->y.count * w->y.size * w->x.size * w->depth, room);
  return room;
}

static product conv2d_product(const glk_shape *const *in, const glk_attributes *attributes) {
  product p = product_of(in[0], in[1]->dims, in[1]->dims[3], attributes);
  choose_reading(&p, 2 * LEAST); /* or a large filter would be read too often */
  return p;
}

static size_t conv2d_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  const product p = conv2d_product(in, attributes);
  return p.padded + (p.tile + 2 * GLK_TILE_ROWS) * p.length + 2 * GLK_PANEL_ROOM +
         glk_kernel_gemm_scratch(p.tile, p.outputs, p.length, 0);
}

/* Neighbouring windows of one channel are neighbours in memory: a row of them can be used in place
 * as a transposed left operand. */
static void convolve_rows(const product *p, const glk_real *x, const glk_real *filter, glk_real *y,
                          glk_real *scratch) {
  const glk_windows *w = &p->part;
  for (size_t i = 0; i < w->images; i++, x += w->y.size * w->x.size) {
    for (size_t v = 0; v < w->y.count; v++, y += w->x.count * p->outputs) {
      glk_kernel_gemm_runs(w->x.count, p->outputs, w->y.taps, w->x.taps,
                           x + v * w->y.stride * w->x.size, 1, w->y.dilation * w->x.size, filter, y,
                           scratch, NULL, 0, 1);
    }
  }
}

/* Windows from..to - 1 of those that are read together; y is that of the first of all. */
static void convolve_tiles(const product *p, size_t from, size_t to, const glk_real *x,
                           const glk_real *filter, glk_real *y, glk_real *scratch) {
  glk_real *lines = scratch, *panels = lines + GLK_TILE_ROWS * p->length + GLK_PANEL_ROOM;
  scratch = panels + (p->tile + GLK_TILE_ROWS) * p->length + GLK_PANEL_ROOM;
  for (size_t i = from; i < to; i += p->tile) {
    const size_t count = glk_min_size(to - i, p->tile);
    glk_kernel_window_panels(&p->part, i, count, x, panels, lines);
    glk_kernel_gemm_panels(count, p->outputs, p->length, panels,
                           (glk_matrix){filter, p->outputs, 1}, y + i * p->outputs, scratch);
  }
}

typedef struct conv_job {
  const glk_call *call;
  const product *p;
} conv_job;

/* True if a row of windows is read in place as a transposed left operand. */
static int reads_rows(const product *p) { return p->is_whole && p->w.x.stride * p->w.depth == 1; }

/* Items are windows, whole rows of them where rows are read, and all rows of an image that are read
 * together where it is padded. */
static void convolve(const void *work, size_t from, size_t to, uint32_t thread) {
  const conv_job *job = work;
  const glk_call *call = job->call;
  product p = *job->p;
  const glk_windows *w = &p.w;
  glk_real *room = glk_scratch_of(call, thread), *scratch = room + p.padded;
  if (!p.padded && !reads_rows(&p)) {
    convolve_tiles(&p, from, to, call->in[0], call->in[1], call->out, scratch);
    return;
  }
  if (!p.padded) p.part.images = 1;
  for (size_t i = from, count; i < to; i += count) {
    const size_t row = i / w->x.count, v = row % w->y.count;
    const glk_real *x = read_part(&p, i, call->in[0], room);
    glk_real *y = call->out + i * p.outputs;
    if (!p.padded) {
      p.part.y.count = glk_min_size((to - i) / w->x.count, w->y.count - v);
      x += (row / w->y.count * w->y.size + v * w->y.stride) * w->x.size * w->depth;
    }
    count = p.part.y.count * w->x.count;
    if (reads_rows(&p)) {
      convolve_rows(&p, x, call->in[1], y, scratch);
    } else {
      convolve_tiles(&p, 0, count, x, call->in[1], y, scratch);
    }
  }
}

static void conv2d_forward(const glk_call *call) {
  const product p = conv2d_product(call->in_shape, call->attributes);
  const conv_job job = {call, &p};
  size_t grain = p.tile;
  if (!p.windows) glk_kernel_fill(call->out_shape->count, 0, call->out);
  if (reads_rows(&p)) grain = p.w.x.count;
  if (p.padded) grain = p.w.y.count * p.w.x.count;
  if (p.windows) glk_parallel_for(call->threads, ns_of(&p), p.windows, grain, convolve, &job);
}

static const glk_conv_rows rows = {&glk_op_conv2d, &glk_op_conv2d_transpose,
                                   &glk_op_conv2d_filter_gradient};

static void conv2d_gradient(glk_emitter *e, glk_gradient *g) { glk_conv_gradient(e, g, &rows); }

GLK_OP_ROW(conv2d, "conv2d", "conv2d(x, filter; same, strideY, strideX, dilationY, dilationX)",
           "Sums of products of a filter (height, width, inputs, outputs) with every window of "
           "images (..., height, width, inputs); same = 1: padded with zeros",
           .inputs = 2, .flags = GLK_OP_PUBLIC | GLK_OP_SHARED, .infer = glk_conv_infer,
           .scratch = conv2d_scratch, .forward = conv2d_forward, .gradient = conv2d_gradient)

static product transpose_product(const glk_shape *const *in, const glk_attributes *attributes) {
  glk_shape x = *in[0];
  uint32_t *sizes = x.dims + x.rank - 3;
  for (uint32_t i = 0; i < 2; i++) sizes[i] = (uint32_t)attributes->values[GIVEN + i];
  sizes[2] = in[1]->dims[2];
  return product_of(&x, in[1]->dims, in[1]->dims[3], attributes);
}

/* Few channels do not fill the columns of a product's tiles, and only a few elements of a tap are
 * added at a time. With windows as columns, tiles are full, and a tap is added along a whole row of
 * windows, if that is longer. */
static int is_turned(const product *p) {
  return p->w.depth < GLK_TILE_COLUMNS && p->w.depth <= p->w.x.count;
}

static size_t transpose_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  const product p = transpose_product(in, attributes);
  const size_t m = is_turned(&p) ? p.length : p.tile, n = is_turned(&p) ? p.tile : p.length;
  return p.tile * p.length + glk_kernel_gemm_scratch(m, n, p.outputs, 0);
}

/* Windows of whole images, which begin as zeros. */
static void transpose_images(const void *work, size_t from, size_t to, uint32_t thread) {
  const conv_job *job = work;
  const glk_call *call = job->call;
  const product p = *job->p;
  const glk_real *filter = call->in[1];
  const size_t windows = p.w.y.count * p.w.x.count, size = p.w.y.size * p.w.x.size * p.w.depth;
  glk_kernel_fill((to - from) / windows * size, 0, call->out + from / windows * size);
  glk_real *lines = glk_scratch_of(call, thread), *scratch = lines + p.tile * p.length;
  for (size_t i = from; i < to; i += p.tile) {
    const size_t count = glk_min_size(to - i, p.tile);
    const glk_real *y = call->in[0] + i * p.outputs;
    if (is_turned(&p)) {
      glk_kernel_gemm(p.length, count, p.outputs, (glk_matrix){filter, p.outputs, 1},
                      (glk_matrix){y, 1, p.outputs}, lines, count, scratch, NULL);
      glk_kernel_col2im_turned(&p.w, i, count, lines, call->out);
    } else {
      glk_kernel_gemm(count, p.length, p.outputs, (glk_matrix){y, p.outputs, 1},
                      (glk_matrix){filter, 1, p.outputs}, lines, p.length, scratch, NULL);
      glk_kernel_col2im(&p.w, i, count, lines, call->out);
    }
  }
}

static void transpose_forward(const glk_call *call) {
  const product p = transpose_product(call->in_shape, call->attributes);
  const conv_job job = {call, &p};
  if (p.windows) {
    const size_t image = p.w.y.count * p.w.x.count;
    glk_parallel_for(call->threads, ns_of(&p), p.windows, image, transpose_images, &job);
  } else {
    glk_kernel_fill(call->out_shape->count, 0, call->out);
  }
}

static void transpose_gradient(glk_emitter *e, glk_gradient *g) {
  glk_conv_images_gradient(e, g, &rows);
}

GLK_OP_ROW(
    conv2d_transpose, "conv2dTranspose",
    "conv2dTranspose(y, filter; same, strideY, strideX, dilationY, dilationX, height, width)",
    "The gradient of conv2d by images of that height and width: adds the filter, times each "
    "element of y, at the window of conv2d",
    .inputs = 2, .flags = GLK_OP_PUBLIC | GLK_OP_SHARED, .infer = glk_conv_infer_images,
    .scratch = transpose_scratch, .forward = transpose_forward, .gradient = transpose_gradient)

static product filter_product(const glk_shape *const *in, const glk_attributes *attributes) {
  const uint32_t taps[2] = {(uint32_t)attributes->values[GIVEN],
                            (uint32_t)attributes->values[GIVEN + 1]};
  product p = product_of(in[0], taps, in[1]->dims[in[1]->rank - 1], attributes);
  choose_reading(&p, FEWEST);
  return p;
}

/* Windows that are summed at a time: rows, or a part of one. */
static size_t rows_together(const glk_windows *w) {
  return glk_min_size(BLOCK / w->x.count + 1, w->y.count);
}

static size_t columns_together(const glk_windows *w) { return glk_min_size(BLOCK, w->x.count); }

static size_t filter_scratch(const glk_shape *const *in, const glk_attributes *attributes) {
  const product p = filter_product(in, attributes);
  if (p.is_whole) {
    return p.padded +
           rows_together(&p.part) * columns_together(&p.part) * (GLK_TILE_ROWS + GLK_TILE_COLUMNS);
  }
  return p.tile * p.length + glk_kernel_gemm_scratch(p.length, p.outputs, p.tile, 1);
}

/* Rows from..to - 1 of the filter's gradient, (length, outputs), and scratch for them. */
typedef struct filter_part {
  const glk_call *call;
  size_t from, to;
  glk_real *scratch;
} filter_part;

/* These windows are multiplied by one row of taps after the other, with the images in place; x is
 * the start of the first window. */
static void sum_windows(const filter_part *f, const product *p, size_t rows, size_t columns,
                        const glk_real *x, const glk_real *y) {
  const glk_windows *w = &p->part;
  const glk_call *call = f->call;
  const size_t taps = w->x.taps * w->depth, line = w->x.size * w->depth;
  for (size_t at = f->from, next; at < f->to; at = next) {
    const size_t t = at / taps, first = at * p->outputs;
    next = glk_min_size((t + 1) * taps, f->to);
    glk_kernel_gemm_runs(next - at, p->outputs, rows, columns,
                         x + t * w->y.dilation * line + (at - t * taps), w->x.stride * w->depth,
                         w->y.stride * line, y, call->out + first, f->scratch + p->padded,
                         call->unread, first, 0);
  }
}

static void sum_in_place(const filter_part *f, const product *p, const glk_real *x,
                         const glk_real *y) {
  const glk_windows *w = &p->part;
  const size_t line = w->x.size * w->depth, together = rows_together(w);
  const size_t most = columns_together(w); /* all, unless there is but one row */
  for (size_t i = 0; i < w->images; i++, x += w->y.size * line) {
    for (size_t v = 0, rows; v < w->y.count; v += rows) {
      rows = glk_min_size(w->y.count - v, together);
      for (size_t u = 0, columns; u < w->x.count; u += columns) {
        columns = glk_min_size(w->x.count - u, most);
        sum_windows(f, p, rows, columns, x + v * w->y.stride * line + u * w->x.stride * w->depth,
                    y);
        y += rows * columns * p->outputs;
      }
    }
  }
}

/* A short row of taps is not cut, since tiles of a part would be partial. */
static size_t filter_grain(const product *p) {
  const size_t taps = p->w.x.taps * p->w.depth;
  return taps < 4 * GLK_TILE_ROWS ? taps : GLK_TILE_ROWS;
}

/* Each thread reads all windows, in order, for its rows of the filter. */
static void sum_rows(const void *work, size_t from, size_t to, uint32_t thread) {
  const conv_job *job = work;
  const glk_call *call = job->call;
  product p = *job->p;
  const filter_part f = {call, from, to, glk_scratch_of(call, thread)};
  const glk_real *y = call->in[1];
  for (size_t i = 0, count; i < p.windows; i += count, y += count * p.outputs) {
    sum_in_place(&f, &p, read_part(&p, i, call->in[0], f.scratch), y);
    count = glk_windows_count(&p.part);
  }
}

/* Lines of windows, copied by all threads into the scratch of the first, and then multiplied. */
typedef struct lines_job {
  const glk_call *call;
  const product *p;
  size_t first, count;
} lines_job;

static void copy_lines(const void *work, size_t from, size_t to, uint32_t thread) {
  const lines_job *job = work;
  (void)thread;
  glk_kernel_im2col(&job->p->w, job->first + from, to - from, job->call->in[0],
                    job->call->scratch + from * job->p->length);
}

static void multiply_lines(const void *work, size_t from, size_t to, uint32_t thread) {
  const lines_job *job = work;
  const product *p = job->p;
  const glk_call *call = job->call;
  const size_t at = from * p->outputs;
  glk_kernel_gemm_runs(to - from, p->outputs, 1, job->count, call->scratch + from, p->length, 0,
                       call->in[1] + job->first * p->outputs, call->out + at,
                       glk_scratch_of(call, thread) + p->tile * p->length, call->unread, at, 0);
}

static void filter_forward(const glk_call *call) {
  const product p = filter_product(call->in_shape, call->attributes);
  glk_kernel_fill(call->out_shape->count, 0, call->out);
  if (p.is_whole) {
    const conv_job job = {call, &p};
    glk_parallel_for(call->threads, ns_of(&p), p.length, filter_grain(&p), sum_rows, &job);
    return;
  }
  for (size_t i = 0, count; i < p.windows; i += count) {
    count = glk_min_size(p.windows - i, p.tile);
    const lines_job job = {call, &p, i, count};
    const double ns = ns_of(&p) * (double)count / (double)p.windows;
    glk_parallel_for(call->threads, ns / 8, count, GLK_TILE_ROWS, copy_lines, &job);
    glk_parallel_for(call->threads, ns, p.length, GLK_TILE_ROWS, multiply_lines, &job);
  }
}

static void filter_gradient(glk_emitter *e, glk_gradient *g) {
  glk_conv_filter_gradient(e, g, &rows);
}

GLK_OP_ROW(
    conv2d_filter_gradient, "conv2dFilterGradient",
    "conv2dFilterGradient(x, dy; same, strideY, strideX, dilationY, dilationX, height, width)",
    "The gradient of conv2d by a filter of that height and width", .inputs = 2,
    .flags = GLK_OP_MASKED | GLK_OP_SHARED, .infer = glk_conv_infer_filter,
    .scratch = filter_scratch, .forward = filter_forward, .gradient = filter_gradient)

GLK_OP_FAMILY(image_conv, &glk_op_conv2d, &glk_op_conv2d_transpose, &glk_op_conv2d_filter_gradient)
