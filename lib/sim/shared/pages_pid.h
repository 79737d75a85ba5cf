/* Which page is a process's: for those who write it. */
#ifndef PAGES_PID_H
#define PAGES_PID_H

#include "sim/shared/pages.h"

/* Is this a file that we can write into? */
static inline int pages_good(const struct pages_head *h, uint32_t ncounters)
{
	return h->magic == PAGES_MAGIC && h->version == PAGES_VERSION &&
	       h->ncounters == ncounters;
}

/* The number of the last page that was taken for pid, or -1. */
static inline int64_t pages_find(const struct pages_head *h, int32_t pid)
{
	const uint32_t taken = __atomic_load_n(&h->npages, __ATOMIC_ACQUIRE);
	uint32_t n = taken < PAGES_MAX ? taken : PAGES_MAX;

	while (n-- > 0)
		if (__atomic_load_n(&h->pid[n], __ATOMIC_ACQUIRE) == pid)
			return n;
	return -1;
}

/* Take the next page for pid; -1: there is none left. */
static inline int64_t pages_take(struct pages_head *h, int32_t pid)
{
	if (__atomic_load_n(&h->npages, __ATOMIC_ACQUIRE) >= PAGES_MAX)
		return -1;
	const uint32_t n = __atomic_fetch_add(&h->npages, 1, __ATOMIC_ACQ_REL);
	if (n >= PAGES_MAX)
		return -1;
	__atomic_store_n(&h->pid[n], pid, __ATOMIC_RELEASE);
	return n;
}

static inline uint64_t pages_offset(int64_t n)
{
	return PAGES_HEAD_SIZE + (uint64_t)n * PAGES_PAGE_SIZE;
}

/* Around what is written into a page. */
static inline void pages_begin(struct pages_page *page)
{
	__atomic_store_n(&page->seq, page->seq + 1, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

static inline void pages_end(struct pages_page *page)
{
	__atomic_store_n(&page->seq, page->seq + 1, __ATOMIC_RELEASE);
}

#endif
