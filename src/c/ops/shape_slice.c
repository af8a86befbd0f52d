/* Slices of tensors (slice, stridedSlice) and their reverse (placeIn, pad). Values are copied
 * without arithmetic: every bit pattern passes. */
#include <string.h>

#include "kernels/copy.h"
#include "kernels/elementwise.h"
#include "ops/op.h"

/* Farther than the end of any axis; ranges are cut off at the ends of an axis. */
#define FAR ((int64_t)1 << 53)

/* Offset of a part's first element in the whole, and the strides of the others; `step` NULL means
 * 1. */
static size_t locate(const glk_shape *whole, const double *begin, const double *step,
                     size_t strides[GLK_MAX_RANK]) {
  size_t at = 0;
  glk_shape_strides(whole, strides);
  for (uint32_t a = 0; a < whole->rank; a++) {
    at = at * whole->dims[a] + (size_t)begin[a];
    if (step) strides[a] *= (size_t)(int64_t)step[a];
  }
  return at;
}

static void take(const glk_call *call, const double *begin, const double *step) {
  if (!call->out_shape->count) return;
  glk_box box = {.rank = call->out_shape->rank};
  const size_t first = locate(call->in_shape[0], begin, step, box.from);
  glk_shape_strides(call->out_shape, box.to);
  memcpy(box.dims, call->out_shape->dims, sizeof box.dims);
  glk_kernel_copy_box(&box, call->in[0] + first, call->out);
}

static void put(const glk_call *call, const double *begin, const double *step, glk_real around) {
  const glk_shape *x = call->in_shape[0];
  glk_kernel_fill(call->out_shape->count, around, call->out);
  if (!x->count) return;
  glk_box box = {.rank = x->rank};
  const size_t first = locate(call->out_shape, begin, step, box.to);
  glk_shape_strides(x, box.from);
  memcpy(box.dims, x->dims, sizeof box.dims);
  glk_kernel_copy_box(&box, call->in[0], call->out + first);
}

/* Attributes: begin of every axis, then size of every axis; a size of -1 runs to the end. */
static glk_status slice_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                              glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  uint32_t dims[GLK_MAX_RANK];
  if (attributes->count != 2 * x->rank) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: begin and size need %u numbers each for shape %S", op->name, x->rank, x);
  }
  for (uint32_t a = 0; a < x->rank; a++) {
    int64_t begin, size;
    GLK_TRY(glk_attribute_integer(context, op, attributes, a, GLK_ERROR_INDEX, "a begin", 0,
                                  x->dims[a], &begin));
    GLK_TRY(glk_attribute_integer(context, op, attributes, x->rank + a, GLK_ERROR_SHAPE, "a size",
                                  -1, (int64_t)x->dims[a] - begin, &size));
    dims[a] = (uint32_t)(size < 0 ? x->dims[a] - begin : size);
    attributes->values[x->rank + a] = dims[a];
  }
  return glk_shape_make(context, op->name, x->rank, dims, out);
}

static void slice_forward(const glk_call *call) { take(call, call->attributes->values, NULL); }

/* dy at its indices, among zeros. Attributes are those of a slice, or of a stridedSlice as kept. */
static void slice_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_shape x = e->shape(e, g->in[0]);
  glk_attributes placed = *g->attributes;
  for (uint32_t a = 0; a < x.rank; a++) placed.values[x.rank + a] = x.dims[a];
  g->d[0] = e->apply(e, &glk_op_place_in, &g->dy, &placed);
}

GLK_OP_ROW(slice, "slice", "slice(x; begin..., size...)", "The box of the given size from begin on",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = slice_infer, .forward = slice_forward,
           .gradient = slice_gradient)

/* An index as given, counted from the end where negative, cut off at low or high. */
static int64_t clip_index(int64_t index, int64_t n, int64_t low, int64_t high) {
  if (index < 0) index += n;
  return index < low ? low : index > high ? high : index;
}

/* Attributes: begin, end and stride of every axis, as in TensorFlow; kept as begin, size,
 * stride. */
static glk_status strided_slice_infer(glk_context *context, const glk_op *op,
                                      const glk_shape *const *in, glk_attributes *attributes,
                                      glk_shape *out) {
  const glk_shape *x = in[0];
  const uint32_t rank = x->rank;
  uint32_t dims[GLK_MAX_RANK];
  if (attributes->count != 3 * rank) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: begin, end and strides need %u numbers each for shape %S", op->name, rank,
                    x);
  }
  for (uint32_t a = 0; a < rank; a++) {
    static const char *const names[3] = {"a begin", "an end", "a stride"};
    const int64_t n = x->dims[a];
    int64_t given[3]; /* begin, end, stride */
    for (uint32_t i = 0; i < 3; i++) {
      GLK_TRY(glk_attribute_integer(context, op, attributes, i * rank + a, GLK_ERROR_INDEX,
                                    names[i], -FAR, FAR, &given[i]));
    }
    if (!given[2]) {
      return glk_fail(context, GLK_ERROR_INDEX, "%s: the stride along axis %u of shape %S is 0",
                      op->name, a, x);
    }
    const int backwards = given[2] < 0;
    const int64_t low = -backwards, high = n - backwards;
    const int64_t begin = clip_index(given[0], n, low, high);
    const int64_t end = clip_index(given[1], n, low, high);
    const int64_t span = backwards ? begin - end : end - begin;
    const int64_t step = backwards ? -given[2] : given[2];
    dims[a] = span > 0 ? (uint32_t)((span - 1) / step + 1) : 0;
    attributes->values[a] = dims[a] ? (double)begin : 0;
    attributes->values[rank + a] = dims[a];
    attributes->values[2 * rank + a] = dims[a] > 1 ? (double)given[2] : 1;
  }
  return glk_shape_make(context, op->name, rank, dims, out);
}

