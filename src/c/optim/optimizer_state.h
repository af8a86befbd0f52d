/* States of optimizers: the order of saved items. */
#ifndef GLK_OPTIM_OPTIMIZER_STATE_H
#define GLK_OPTIM_OPTIMIZER_STATE_H

#include "core/archive.h"
#include "optim/optimizer.h"

/** All of an optimizer but its entries, which follow with their variables. */
void glk_state_walk_optimizer(glk_archive *archive, glk_optimizer *optimizer);
void glk_state_walk_entry(glk_archive *archive, const glk_rule_row *rule, glk_entry *entry);

#endif
