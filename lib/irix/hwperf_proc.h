/* Files of a process, by the descriptor of its folder of /proc. */
#ifndef IRIX_HWPERF_PROC_H
#define IRIX_HWPERF_PROC_H

#include <stddef.h>
#include <stdint.h>

/*
 * Read the start of a file into buf, as a string. Returns 0; or -1 with ESRCH: the
 * process has been reaped, or the file cannot be read; EMFILE or ENFILE.
 */
int hwperf_proc_read(int dir, const char *name, char *buf, size_t size);

/*
 * Returns the whole text of a file, to be freed by the caller; or NULL with errno of
 * open(2) or read(2), or ENOMEM.
 */
char *hwperf_proc_text(int dir, const char *name);

/*
 * Returns the text of the file stat (proc(5)) from the blank before field 3, the state,
 * on; "" if the file has no such field.
 */
const char *hwperf_proc_state(const char *stat);

/* Returns a number of the file stat: field 4 or higher; 0 if it has no such field. */
uint64_t hwperf_proc_stat(const char *stat, unsigned field);

/* Returns the number after a name at the start of a line, or 0. */
uint64_t hwperf_proc_line(const char *text, const char *name);

#endif