static void strided_slice_forward(const glk_call *call) {
  const double *begin = call->attributes->values;
  take(call, begin, begin + 2 * call->out_shape->rank);
}

GLK_OP_ROW(strided_slice, "stridedSlice", "stridedSlice(x; begin..., end..., stride...)",
           "Every stride-th element from begin to before end; negative indices count from the end, "
           "a negative stride goes backwards, and ranges are cut off at the ends of an axis",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = strided_slice_infer,
           .forward = strided_slice_forward, .gradient = slice_gradient)

/* Attributes: the start of x along every axis, the sizes of the whole, and, if not 1, the distances
 * between x's elements. */
static glk_status place_in_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                                 glk_attributes *attributes, glk_shape *out) {
  const glk_shape *x = in[0];
  const uint32_t rank = x->rank;
  const int is_strided = attributes->count > 2 * rank;
  uint32_t dims[GLK_MAX_RANK];
  GLK_TRY(glk_attribute_count(context, op, attributes, (2 + is_strided) * rank,
                              (2 + is_strided) * rank));
  for (uint32_t a = 0; a < rank; a++) {
    int64_t begin, size, step = 1;
    GLK_TRY(glk_attribute_integer(context, op, attributes, rank + a, GLK_ERROR_SHAPE, "a size",
                                  x->dims[a], GLK_MAX_ELEMENTS, &size));
    if (is_strided) {
      GLK_TRY(glk_attribute_integer(context, op, attributes, 2 * rank + a, GLK_ERROR_INDEX,
                                    "a stride", -(int64_t)GLK_MAX_ELEMENTS, GLK_MAX_ELEMENTS,
                                    &step));
      if (!step) return glk_fail(context, GLK_ERROR_INDEX, "%s: a stride is 0", op->name);
    }
    const int64_t reach = x->dims[a] ? (int64_t)(x->dims[a] - 1) * step : 0;
    GLK_TRY(glk_attribute_integer(context, op, attributes, a, GLK_ERROR_INDEX, "a begin",
                                  reach < 0 ? -reach : 0,
                                  size - (x->dims[a] != 0) - (reach > 0 ? reach : 0), &begin));
    dims[a] = (uint32_t)size;
  }
  return glk_shape_make(context, op->name, rank, dims, out);
}

static void place_in_forward(const glk_call *call) {
  const uint32_t rank = call->out_shape->rank;
  const double *begin = call->attributes->values;
  put(call, begin, call->attributes->count > 2 * rank ? begin + 2 * rank : NULL, 0);
}

static void place_in_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_shape x = e->shape(e, g->in[0]);
  glk_attributes part = *g->attributes;
  const int is_strided = part.count > 2 * x.rank;
  for (uint32_t a = 0; a < x.rank; a++) {
    double *size = &part.values[x.rank + a];
    /* The end, which before index 0 is beyond what negative indices reach. */
    if (is_strided) {
      const double end = part.values[a] + x.dims[a] * part.values[2 * x.rank + a];
      *size = end < 0 ? -1 - *size : end;
    } else {
      *size = x.dims[a];
    }
  }
  g->d[0] = e->apply(e, is_strided ? &glk_op_strided_slice : &glk_op_slice, &g->dy, &part);
}

GLK_OP_ROW(place_in, "placeIn", "placeIn(x; begin..., size..., stride...)",
           "x inside of zeros, the reverse of slice or stridedSlice", .inputs = 1,
           .infer = place_in_infer, .forward = place_in_forward, .gradient = place_in_gradient)

/* The shape of x with paddings: how many elements before each axis, then how many after. */
static glk_status infer_padded(glk_context *context, const glk_op *op, const glk_shape *x,
                               const glk_attributes *attributes, glk_shape *out) {
  uint32_t dims[GLK_MAX_RANK];
  for (uint32_t a = 0; a < x->rank; a++) {
    int64_t before, behind;
    GLK_TRY(glk_attribute_integer(context, op, attributes, a, GLK_ERROR_SHAPE, "a padding", 0,
                                  GLK_MAX_ELEMENTS, &before));
    GLK_TRY(glk_attribute_integer(context, op, attributes, x->rank + a, GLK_ERROR_SHAPE,
                                  "a padding", 0, GLK_MAX_ELEMENTS, &behind));
    dims[a] = (uint32_t)before + (uint32_t)behind + x->dims[a]; /* below 2^31 */
  }
  return glk_shape_make(context, op->name, x->rank, dims, out);
}

