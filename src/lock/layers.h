/* Layers of locks (LOCKS.md, law 20): named lock sets of one variable, each with an owner of its own, that lock together
 * what any of them holds. A policy is what changes a layer while training goes on.
 *
 * A variable whose locks have but the default layer has no glk_layers at all. */
#ifndef GLK_LOCK_LAYERS_H
#define GLK_LOCK_LAYERS_H

#include "lock/lockset.h"

#define GLK_NAME_BYTES 64

/** What a layer becomes from a step on. */
typedef struct glk_stage {
  uint32_t step;
  uint32_t *words;
} glk_stage;

typedef struct glk_layer {
  char name[GLK_NAME_BYTES];
  glk_lockset set;
  uint32_t *next; /* [word_count] what the policy says now, or said before; NULL without a policy */
  int is_turned;  /* next holds what was before this step */
  glk_policy policy;
  glk_stage *stages; /* [stage_count] or NULL: what the policy says comes from a choice */
  uint32_t stage_count;
  uint32_t steps; /* that training took under the policy */
} glk_layer;

typedef struct glk_layers {
  glk_lockset own;        /* the default layer */
  glk_lockset *effective; /* the variable's locks: what any layer holds */
  glk_layer *items;
  uint32_t count, capacity;
} glk_layers;

/** GLK_ERROR_OPTION if a policy asks for what a layer of this shape cannot do. */
glk_status glk_policy_check(glk_context *context, const glk_policy *policy, const glk_shape *shape);

/** Free layers and all they hold. NULL is allowed. */
void glk_layers_free(glk_context *context, glk_layers *layers);
/** After a change in a layer: lock again what any layer holds. */
void glk_layers_merge(glk_context *context, glk_layers *layers);

/** Whether any layer has a policy. */
int glk_layers_have_policy(const glk_layers *layers);
/** Whether a policy is to see the gradient of the coming step. */
int glk_layers_want_gradient(const glk_layers *layers);
/** Let the policies that are due change their layers: those that look at `gradient`, or, if that is NULL, all others.
 *  `values` are the variable's. Returns whether a bit changed. Allocates nothing. */
int glk_layers_turn(glk_context *context, glk_layers *layers, const glk_real *values,
                    const glk_real *gradient);
/** Take back what policies changed since the last step, which will not be taken. */
void glk_layers_undo(glk_context *context, glk_layers *layers);
/** A step was taken: what policies changed stays. */
void glk_layers_advance(glk_layers *layers);

#endif
