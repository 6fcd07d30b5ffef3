// Finds the names of functions, and functions by their names.

#define _GNU_SOURCE
#include "CVirtualTime.h"
#include "Executable.h"

#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

#if defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// A file that is loaded into the process: the executable or a shared library. Its symbol table also has functions that are
// not exported. It stays mapped.
struct image {
  uintptr_t bias;
  const char *base;
  size_t size;
  const ElfW(Shdr) *sections;
  size_t section_count;
  struct cvt_bytes section_names, symbols, names;
};

static struct image executable;
static uintptr_t executable_start, executable_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;

// The libraries that a function was looked up in.
enum { MOST_LIBRARIES = 64 };
static struct image libraries[MOST_LIBRARIES];
static const char *library_paths[MOST_LIBRARIES];
static size_t library_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int find_executable(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  executable.bias = info->dlpi_addr;
  executable_start = UINTPTR_MAX;
  for (int index = 0; index < info->dlpi_phnum; index++) {
    const ElfW(Phdr) *segment = &info->dlpi_phdr[index];
    if (segment->p_type != PT_LOAD) continue;
    uintptr_t start = info->dlpi_addr + segment->p_vaddr, end = start + segment->p_memsz;
    if (start < executable_start) executable_start = start;
    if (end > executable_end) executable_end = end;
  }
  return 1;  // The first is the executable.
}

static bool is_within(const struct image *image, size_t offset, size_t length) {
  return offset <= image->size && length <= image->size - offset;
}

static struct cvt_bytes contents(const struct image *image, const ElfW(Shdr) *section) {
  bool is_readable = section->sh_type != SHT_NOBITS && !(section->sh_flags & SHF_COMPRESSED) &&
                     is_within(image, section->sh_offset, section->sh_size);
  struct cvt_bytes bytes = {(const uint8_t *)image->base + section->sh_offset, section->sh_size};
  return is_readable ? bytes : (struct cvt_bytes){NULL, 0};
}

static void read_image(struct image *image, const char *path) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  struct stat status;
  size_t size = fstat(file, &status) ? 0 : (size_t)status.st_size;
  void *base = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (base == MAP_FAILED || size < sizeof(ElfW(Ehdr))) return;
  image->base = base;
  image->size = size;
  const ElfW(Ehdr) *header = base;
  if (!is_within(image, header->e_shoff, (size_t)header->e_shnum * sizeof(ElfW(Shdr)))) return;
  image->sections = (const ElfW(Shdr) *)(image->base + header->e_shoff);
  image->section_count = header->e_shnum;
  if (header->e_shstrndx < image->section_count) {
    image->section_names = contents(image, &image->sections[header->e_shstrndx]);
  }
  for (size_t index = 0; index < image->section_count; index++) {
    const ElfW(Shdr) *section = &image->sections[index];
    if (section->sh_type != SHT_SYMTAB || section->sh_link >= image->section_count) continue;
    image->symbols = contents(image, section);
    image->names = contents(image, &image->sections[section->sh_link]);
    return;
  }
}

static void read_executable(void) {
  dl_iterate_phdr(find_executable, NULL);
  read_image(&executable, "/proc/self/exe");
}

struct cvt_bytes cvt_section(const char *name) {
  pthread_once(&once, read_executable);
  for (size_t index = 0; index < executable.section_count; index++) {
    size_t offset = executable.sections[index].sh_name, length = strlen(name) + 1;
    struct cvt_bytes names = executable.section_names;
    if (offset > names.size || length > names.size - offset) continue;
    if (!memcmp(names.start + offset, name, length)) {
      return contents(&executable, &executable.sections[index]);
    }
  }
  return (struct cvt_bytes){NULL, 0};
}

bool cvt_is_in_executable(uintptr_t address) {
  pthread_once(&once, read_executable);
  return address >= executable_start && address < executable_end;
}

uintptr_t cvt_executable_bias(void) {
  pthread_once(&once, read_executable);
  return executable.bias;
}