/* Attributes: how many before each axis, how many after, then the value. */
static glk_status pad_infer(glk_context *context, const glk_op *op, const glk_shape *const *in,
                            glk_attributes *attributes, glk_shape *out) {
  if (attributes->count != 2 * in[0]->rank + 1) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shape %S needs %u numbers before and after, and a value", op->name, in[0],
                    in[0]->rank);
  }
  return infer_padded(context, op, in[0], attributes, out);
}

static void pad_forward(const glk_call *call) {
  const double *before = call->attributes->values;
  put(call, before, NULL, (glk_real)before[2 * call->out_shape->rank]);
}

static void pad_gradient(glk_emitter *e, glk_gradient *g) {
  const glk_shape x = e->shape(e, g->in[0]);
  glk_attributes box = {.count = 2 * x.rank};
  for (uint32_t a = 0; a < x.rank; a++) {
    box.values[a] = g->attributes->values[a];
    box.values[x.rank + a] = x.dims[a];
  }
  g->d[0] = e->apply(e, &glk_op_slice, &g->dy, &box);
}

GLK_OP_ROW(pad, "pad", "pad(x; before..., behind..., value)", "x with a value around it",
           .inputs = 1, .flags = GLK_OP_PUBLIC, .infer = pad_infer, .forward = pad_forward,
           .gradient = pad_gradient)

/* Attributes: how many before each axis, how many after, then whether the edge itself is
 * repeated. */
static glk_status mirror_pad_infer(glk_context *context, const glk_op *op,
                                   const glk_shape *const *in, glk_attributes *attributes,
                                   glk_shape *out) {
  const glk_shape *x = in[0];
  const int symmetric = attributes->values[2 * x->rank] != 0;
  if (attributes->count != 2 * x->rank + 1) {
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: shape %S needs %u numbers before and after, and a mode", op->name, x,
                    x->rank);
  }
  GLK_TRY(glk_attribute_flag(context, op, attributes, 2 * x->rank, "symmetric"));
  GLK_TRY(infer_padded(context, op, x, attributes, out));
  for (uint32_t i = 0; i < 2 * x->rank; i++) {
    const uint32_t axis = i % x->rank, n = x->dims[axis], most = symmetric || !n ? n : n - 1;
    if (attributes->values[i] <= most) continue;
    return glk_fail(context, GLK_ERROR_SHAPE,
                    "%s: axis %u of shape %S can mirror at most %u elements, the padding is %g",
                    op->name, axis, x, most, attributes->values[i]);
  }
  return GLK_OK;
}

/* `count` elements along an axis, from `begin` backwards. */
static glk_ref emit_mirrored(glk_emitter *e, glk_ref x, uint32_t axis, uint32_t begin,
                             uint32_t count) {
  const glk_shape shape = e->shape(e, x);
  const double n = shape.dims[axis], end = (double)begin - count;
  glk_attributes part = {.count = 3 * shape.rank};
  for (uint32_t a = 0; a < shape.rank; a++) {
    part.values[shape.rank + a] = shape.dims[a];
    part.values[2 * shape.rank + a] = 1;
  }
  part.values[axis] = begin;
  part.values[shape.rank + axis] = end < 0 ? -1 - n : end;
  part.values[2 * shape.rank + axis] = -1;
  return e->apply(e, &glk_op_strided_slice, &x, &part);
}

static glk_ref mirror_pad_expand(glk_emitter *e, const glk_ref *in,
                                 const glk_attributes *attributes) {
  const glk_shape shape = e->shape(e, in[0]);
  const uint32_t skipped = attributes->values[2 * shape.rank] != 0 ? 0 : 1;
  glk_ref x = in[0];
  for (uint32_t a = 0; a < shape.rank; a++) {
    const uint32_t n = shape.dims[a], before = (uint32_t)attributes->values[a];
    const uint32_t behind = (uint32_t)attributes->values[shape.rank + a];
    const glk_attributes along = {1, {a}};
    const glk_ref middle = x;
    if (before) {
      const glk_ref start = emit_mirrored(e, middle, a, before - 1 + skipped, before);
      x = e->apply(e, &glk_op_concat, (const glk_ref[]){start, x}, &along);
    }
    if (behind) {
      const glk_ref end = emit_mirrored(e, middle, a, n - 1 - skipped, behind);
      x = e->apply(e, &glk_op_concat, (const glk_ref[]){x, end}, &along);
    }
  }
  return glk_emit_result(e, x, in[0]);
}

GLK_OP_ROW(mirror_pad, "mirrorPad", "mirrorPad(x; before..., behind..., symmetric)",
           "x with its mirror images around it, with the edge (symmetric) or without", .inputs = 1,
           .flags = GLK_OP_PUBLIC, .infer = mirror_pad_infer, .expand = mirror_pad_expand)

GLK_OP_FAMILY(shape_slice, &glk_op_slice, &glk_op_strided_slice, &glk_op_place_in, &glk_op_pad,
              &glk_op_mirror_pad)
