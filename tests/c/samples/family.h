/* Samples of a family of rows, as lines that op_lines.h reads. A row of the op table without
 * samples fails the run. Every list ends in NULL. */
#ifndef GLK_TESTS_SAMPLES_FAMILY_H
#define GLK_TESTS_SAMPLES_FAMILY_H

#include <stddef.h>

typedef struct sample_family {
  /** Exact values, by bits. */
  const char *const *examples;
  /** Gradients against differences, over shapes that broadcast. */
  const char *const *broadcasting;
  /** The same, with operands of these shapes. */
  const char *const *slopes;
  /** Where ties go, and that what is not chosen leaves no trace: dL/dy, then dL/dx of each
   *  variable. */
  const char *const *conventions;
  /** Failures: the status, and the message without the name of the op. */
  const char *const *refusals;
  /** Operands by which a result is chosen, as "op operand": their slope is 0, which is to say
   *  none. */
  const char *const *flat;
} sample_family;

#define SAMPLES(...) \
  (const char *const[]) { __VA_ARGS__ }

#endif
