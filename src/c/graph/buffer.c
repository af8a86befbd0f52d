/* Offsets of nodes in one block of memory, found first fit in the order of nodes. In theory this is
 * at most a constant times the optimum for such lifetimes (Kierstead 1991, Discrete Math. 88, for
 * first fit on interval graphs). Here it is close to the optimum. */
#include "graph/buffer.h"

#include <string.h>

size_t glk_interval_take(glk_interval *busy, uint32_t *busy_count, size_t count, uint32_t until) {
  size_t offset = 0;
  uint32_t at = 0;
  while (at < *busy_count && busy[at].offset - offset < count) {
    offset = busy[at].offset + busy[at].count;
    at++;
  }
  memmove(&busy[at + 1], &busy[at], (*busy_count - at) * sizeof *busy);
  busy[at] = (glk_interval){offset, count, until};
  ++*busy_count;
  return offset;
}

void glk_interval_retire(glk_interval *busy, uint32_t *busy_count, uint32_t now) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < *busy_count; i++) {
    if (busy[i].until < now) continue;
    glk_interval *last = kept ? &busy[kept - 1] : NULL;
    /* Adjacent intervals that stay forever are joined: there may be a gradient of every
     * variable. */
    if (last && last->until == GLK_FOREVER && busy[i].until == GLK_FOREVER &&
        last->offset + last->count == busy[i].offset) {
      last->count += busy[i].count;
    } else {
      busy[kept++] = busy[i];
    }
  }
  *busy_count = kept;
}
