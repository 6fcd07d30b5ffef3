#include "CVirtualTime.h"
#include "Executable.h"

#include <string.h>

#if defined(__linux__)
// Reads line tables in the formats DWARF 4 and 5 (https://dwarfstd.org), without the parts that neither clang nor swiftc
// writes: 64-bit sections, and operations per instruction. A table that it cannot read gives no places.

struct reader {
  const uint8_t *at, *end;
  bool has_failed;
};

static struct reader reader_at(struct cvt_bytes bytes, uint64_t offset) {
  bool is_inside = offset < bytes.size;
  return (struct reader){bytes.start + (is_inside ? offset : 0), bytes.start + (is_inside ? bytes.size : 0), !is_inside};
}

static uint64_t number(struct reader *reader, size_t size) {
  // The usual case, which is slow without optimisation.
  if (size == 1 && !reader->has_failed && reader->at < reader->end) return *reader->at++;
  uint64_t value = 0;
  if (reader->has_failed || (size_t)(reader->end - reader->at) < size) {
    reader->has_failed = true;
    return 0;
  }
  memcpy(&value, reader->at, size);  // Little-endian.
  reader->at += size;
  return value;
}

static void skip(struct reader *reader, uint64_t size) {
  if (reader->has_failed || (uint64_t)(reader->end - reader->at) < size) {
    reader->has_failed = true;
  } else {
    reader->at += size;
  }
}

static uint64_t uleb(struct reader *reader) {
  if (!reader->has_failed && reader->at < reader->end && !(*reader->at & 0x80)) return *reader->at++;
  uint64_t value = 0;
  for (unsigned shift = 0; !reader->has_failed; shift += 7) {
    uint64_t byte = number(reader, 1);
    if (shift < 64) value |= (byte & 0x7F) << shift;
    if (!(byte & 0x80)) break;
  }
  return value;
}

static int64_t sleb(struct reader *reader) {
  uint64_t value = 0, byte = 0;
  unsigned shift = 0;
  do {
    byte = number(reader, 1);
    if (shift < 64) value |= (byte & 0x7F) << shift;
    shift += 7;
  } while (byte & 0x80 && !reader->has_failed);
  if (byte & 0x40 && shift < 64) value |= ~(uint64_t)0 << shift;
  return (int64_t)value;
}

static const char *text(struct reader *reader) {
  const char *start = (const char *)reader->at;
  const uint8_t *end = reader->has_failed ? NULL : memchr(reader->at, 0, (size_t)(reader->end - reader->at));
  if (!end) {
    reader->has_failed = true;
    return "";
  }
  reader->at = end + 1;
  return start;
}

static const char *text_at(const char *section, uint64_t offset) {
  struct reader reader = reader_at(cvt_section(section), offset);
  return text(&reader);
}

enum form {
  FORM_ADDR = 0x01,
  FORM_BLOCK2 = 0x03,
  FORM_BLOCK4,
  FORM_DATA2,
  FORM_DATA4,
  FORM_DATA8,
  FORM_STRING,
  FORM_BLOCK,
  FORM_BLOCK1,
  FORM_DATA1,
  FORM_FLAG,
  FORM_SDATA,
  FORM_STRP,
  FORM_UDATA,
  FORM_REF_ADDR,
  FORM_REF1,
  FORM_REF2,
  FORM_REF4,
  FORM_REF8,
  FORM_REF_UDATA,
  FORM_SEC_OFFSET = 0x17,
  FORM_EXPRLOC,
  FORM_FLAG_PRESENT,
  FORM_STRX,
  FORM_ADDRX,
  FORM_STRP_SUP = 0x1D,
  FORM_DATA16,
  FORM_LINE_STRP,
  FORM_REF_SIG8,
  FORM_IMPLICIT_CONST,
  FORM_LOCLISTX,
  FORM_RNGLISTX,
  FORM_STRX1 = 0x25,
  FORM_STRX2,
  FORM_STRX3,
  FORM_STRX4,
  FORM_ADDRX1,
  FORM_ADDRX2,
  FORM_ADDRX3,
  FORM_ADDRX4,
};

