/*
 * The records of a simulated run: a file in memory in which the tool, inside each process
 * of the program, counts events by instruction and records every n-th event, and from
 * which the engine, outside, reads both. All values are in the machine's byte order.
 *
 * The file has a head, then chunks of whole units. A process image (a program that a
 * process executes, or the copy that fork(2) makes) has chunks of its own: CHUNK_CELLS,
 * with entries one after the other, and for each of its LWPs a CHUNK_RING. Whoever needs
 * a chunk claims the next units by an atomic addition, and then writes the chunk's head:
 * units whose first word is not CHUNK_MAGIC were claimed and not used. The tool writes
 * the file while the program runs, so the counts of a program that is killed are there.
 * Untouched parts take no memory. A reader checks all values, as the program could have
 * written anything there.
 */
#ifndef SIM_SHARED_RECORDS_H
#define SIM_SHARED_RECORDS_H

#include <stdint.h>

#define RECORDS_MAGIC UINT64_C(0x736365726370636f) /* "ocpcrecs" */
#define CHUNK_MAGIC   UINT32_C(0x6b6e6863)	   /* "chnk" */

enum {
	RECORDS_VERSION = 1,
	RECORDS_EVENTS = 32,
	RECORDS_HEAD_SIZE = 1 << 16, /* offset of unit 0; a multiple of 4096 */
	RECORDS_UNIT = 1 << 20,	     /* bytes; the size of a CHUNK_CELLS */
	RECORDS_UNITS = 1 << 26,     /* in a file */
};

/* The events of which records are made; the others are only counted. */
enum records_kind {
	RECORDS_COUNT,	/* no records */
	RECORDS_INSN,	/* instructions */
	RECORDS_BRANCH, /* branches */
	RECORDS_MISS,	/* misses of the data cache */
	RECORDS_KINDS
};

struct records_event {
	uint64_t counters; /* bit n: counter n of the model is part of the event */
	uint64_t interval; /* each so many events of an LWP make a record; 0: none */
	uint64_t kind;	   /* enum records_kind */
};

struct records_head {
	uint64_t magic;
	uint32_t version, nevents;
	uint64_t room;	  /* records that a ring can hold */
	uint32_t nimages; /* images so far; changed by atomic addition */
	uint32_t nunits;  /* claimed units; changed by atomic addition */
	uint32_t failed;  /* 1: memory ran out; some counts or records are missing */
	uint32_t unused;
	struct records_event event[RECORDS_EVENTS];
};

enum records_chunk_kind { CHUNK_CELLS = 1, CHUNK_RING };

/* The head of a chunk, RECORDS_CHUNK bytes. */
struct records_chunk {
	uint32_t magic, kind;
	uint32_t image; /* number of the image, from 0 */
	uint32_t units;
	uint64_t used; /* CHUNK_CELLS: bytes of complete entries; CHUNK_RING: records */
	/* Of CHUNK_RING: */
	uint64_t missed; /* events that the ring had no room for */
	int32_t tid;
	char name[28]; /* of the LWP, ended by NUL; "": not known */
};
enum { RECORDS_CHUNK = 64 };
_Static_assert(sizeof(struct records_chunk) == RECORDS_CHUNK, "a chunk's head");

/*
 * The head of an entry. What the entry is about follows, id bytes; then its counts, of 8
 * bytes each. All sizes are multiples of 8.
 */
struct records_entry {
	uint32_t kind; /* enum records_entry_kind */
	uint32_t size; /* bytes, with this head */
	uint32_t id;
	uint32_t unused;
};

enum records_entry_kind {
	ENTRY_IMAGE = 1, /* struct records_image and text; no counts */
	ENTRY_MAPPING,	 /* struct records_mapping and text; no counts */
	/*
	 * A piece of code: struct records_branch, then words of RECORDS_ITEM. One count:
	 * how often it was executed. Or 8 counts, if it ends with a conditional branch:
	 * at i, how often it was executed, found the predictor in state i / 2 (2 and 3
	 * predict a taken branch) and took (i & 1), or if it is inverted did not take,
	 * the branch.
	 */
	ENTRY_RUN,
	/* an instruction: its address; a count of each event of the head */
	ENTRY_SITE
};

/* How an image came to be: a process has executed a program, or was forked. */
enum records_start { START_EXEC, START_FORK };

struct records_image {
	int32_t pid;
	uint32_t start;	  /* enum records_start */
	uint64_t unix_ns; /* when it began */
	uint64_t argv;	  /* bytes of the arguments in text, each ended by NUL */
			  /* text: the path of the program with its NUL, the arguments */
};

struct records_mapping {
	uint64_t start, end, offset;
	/*
	 * text: the path of the file with its NUL, then so many first bytes of it. "" is
	 * executable memory that is no file's.
	 */
	uint64_t head;
};

/* The branch at the end of a piece of code; pc 0: it is not needed. */
struct records_branch {
	uint64_t pc;
	uint64_t to[2]; /* where the code goes on, for i & 1; [1]: of a jump */
	uint32_t inverted;
	uint32_t crossing; /* a branch that is not taken enters another line of L1I */
};

/*
 * An item of a run: each execution adds n to the event for the instruction at pc. The
 * bits above bit 47 of an address are as bit 47.
 */
#define RECORDS_ITEM(pc, event, n)                                             \
	(((uint64_t)(pc)&UINT64_C(0xffffffffffff)) | (uint64_t)(event) << 48 | \
	 (uint64_t)(n) << 56)
#define RECORDS_ITEM_PC(item)	 ((uint64_t)((int64_t)((item) << 16) >> 16))
#define RECORDS_ITEM_EVENT(item) ((unsigned)((item) >> 48 & 0xff))
#define RECORDS_ITEM_N(item)	 ((item) >> 56)

/* A record. */
struct records_record {
	uint64_t pc;
	uint64_t data;	  /* branch: the next address; miss: the address of the data */
	uint32_t latency; /* miss: cycles */
	uint8_t kind;	  /* enum records_kind */
	uint8_t flags;	  /* RECORD_ */
	uint8_t cpu;	  /* simulated CPU */
	uint8_t unused;
	uint64_t insns; /* instructions of the image that were counted before */
};

enum {
	/* of branches: taken; its prediction is known; and was right */
	RECORD_TAKEN = 1,
	RECORD_PREDICTED = 2,
	RECORD_RIGHT = 4,
	/* of misses: found in L3, in the cache of another CPU, in memory; else in L2 */
	RECORD_L3 = 8,
	RECORD_REMOTE = 16,
	RECORD_MEMORY = 32
};

/* Returns the counts of an entry. */
static inline uint64_t *records_counts(const struct records_entry *e)
{
	return (uint64_t *)((uintptr_t)(e + 1) + e->id);
}

/* Returns the offset of a unit in the file, in bytes. */
static inline uint64_t records_offset(uint64_t unit)
{
	return RECORDS_HEAD_SIZE + unit * RECORDS_UNIT;
}

/* Returns how many units a ring for so many records takes. */
static inline uint64_t records_ring_units(uint64_t room)
{
	const uint64_t size = RECORDS_CHUNK + room * sizeof(struct records_record);

	return (size + RECORDS_UNIT - 1) / RECORDS_UNIT;
}

#endif
