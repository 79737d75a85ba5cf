/*
 * Which CPUs may have each L2 line, if caches were unlimited. It is a property of the
 * order of the program's accesses alone: it does not depend on which lines the caches
 * happen to have, nor on when they were enabled. Caches tell of an access only if the
 * line is not theirs already, which is every access that changes something here.
 *
 * A line that nobody has accessed since the second CPU started belongs to CPU 0.
 */
#ifndef SIM_MODEL_SHARING_H
#define SIM_MODEL_SHARING_H

#include <stddef.h>
#include <stdint.h>

struct share {
	uint64_t line; /* number of the line + 1; 0: the entry is free */
	uint64_t cpus; /* bit n: CPU n has it; a single CPU may write it */
	uint64_t turn; /* of the last transfer; 0: none */
};

struct sharing {
	struct share *entry; /* a hash table with linear probing */
	size_t size, used;   /* size: a power of two, or 0 */
	uint64_t turn;	     /* number of the current turn of a CPU, from 1 on */
	void *(*alloc)(size_t size);
	void (*contended)(void); /* called when a line moves to and fro, or NULL */
};

/*
 * CPU cpu reads or writes a line. A transfer is a read of a line that another CPU may
 * write, or a write of a line that another CPU has. The line moves to and fro if it had
 * another transfer in one of the last 2 * ncpus + 2 turns, but not in this one. Once
 * memory runs out, lines that are not yet in the table are ignored.
 */
void sharing_access(struct sharing *s, uint64_t line, unsigned cpu, unsigned ncpus,
		    int is_write);

#endif
