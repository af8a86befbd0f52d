/* Runs one fuzzer on the files that it is given, in the order they are named, and on each input of a corpus (corpora.js).
 * Exits with 0 if no promise was broken. */
#include "fuzz.h"

static uint8_t *read_file(const char *name, size_t *out_size) {
  FILE *file = fopen(name, "rb");
  if (!file) BROKEN("%s cannot be read", name);
  fseek(file, 0, SEEK_END);
  const long size = ftell(file);
  rewind(file);
  uint8_t *data =
      malloc(size > 0 ? (size_t)size : 1); /* as long as it is: reading past its end is seen */
  *out_size = fread(data, 1, (size_t)size, file);
  fclose(file);
  return data;
}

/* Each input of a corpus in memory of its own, for the same reason; returns their number. */
static int run_corpus(const uint8_t *at, size_t left) {
  int count = 0;
  for (uint32_t size; left; at += size, left -= size, count++) {
    if (left < sizeof size) BROKEN("the corpus ends in a length");
    memcpy(&size, at, sizeof size);
    at += sizeof size, left -= sizeof size;
    if (left < size) BROKEN("the corpus ends in an input");
    uint8_t *data = malloc(size ? size : 1);
    memcpy(data, at, size);
    fprintf(stderr, "input %d\n", count);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
  }
  return count;
}

int main(int argc, char **argv) {
  int count = 0;
  for (int i = 1; i < argc; i++) {
    size_t size;
    uint8_t *data = read_file(argv[i], &size);
    fprintf(stderr, "%s\n", argv[i]);
    if (strstr(argv[i], ".corpus")) {
      count += run_corpus(data, size);
    } else {
      LLVMFuzzerTestOneInput(data, size);
      count++;
    }
    free(data);
  }
  printf("%d inputs\n", count);
  return argc < 2;
}
