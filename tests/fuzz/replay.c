/* Runs one fuzzer on the files that it is given, in the order they are named. Exits with 0 if no promise was broken. */
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

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    size_t size;
    uint8_t *data = read_file(argv[i], &size);
    fprintf(stderr, "%s\n", argv[i]);
    LLVMFuzzerTestOneInput(data, size);
    free(data);
  }
  printf("%d inputs\n", argc - 1);
  return argc < 2;
}
