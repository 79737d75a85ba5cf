/*
 * Text of machines, as in events/NAME.machine, read into struct machine.
 *
 * A machine consists of lines of a key and a value; a word that begins with # begins a
 * comment. Values are numbers, which may end in K, M or G (1024, 1024 K, 1024 M), unless
 * words are listed here. Sizes are in bytes; 0 means that the machine does not have the
 * part. The table in sim/shared/machine.c has the range of each key.
 *	machine NAME "TITLE"	the name and title of the machine
 *	mhz, width		clock; instructions a cycle
 *	turn			blocks of code (up to a jump) that a CPU executes before
 *				another CPU can take a line from it
 *	issue			out-of-order, also if it is not given, or in-order: no
 *				instruction begins before those that precede it
 *	simd			bytes of a vector on which an FP operation works; 0: on
 *				one element. Loads, stores and other operations on
 *				vectors work on as many bytes, but at least 8
 *	i1. d1. l2. l3.		a cache: size, line, ways, repl (lru or fifo; L2 with a
 *				table of way predictions: waypred); d1. and l2. also sub
 *				(bytes filled at once, by default a line)
 *	d1.write, d1.alloc	back or through; L1D allocates on writes: yes or no
 *	l2.inclusive		L2 includes L1I and L1D: yes or no
 *	waypred			entries of L2's way-prediction table
 *	wmerge			bytes in which a write-through L1D merges stores
 *	tlb			split; or joint: dtlb also serves instructions
 *	tlb.repl		fifo
 *	prefetch.tlb		a prefetch of a page that the TLB lacks: drop (it does
 *				nothing) or walk (it fills the TLB, as a load does)
 *	itlb1. dtlb1. itlb. dtlb.	first level, last level: entries, ways (0: one
 *				set), page (bytes that an entry maps)
 *	bp			bimodal or gshare, with bp.entries, bp.shift and bp.init
 *				(0 to 3); gshare: also bp.hist (bits of history), bp.fold
 *				(another shift)
 *	ras, ind		entries of the return stack, of the target cache
 *	timing OP LATENCY REPEAT UNITS	an operation: cycles until its result can be used
 *				(0 to 127), cycles for which a unit is occupied (1 to
 *				127), and a letter for each unit that can do it; one line
 *				for each OP of enum machine_op (sim/shared/machine.h)
 *	penalty COUNTER CYCLES GROUP	what one COUNTER costs; GROUP: fetch, load, tlb,
 *				br or wb
 */
#ifndef ENGINE_MACHINE_PARSE_H
#define ENGINE_MACHINE_PARSE_H

#include <stddef.h>

#include "engine/machine_words.h"
#include "sim/shared/machine.h"

/* The most bytes that the text of a machine may have; a usual one has 4 KB. */
enum { MACHINE_TEXT_MAX = 1 << 16 };

/* The text of a machine, and changes of it, which take the place of its own lines. */
struct machine_source {
	const char *path; /* begins the messages about lines of text */
	const char *text;
	size_t len;
	struct machine_changes changes; /* also "penalty.COUNTER=CYCLES" and
					    "timing.OP=LATENCY REPEAT UNITS" */
};

/* The function that gets messages about mistakes, its argument, the number of calls. */
struct machine_mistakes {
	void *arg;
	void (*fn)(void *arg, const char *text); /* one line without a newline */
	unsigned n;
};

/*
 * Read a machine into *m. Returns 0; or -1 with EINVAL after at least one message, which
 * says "PATH:LINE: ..." or "--set=KEY=VALUE: ..." and what is allowed. At most 20
 * mistakes are reported. The locale has no effect.
 */
int machine_parse(const struct machine_source *source, struct machine *m,
		  struct machine_mistakes *to);

/*
 * Returns the text with its changes, for free(): machine_parse() reads the same machine
 * from it. m is what machine_parse() has read from the source. Changed lines have the
 * remark as their comment, and lines without a use on the changed machine become
 * comments. Returns NULL with ENOMEM.
 */
char *machine_edit(const struct machine_source *source, const struct machine *m,
		   const char *remark);

/* Report changes that are wrong on every machine. Returns 0, or -1 with EINVAL. */
int machine_check_changes(const struct machine_changes *changes,
			  struct machine_mistakes *to);

#endif
