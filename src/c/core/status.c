/* Names and one-line meanings of statuses; bindings read them from here and never retype them. */
#include "core/context.h"

#define STATUS(code, text) [code] = {#code, GLK_DOC(text)}

static const struct {
  const char *name, *meaning;
} statuses[GLK_STATUS_COUNT] = {
    STATUS(GLK_OK, "all is well"),
    STATUS(GLK_ERROR_OUT_OF_MEMORY, "memory could not be had"),
    STATUS(GLK_ERROR_ARGUMENT, "an argument is not of the documented form"),
    STATUS(GLK_ERROR_SHAPE, "shapes, ranks or counts do not fit each other"),
    STATUS(GLK_ERROR_INDEX, "an index or axis lies outside of its range"),
    STATUS(GLK_ERROR_HANDLE, "the handle names no live object of this context"),
    STATUS(GLK_ERROR_KIND, "the handle names an object of another kind"),
    STATUS(GLK_ERROR_LOCKED, "the write would change a locked element"),
    STATUS(GLK_ERROR_RECORDING, "not possible while recording, or only while recording"),
    STATUS(GLK_ERROR_GRADIENT,
           "there is no such gradient: not a scalar loss, or an unused variable"),
    STATUS(GLK_ERROR_OPTION, "an option is unknown or outside of its range"),
    STATUS(GLK_ERROR_CONSTRAINT, "locked elements break a constraint that free ones cannot mend"),
    STATUS(GLK_ERROR_HOOK, "a gradient hook ended the step"),
    STATUS(GLK_ERROR_LIMIT, "a limit of the library is reached"),
    STATUS(GLK_ERROR_FORMAT, "saved bytes are corrupt, cut short, or of another version"),
};

const char *glk_version(void) { return GLK_VERSION; }

static int is_status(glk_status status) { return (int)status >= 0 && status < GLK_STATUS_COUNT; }

const char *glk_status_name(glk_status status) {
  return is_status(status) ? statuses[status].name : NULL;
}

const char *glk_status_meaning(glk_status status) {
  return is_status(status) ? statuses[status].meaning : NULL;
}
