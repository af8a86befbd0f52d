/* Names and one-line meanings of statuses; bindings read them from here and never retype them. */
#include "core/context.h"

static const struct {
  const char *name, *meaning;
} statuses[GLK_STATUS_COUNT] = {
    [GLK_OK] = {"GLK_OK", GLK_DOC("all is well")},
    [GLK_ERROR_OUT_OF_MEMORY] = {"GLK_ERROR_OUT_OF_MEMORY", GLK_DOC("memory could not be had")},
    [GLK_ERROR_ARGUMENT] = {"GLK_ERROR_ARGUMENT",
                            GLK_DOC("an argument is not of the documented form")},
    [GLK_ERROR_SHAPE] = {"GLK_ERROR_SHAPE",
                         GLK_DOC("shapes, ranks or counts do not fit each other")},
    [GLK_ERROR_INDEX] = {"GLK_ERROR_INDEX", GLK_DOC("an index or axis lies outside of its range")},
    [GLK_ERROR_HANDLE] = {"GLK_ERROR_HANDLE",
                          GLK_DOC("the handle names no live object of this context")},
    [GLK_ERROR_KIND] = {"GLK_ERROR_KIND", GLK_DOC("the handle names an object of another kind")},
    [GLK_ERROR_LOCKED] = {"GLK_ERROR_LOCKED", GLK_DOC("the write would change a locked element")},
    [GLK_ERROR_RECORDING] = {"GLK_ERROR_RECORDING",
                             GLK_DOC("not possible while recording, or only while recording")},
    [GLK_ERROR_GRADIENT] =
        {"GLK_ERROR_GRADIENT",
         GLK_DOC("there is no such gradient: not a scalar loss, or an unused variable")},
    [GLK_ERROR_OPTION] = {"GLK_ERROR_OPTION",
                          GLK_DOC("an option is unknown or outside of its range")},
    [GLK_ERROR_CONSTRAINT] = {"GLK_ERROR_CONSTRAINT",
                              GLK_DOC(
                                  "locked elements break a constraint that free ones cannot mend")},
    [GLK_ERROR_HOOK] = {"GLK_ERROR_HOOK", GLK_DOC("a gradient hook ended the step")},
    [GLK_ERROR_LIMIT] = {"GLK_ERROR_LIMIT", GLK_DOC("a limit of the library is reached")},
    [GLK_ERROR_FORMAT] = {"GLK_ERROR_FORMAT",
                          GLK_DOC("saved bytes are corrupt, cut short, or of another version")},
};

const char *glk_version(void) { return GLK_VERSION; }

static int is_status(glk_status status) { return (int)status >= 0 && status < GLK_STATUS_COUNT; }

const char *glk_status_name(glk_status status) {
  return is_status(status) ? statuses[status].name : NULL;
}

const char *glk_status_meaning(glk_status status) {
  return is_status(status) ? statuses[status].meaning : NULL;
}
