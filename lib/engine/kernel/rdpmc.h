/*
 * Reading counters without a system call: the pages in which the kernel tells an LWP
 * where its own counters are (perf_event_open(2), struct perf_event_mmap_page).
 */
#ifndef ENGINE_KERNEL_RDPMC_H
#define ENGINE_KERNEL_RDPMC_H

#include <stdint.h>

#include "engine/kernel/group.h"
#include "engine/kernel/sysfs.h"

struct perf_event_mmap_page;
struct kernel_rdpmc;

/*
 * Some core PMUs count for such reads only if the event asks for it: then *m is to do so.
 * root: as of kernel_sysfs.h.
 */
void kernel_rdpmc_ask(const char *root, const struct kernel_core *core, unsigned ncores,
		      struct kernel_open_how *m);

/*
 * The pages of a group that counts the caller. NULL: the values are to be had by read(2)
 * alone, for one reason or another, and nothing is lost. Keeps errno.
 */
struct kernel_rdpmc *kernel_rdpmc_open(const struct group *g);
void kernel_rdpmc_close(struct kernel_rdpmc *u); /* NULL is allowed */

/*
 * Add all values of the group to val[]; *enabled: ns it has been on. -1: not now, since
 * an event is not on a counter or the caller is another LWP or process. val[] is then
 * undefined. Async-signal-safe.
 */
int kernel_rdpmc_read(const struct kernel_rdpmc *u, const struct group *g,
		      struct count *val, uint64_t *enabled);

/* What has been counted if the counter that a page names reads pmc. */
uint64_t kernel_rdpmc_count(const volatile struct perf_event_mmap_page *p, uint64_t pmc);

/* ns to be added to the times of a page when the clock of the processor reads cycles. */
uint64_t kernel_rdpmc_since(const volatile struct perf_event_mmap_page *p,
			    uint64_t cycles);

#endif
