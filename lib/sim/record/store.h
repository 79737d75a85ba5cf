/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The part of the records file (sim/shared/records.h) that belongs to this process image.
 * Its memory is shared with the file, so that all counts are in the file at any time.
 */
#ifndef SIM_RECORD_STORE_H
#define SIM_RECORD_STORE_H

#include "pub_tool_basics.h"

#include "sim/shared/records.h"

/*
 * Opens the file for a new image. Returns its head; NULL if this process may not open it,
 * or if it is not a records file of this version.
 */
const struct records_head *store_open(const HChar *path);

/*
 * If memory runs out, the head says so, and the next calls return memory that is not in
 * the file.
 */

/*
 * Returns the entry that is about these id bytes (a multiple of 8), which may be a new
 * one, with counts of 0.
 */
struct records_entry *store_entry(enum records_entry_kind kind, const void *id,
				  UInt bytes, UInt counts);

/* Maps a new ring for an LWP. Returns its chunk, which its records follow; or NULL. */
struct records_chunk *store_ring(Int tid);
void store_end_ring(struct records_chunk *ring);

/* Called before a record is added: gets memory for the next ones from time to time. */
void store_populate(const struct records_chunk *ring);

/*
 * In the child of fork(2): moves all entries to chunks of a new image, at the same
 * addresses, with counts of 0. Returns 0, or -1 if that fails: the counts are those of
 * the parent.
 */
Int store_forked(void);

#endif
