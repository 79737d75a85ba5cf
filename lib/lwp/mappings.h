/* The mappings of a core file: which files and anonymous memory are where. */
#ifndef LWP_MAPPINGS_H
#define LWP_MAPPINGS_H

#include "lwp/core.h"
#include "lwp/recording.h"

/*
 * Set the mappings of *r from the note NT_FILE, which may be missing (all 0), and from
 * the segments; and the program, which has the address program. vdso is the address of
 * the vDSO. Either address may be 0: not known. Returns 0, or -1 with EINVAL or ENOMEM
 * and a reason in why, which has room for n bytes.
 */
int mappings_read(struct recording *r, const struct core *c,
		  const struct core_note *files, uint64_t vdso, uint64_t program,
		  char *why, size_t n);

/* Find the first bytes of mapped ELF files, and the build ids that are not known. */
void mappings_find_heads(struct recording *r, const struct core *c);

/* Give each mapping without a build id that of the mapping of the same file before it. */
void mappings_share_build_ids(struct recording *r);

#endif
