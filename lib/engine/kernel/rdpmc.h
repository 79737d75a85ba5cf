/*
 * Reading counters without a system call: the kernel maps a page for each event of an
 * LWP, which names the counter that the event is on (struct perf_event_mmap_page in
 * perf_event_open(2)).
 */
#ifndef ENGINE_KERNEL_RDPMC_H
#define ENGINE_KERNEL_RDPMC_H

#include <stdint.h>

#include "engine/kernel/group.h"
#include "engine/kernel/sysfs.h"

struct perf_event_mmap_page;
struct kernel_rdpmc;

/*
 * Some core PMUs allow such reads only of events that request it: let *how request it if
 * this machine has such a PMU. root: as in engine/kernel/sysfs.h.
 */
void kernel_rdpmc_request(const char *root, const struct kernel_core *core,
			  unsigned ncores, struct kernel_open_how *how);

/*
 * Map the pages of a group that counts the caller. Returns NULL if that is not possible:
 * read(2) still works. Keeps errno.
 */
struct kernel_rdpmc *kernel_rdpmc_open(const struct group *g);
void kernel_rdpmc_close(struct kernel_rdpmc *r); /* NULL is allowed */

/*
 * Read all values of a group that has such pages into val[]; *on, unless on is NULL: ns
 * that the group has been enabled. Uses kernel_group_read() if an event is not on a
 * counter now or if the caller is another LWP or process; returns what it returns.
 * Async-signal-safe.
 */
int kernel_rdpmc_read(struct group *g, struct count *val, uint64_t *on);

/* As kernel_rdpmc_read(), but return -1, with val[] undefined, instead of a read(2). */
int kernel_rdpmc_try(const struct kernel_rdpmc *r, const struct group *g,
		     struct count *val);

/* Returns the count of an event if the counter that its page names has value pmc. */
uint64_t kernel_rdpmc_count(const volatile struct perf_event_mmap_page *p, uint64_t pmc);

/* Returns the ns to add to the times of a page if the time-stamp counter is at cycles. */
uint64_t kernel_rdpmc_since(const volatile struct perf_event_mmap_page *p,
			    uint64_t cycles);

#endif
