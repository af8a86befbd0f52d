/* Running elementwise kernels over operands that broadcast (NumPy's rules). */
#ifndef GLK_OPS_BROADCAST_H
#define GLK_OPS_BROADCAST_H

#include "kernels/elementwise.h"
#include "ops/op.h"

void glk_run_unary(const glk_call *call, glk_unary_kernel *kernel);
void glk_run_binary(const glk_call *call, glk_binary_kernel *kernel);
void glk_run_where(const glk_call *call);

#endif
