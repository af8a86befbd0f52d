/* Elementwise kernels over operands that broadcast (NumPy's rules). */
#ifndef GLK_OPS_BROADCAST_H
#define GLK_OPS_BROADCAST_H

#include "kernels/elementwise.h"
#include "ops/op.h"

void glk_run_unary(const glk_call *call, glk_unary_kernel *kernel);
void glk_run_binary(const glk_call *call, glk_binary_kernel *kernel);
void glk_run_where(const glk_call *call);

/* Rows whose values are those of glk_kernel_<row>; `gradient` may be NULL. A part is for gradients
 * and composites. */
#define GLK_UNARY_ROW(row, name_, signature_, doc_, gradient_) \
  GLK_KERNEL_ROW(row, name_, signature_, doc_, gradient_, unary, 1, GLK_OP_PUBLIC, glk_infer_same)
#define GLK_UNARY_PART(row, name_, signature_, doc_, gradient_) \
  GLK_KERNEL_ROW(row, name_, signature_, doc_, gradient_, unary, 1, 0, glk_infer_same)
#define GLK_BINARY_ROW(row, name_, signature_, doc_, gradient_)                     \
  GLK_KERNEL_ROW(row, name_, signature_, doc_, gradient_, binary, 2, GLK_OP_PUBLIC, \
                 glk_infer_broadcast)
#define GLK_BINARY_PART(row, name_, signature_, doc_, gradient_) \
  GLK_KERNEL_ROW(row, name_, signature_, doc_, gradient_, binary, 2, 0, glk_infer_broadcast)

#define GLK_KERNEL_ROW(row, name_, signature_, doc_, gradient_, kind, operands, public, rule) \
  static void row##_forward(const glk_call *call) { glk_run_##kind(call, glk_kernel_##row); } \
  const glk_op glk_op_##row = {                                                               \
      .name = name_,                                                                          \
      .signature = GLK_DOC(signature_),                                                       \
      .doc = GLK_DOC(doc_),                                                                   \
      .inputs = operands,                                                                     \
      .flags = GLK_OP_ELEMENTWISE | GLK_OP_SHARED | (public),                                 \
      .infer = rule,                                                                          \
      .forward = row##_forward,                                                               \
      .gradient = gradient_,                                                                  \
  };

#endif