// Reads a value, or skips it and returns 0 if it is no number.
static uint64_t value(struct reader *reader, uint64_t form) {
  switch (form) {
    case FORM_DATA1: case FORM_FLAG: case FORM_REF1: case FORM_STRX1: case FORM_ADDRX1: return number(reader, 1);
    case FORM_DATA2: case FORM_REF2: case FORM_STRX2: case FORM_ADDRX2: return number(reader, 2);
    case FORM_STRX3: case FORM_ADDRX3: return number(reader, 3);
    case FORM_DATA4: case FORM_REF4: case FORM_STRP: case FORM_REF_ADDR: case FORM_SEC_OFFSET: case FORM_STRP_SUP:
    case FORM_LINE_STRP: case FORM_STRX4: case FORM_ADDRX4:
      return number(reader, 4);
    case FORM_ADDR: case FORM_DATA8: case FORM_REF8: case FORM_REF_SIG8: return number(reader, 8);
    case FORM_UDATA: case FORM_REF_UDATA: case FORM_STRX: case FORM_ADDRX: case FORM_LOCLISTX: case FORM_RNGLISTX:
      return uleb(reader);
    case FORM_SDATA: return (uint64_t)sleb(reader);
    case FORM_FLAG_PRESENT: case FORM_IMPLICIT_CONST: return 0;
    case FORM_DATA16: skip(reader, 16); return 0;
    case FORM_STRING: text(reader); return 0;
    case FORM_BLOCK1: skip(reader, number(reader, 1)); return 0;
    case FORM_BLOCK2: skip(reader, number(reader, 2)); return 0;
    case FORM_BLOCK4: skip(reader, number(reader, 4)); return 0;
    case FORM_BLOCK: case FORM_EXPRLOC: skip(reader, uleb(reader)); return 0;
    default: reader->has_failed = true; return 0;
  }
}

// The addresses that are looked for, in ascending order, as in the file.
struct request {
  const uintptr_t *addresses;
  size_t count;
  uintptr_t bias;
  struct cvt_source_place *places;
  struct cvt_bytes abbreviations, ranges, lines;
};

