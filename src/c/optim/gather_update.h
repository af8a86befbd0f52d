/* Steps of listed elements (page_lists.h). They are gathered into words of their own, and the rule
 * takes these like any others: it knows no lists (decision 61). */
#ifndef GLK_OPTIM_GATHER_UPDATE_H
#define GLK_OPTIM_GATHER_UPDATE_H

#include "optim/rule.h"
#include "slots/page_lists.h"

/** One step of the listed elements of a page that are free and belong to u. Lanes are independent,
 *  so the bits are those of a step by words.
 *  u       all of one page, with whole arrays of slots; it is used up
 *  list    that page's
 *  places  [list->count] */
void glk_step_listed(const glk_rule_row *rule, const double *options, glk_update *u,
                     const glk_page_list *list, const uint16_t *places);

#endif
