/*
 * Symbols: the names, source lines and inlined functions of the addresses of a process,
 * from its mappings and the files that they map.
 */
#ifndef SYMBOLS_SYMBOLS_H
#define SYMBOLS_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The address space of a process. */
struct symbols;

/* Source lines and inlined functions of a file. */
struct source_lines;

struct symbols_options {
	/* symbols_lines: also source lines and inlined functions; NULL: names alone */
	int (*lines)(int fd, struct source_lines *s);
	int mangled;	  /* names of C++ and Rust are not demangled */
	pid_t pid;	  /* a live process, or that of the maps of a JIT; 0: not known */
	const char *root; /* folder in which paths are looked up; NULL: "/" */
};

/* A mapping of a file, or of anonymous memory ("[vdso]", "[heap]", "" or NULL). */
struct symbols_mapping {
	uint64_t start, end, offset;
	const char *path;
	const uint8_t *build_id; /* NULL: not known */
	size_t build_id_size;
};

/* A function that an address is in. Strings live as long as the struct symbols. */
struct symbols_frame {
	const char *function; /* NULL: no symbol; show module and offset */
	uint64_t offset; /* from the function's start; else in the module's addresses */
	const char *module; /* path of the file, "[vdso]", "//anon"; NULL: not mapped */
	const char *file;   /* source file; NULL: not known */
	unsigned line;	    /* 0: not known */
	int inlined; /* 1: the next frame is the function that it was inlined into */
	/* source file that the symbol table gives for a static function; or NULL */
	const char *unit;
};

/* A function or variable of a file, by name. */
struct symbols_object {
	const char *name;
	uint64_t address; /* in the process; has no meaning if is_thread_local */
	uint64_t size;	  /* 0: not known */
	const char *module;
	int is_function;
	int is_indirect;     /* the address is of code that chooses a function */
	int is_thread_local; /* each thread has a variable of this name */
};

/*
 * Read DWARF, for symbols_options.lines. A program that does not name this function needs
 * no libdw. Returns 0; or -1 with ENOEXEC if the information is malformed, or ENOMEM.
 */
int symbols_lines(int fd, struct source_lines *s);

/* Return an empty address space, or NULL with ENOMEM. */
struct symbols *symbols_new(const struct symbols_options *o);
void symbols_free(struct symbols *s);

/*
 * Add a mapping, which replaces older ones that it overlaps. Mappings with the same path
 * are of the same file unless their build ids differ. Returns 0, or -1 with ENOMEM.
 */
int symbols_map(struct symbols *s, const struct symbols_mapping *m);

/*
 * Add the mappings that the text of /proc/PID/maps lists. Lines that are malformed are
 * left out. Returns 0, or -1 with ENOMEM.
 */
int symbols_map_text(struct symbols *s, const char *text);

/*
 * Fill frame with the functions that contain the instruction at ip: the innermost inlined
 * one first, the one that the linker knows last. Returns their number, from 1 to max;
 * frames beyond max are left out.
 */
unsigned symbols_code(struct symbols *s, uint64_t ip, struct symbols_frame *frame,
		      unsigned max);

/* Find the variable that contains the byte at address. Returns 0, or -1 with ENOENT. */
int symbols_data(struct symbols *s, uint64_t address, struct symbols_object *o);

/*
 * Find a function or variable by its (mangled) name, in the files in the order in which
 * they were first mapped. Returns 0, or -1 with ENOENT.
 */
int symbols_find(struct symbols *s, const char *name, struct symbols_object *o);

/*
 * Write "did you mean 'A', 'B' or 'C'?" with the nearest (mangled) names into buf, or ""
 * if no name is near. Returns buf.
 */
const char *symbols_suggest(struct symbols *s, const char *name, char *buf,
			    unsigned size);

/*
 * Files whose symbols could not be read, for a message: returns the i-th, or NULL. *why
 * gets a sentence, such as "its build id differs".
 */
const char *symbols_problem(struct symbols *s, unsigned i, const char **why);

/* What *why points to if memory ran out while the symbols of a file were read. */
extern const char symbols_no_memory[];

#endif