// Returns the index of the first address that is not less than `address`.
static size_t lower_bound(const struct request *request, uint64_t address) {
  size_t low = 0, high = request->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (request->addresses[middle] - request->bias < address) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

static bool has_address(const struct request *request, uint64_t start, uint64_t end) {
  size_t index = lower_bound(request, start);
  return index < request->count && request->addresses[index] - request->bias < end;
}

// Whether a list of ranges of DWARF 4 contains an address.
static bool ranges_have_address(const struct request *request, uint64_t offset, uint64_t low) {
  struct reader reader = reader_at(request->ranges, offset);
  while (!reader.has_failed) {
    uint64_t start = number(&reader, 8), end = number(&reader, 8);
    if (!start && !end) return false;
    if (start == UINT64_MAX) {
      low = end;
    } else if (has_address(request, low + start, low + end)) {
      return true;
    }
  }
  return false;
}

static bool are_of_one_function(uintptr_t first, uintptr_t second) {
  const char *image, *name = cvt_symbol(first, &image);
  return name && name == cvt_symbol(second, &image);
}

// Sets the place of a row, which begins at `row`, and of the code without a place before it, which begins at `start`.
static void set_place(
    const struct request *request, uint64_t start, uint64_t row, uint64_t end, struct cvt_source_place place) {
  for (size_t index = lower_bound(request, start);
       index < request->count && request->addresses[index] - request->bias < end; index++) {
    uintptr_t address = request->addresses[index];
    if (request->places[index].file) continue;
    // A function may end with code without a place.
    if (address - request->bias < row && !are_of_one_function(address, row + request->bias)) continue;
    request->places[index] = place;
  }
}

enum { MOST_FILES = 4096, MOST_FORMATS = 16 };

// Reads the names of directories or files in the format of DWARF 5. Returns their number.
static size_t read_entries(struct reader *reader, const char **names) {
  uint64_t types[MOST_FORMATS], forms[MOST_FORMATS];
  size_t formats = number(reader, 1);
  if (formats > MOST_FORMATS) reader->has_failed = true;
  for (size_t index = 0; index < formats && !reader->has_failed; index++) {
    types[index] = uleb(reader);
    forms[index] = uleb(reader);
  }
  size_t count = uleb(reader);
  for (size_t entry = 0; entry < count && !reader->has_failed; entry++) {
    const char *name = NULL;
    for (size_t index = 0; index < formats; index++) {
      bool is_path = types[index] == 1;
      if (is_path && forms[index] == FORM_STRING) {
        name = text(reader);
      } else {
        uint64_t number = value(reader, forms[index]);
        if (is_path && forms[index] == FORM_LINE_STRP) name = text_at(".debug_line_str", number);
        if (is_path && forms[index] == FORM_STRP) name = text_at(".debug_str", number);
      }
    }
    if (entry < MOST_FILES) names[entry] = name;
  }
  return count < MOST_FILES ? count : MOST_FILES;
}

static void read_lines(const struct request *request, uint64_t offset) {
  struct reader reader = reader_at(request->lines, offset);
  uint64_t length = number(&reader, 4);
  if (reader.has_failed || length > (uint64_t)(reader.end - reader.at)) return;
  reader.end = reader.at + length;
  uint64_t version = number(&reader, 2);
  if (version < 2 || version > 5) return;
  if (version == 5) skip(&reader, 2);
  uint64_t header_length = number(&reader, 4);
  if (reader.has_failed || header_length > (uint64_t)(reader.end - reader.at)) return;
  const uint8_t *program = reader.at + header_length;
  uint64_t instruction_length = number(&reader, 1);
  if (version >= 4) skip(&reader, 1);
  skip(&reader, 1);
  int8_t line_base = (int8_t)number(&reader, 1);
  uint64_t line_range = number(&reader, 1), opcode_base = number(&reader, 1);
  if (!line_range || !opcode_base) return;
  uint8_t lengths[256] = {0};
  for (uint64_t opcode = 1; opcode < opcode_base; opcode++) lengths[opcode] = (uint8_t)number(&reader, 1);

  static _Thread_local const char *files[MOST_FILES];
  size_t file_count = 0;
  if (version == 5) {
    read_entries(&reader, files);
    file_count = read_entries(&reader, files);
  } else {
    while (!reader.has_failed && *text(&reader)) {}
    files[file_count++] = NULL;  // Counted from 1.
    while (!reader.has_failed) {
      const char *name = text(&reader);
      if (!*name) break;
      for (int field = 0; field < 3; field++) uleb(&reader);
      if (file_count < MOST_FILES) files[file_count++] = name;
    }
  }

  if (reader.has_failed) return;
  reader.at = program;
  uint64_t address = 0, file = 1, line = 1, column = 0, row_address = 0, row_start = 0;
  struct cvt_source_place row = {NULL, 0, 0};
  bool has_row = false;
  while (reader.at < reader.end && !reader.has_failed) {
    uint64_t opcode = number(&reader, 1);
    bool adds_row = false, ends = false;
    if (opcode >= opcode_base) {
      uint64_t adjusted = opcode - opcode_base;
      address += adjusted / line_range * instruction_length;
      line += (uint64_t)(line_base + (int64_t)(adjusted % line_range));
      adds_row = true;
    } else if (opcode == 0) {
      uint64_t size = uleb(&reader);
      const uint8_t *next = reader.at + size;
      if (!size || size > (uint64_t)(reader.end - reader.at)) return;
      uint64_t extended = number(&reader, 1);
      if (extended == 1) adds_row = ends = true;
      if (extended == 2) address = number(&reader, 8);
      reader.at = next;
    } else {
      switch (opcode) {
        case 1: adds_row = true; break;
        case 2: address += uleb(&reader) * instruction_length; break;
        case 3: line += (uint64_t)sleb(&reader); break;
        case 4: file = uleb(&reader); break;
        case 5: column = uleb(&reader); break;
        case 8: address += (255 - opcode_base) / line_range * instruction_length; break;
        case 9: address += number(&reader, 2); break;
        default:
          for (int argument = 0; argument < lengths[opcode]; argument++) uleb(&reader);
      }
    }
    if (!adds_row) continue;
    // Line 0 is code without a place: it belongs to the row that follows in its function.
    if (has_row && address > row_address && row.line) set_place(request, row_address, row_start, address, row);
    if (!has_row || row.line) row_address = address;
    const char *name = file < file_count ? files[file] : NULL;
    row = (struct cvt_source_place){name, (uint32_t)line, (uint32_t)column};
    row_start = address;
    has_row = !ends;
    if (ends) address = 0, file = 1, line = 1, column = 0;
  }
}

// Reads the first entry of a unit, and its line table if the unit has one of the addresses.
static void read_unit(const struct request *request, struct reader *reader) {
  uint64_t version = number(reader, 2), type = 1, address_size, abbreviations;
  if (version == 5) {
    type = number(reader, 1);
    address_size = number(reader, 1);
    abbreviations = number(reader, 4);
  } else {
    abbreviations = number(reader, 4);
    address_size = number(reader, 1);
  }
  // DW_UT_compile
  if (version < 4 || version > 5 || type != 1 || address_size != 8) return;
  uint64_t code = uleb(reader);
  struct reader forms = reader_at(request->abbreviations, abbreviations);
  while (!forms.has_failed) {
    uint64_t current = uleb(&forms);
    if (!current) return;
    uleb(&forms);
    skip(&forms, 1);
    if (current == code) break;
    for (uint64_t attribute = 1, form; attribute && !forms.has_failed;) {
      attribute = uleb(&forms);
      form = uleb(&forms);
      if (form == FORM_IMPLICIT_CONST) sleb(&forms);
    }
  }
  uint64_t lines = UINT64_MAX, low = 0, high = 0, ranges = UINT64_MAX;
  bool is_unknown = version == 5, is_length = false;
  while (!forms.has_failed && !reader->has_failed) {
    uint64_t attribute = uleb(&forms), form = uleb(&forms);
    if (!attribute) break;
    if (form == FORM_IMPLICIT_CONST) sleb(&forms);
    uint64_t number = value(reader, form);
    switch (attribute) {
      case 0x10: lines = number; break;
      case 0x11: low = number; break;
      case 0x12: high = number; is_length = form != FORM_ADDR; break;
      case 0x55: ranges = number; break;
      default: break;
    }
  }
  if (reader->has_failed || forms.has_failed || lines == UINT64_MAX) return;
  if (is_length) high += low;
  // The ranges of DWARF 5 are not read, so the line table of each such unit is.
  bool has = is_unknown || (ranges == UINT64_MAX ? has_address(request, low, high)
                                                 : ranges_have_address(request, ranges, low));
  if (has) read_lines(request, lines);
}

void cvt_source_places(const uintptr_t *addresses, struct cvt_source_place *places, size_t count) {
  memset(places, 0, count * sizeof(*places));
  struct request request = {
      addresses,
      count,
      cvt_executable_bias(),
      places,
      cvt_section(".debug_abbrev"),
      cvt_section(".debug_ranges"),
      cvt_section(".debug_line"),
  };
  struct reader reader = reader_at(cvt_section(".debug_info"), 0);
  while (!reader.has_failed && reader.at < reader.end) {
    uint64_t length = number(&reader, 4);
    if (length > (uint64_t)(reader.end - reader.at)) return;
    struct reader unit = {reader.at, reader.at + length, false};
    read_unit(&request, &unit);
    skip(&reader, length);
  }
}
#else
void cvt_source_places(const uintptr_t *addresses, struct cvt_source_place *places, size_t count) {
  (void)addresses;
  memset(places, 0, count * sizeof(*places));
}
#endif