static const char *symbol_in(const struct image *image, uintptr_t address) {
  uintptr_t value = address - image->bias;
  const ElfW(Sym) *symbols = (const ElfW(Sym) *)image->symbols.start;
  for (size_t index = 0; index < image->symbols.size / sizeof(ElfW(Sym)); index++) {
    const ElfW(Sym) *symbol = &symbols[index];
    if ((symbol->st_info & 0xF) != STT_FUNC || symbol->st_name >= image->names.size) continue;
    if (value >= symbol->st_value && value - symbol->st_value < symbol->st_size) {
      return (const char *)image->names.start + symbol->st_name;
    }
  }
  return NULL;
}

void cvt_symbols(const uintptr_t *addresses, const char **names, size_t count) {
  pthread_once(&once, read_executable);
  memset(names, 0, count * sizeof *names);
  const ElfW(Sym) *symbols = (const ElfW(Sym) *)executable.symbols.start;
  for (size_t index = 0; index < executable.symbols.size / sizeof(ElfW(Sym)); index++) {
    const ElfW(Sym) *symbol = &symbols[index];
    if ((symbol->st_info & 0xF) != STT_FUNC || symbol->st_name >= executable.names.size) continue;
    uintptr_t start = symbol->st_value + executable.bias;
    size_t low = 0, high = count;
    while (low < high) {
      size_t middle = (low + high) / 2;
      if (addresses[middle] < start) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    for (; low < count && addresses[low] - start < symbol->st_size; low++) {
      if (!names[low]) names[low] = (const char *)executable.names.start + symbol->st_name;
    }
  }
}

void cvt_find_functions(
    const char *prefix, void *context,
    void (*found)(void *context, const char *name, uintptr_t address, size_t size)) {
  pthread_once(&once, read_executable);
  const ElfW(Sym) *symbols = (const ElfW(Sym) *)executable.symbols.start;
  size_t length = strlen(prefix);
  for (size_t index = 0; index < executable.symbols.size / sizeof(ElfW(Sym)); index++) {
    const ElfW(Sym) *symbol = &symbols[index];
    if ((symbol->st_info & 0xF) != STT_FUNC || symbol->st_name >= executable.names.size) continue;
    const char *name = (const char *)executable.names.start + symbol->st_name;
    if (strncmp(name, prefix, length)) continue;
    found(context, name, symbol->st_value + executable.bias, symbol->st_size);
  }
}

static const struct image *library(const Dl_info *info) {
  size_t index = 0;
  while (index < library_count && library_paths[index] != info->dli_fname) index++;
  if (index == MOST_LIBRARIES) return NULL;
  if (index == library_count) {
    library_paths[library_count] = info->dli_fname;
    libraries[library_count].bias = (uintptr_t)info->dli_fbase;
    read_image(&libraries[library_count++], info->dli_fname);
  }
  return &libraries[index];
}

const char *cvt_symbol(uintptr_t address, const char **image) {
  *image = NULL;
  if (cvt_is_in_executable(address)) return symbol_in(&executable, address);
  Dl_info info;
  if (!dladdr((void *)address, &info)) return NULL;
  *image = info.dli_fname;
  if (info.dli_sname) return info.dli_sname;
  pthread_mutex_lock(&lock);
  const struct image *found = library(&info);
  const char *name = found ? symbol_in(found, address) : NULL;
  pthread_mutex_unlock(&lock);
  return name;
}
#else
void cvt_symbols(const uintptr_t *addresses, const char **names, size_t count) {
  memset(names, 0, count * sizeof *names);
}

void cvt_find_functions(
    const char *prefix, void *context,
    void (*found)(void *context, const char *name, uintptr_t address, size_t size)) {
  (void)prefix, (void)context, (void)found;
}

const char *cvt_symbol(uintptr_t address, const char **image) {
  Dl_info info;
  *image = NULL;
  return dladdr((void *)address, &info) ? info.dli_sname : NULL;
}
#endif
