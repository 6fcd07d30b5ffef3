#define _GNU_SOURCE
#include "CVirtualTime.h"

#include <dlfcn.h>
#include <stddef.h>

#if defined(__linux__)
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The executable's symbol table, which also has functions that are not exported. It stays mapped.
static const ElfW(Sym) *symbols;
static size_t symbol_count;
static const char *names;
static size_t names_size;
static uintptr_t executable_start, executable_end, executable_bias;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static int find_executable(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  executable_bias = info->dlpi_addr;
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

static bool is_within(size_t offset, size_t length, size_t size) {
  return offset <= size && length <= size - offset;
}

static void read_symbols(void) {
  dl_iterate_phdr(find_executable, NULL);
  int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (file < 0) return;
  struct stat status;
  size_t size = fstat(file, &status) ? 0 : (size_t)status.st_size;
  const char *base = size ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
  close(file);
  if (base == MAP_FAILED || size < sizeof(ElfW(Ehdr))) return;
  const ElfW(Ehdr) *header = (const ElfW(Ehdr) *)base;
  if (!is_within(header->e_shoff, (size_t)header->e_shnum * sizeof(ElfW(Shdr)), size)) return;
  const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(base + header->e_shoff);
  for (int index = 0; index < header->e_shnum; index++) {
    const ElfW(Shdr) *section = &sections[index];
    if (section->sh_type != SHT_SYMTAB || section->sh_link >= header->e_shnum) continue;
    const ElfW(Shdr) *strings = &sections[section->sh_link];
    if (!is_within(section->sh_offset, section->sh_size, size)) return;
    if (!is_within(strings->sh_offset, strings->sh_size, size) || !strings->sh_size) return;
    symbols = (const ElfW(Sym) *)(base + section->sh_offset);
    symbol_count = section->sh_size / sizeof(ElfW(Sym));
    names = base + strings->sh_offset;
    names_size = strings->sh_size;
    return;
  }
}

const char *cvt_symbol(uintptr_t address, const char **image) {
  pthread_once(&once, read_symbols);
  *image = NULL;
  if (address < executable_start || address >= executable_end) {
    Dl_info info;
    if (!dladdr((void *)address, &info)) return NULL;
    *image = info.dli_fname;
    return info.dli_sname;
  }
  uintptr_t value = address - executable_bias;
  for (size_t index = 0; index < symbol_count; index++) {
    const ElfW(Sym) *symbol = &symbols[index];
    if ((symbol->st_info & 0xF) != STT_FUNC || symbol->st_name >= names_size) continue;
    if (value >= symbol->st_value && value - symbol->st_value < symbol->st_size) {
      return names + symbol->st_name;
    }
  }
  return NULL;
}
#else
const char *cvt_symbol(uintptr_t address, const char **image) {
  Dl_info info;
  *image = NULL;
  return dladdr((void *)address, &info) ? info.dli_sname : NULL;
}
#endif
