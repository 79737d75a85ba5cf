/* The system call bpf(2): maps, programs, and their links to tracepoints. */
#ifndef ENGINE_BPF_SYS_H
#define ENGINE_BPF_SYS_H

#include <stddef.h>
#include <stdint.h>

/*
 * All calls return -1 with the errno of bpf(2). An exec closes the descriptors. The
 * kernel removes a map, a program or its attachment when its last descriptor is closed.
 */

/* A map, as bpf(2) describes it. */
struct bpf_sys_map {
	unsigned type;	     /* enum bpf_map_type of Linux */
	unsigned key, value; /* bytes */
	unsigned entries, flags;
};

/* Returns the descriptor of a new map. */
int bpf_sys_map(const struct bpf_sys_map *m);

int bpf_sys_update(int map, const void *key, const void *value);
int bpf_sys_lookup(int map, const void *key, void *value);
int bpf_sys_delete(int map, const void *key);
/*
 * Call fn for each entry of a hash with keys of 8 bytes, whose values have size bytes, a
 * multiple of 8; fn may delete the entry. Returns -1 with errno if fn returns -1, or if
 * no memory is available. Entries that change meanwhile may be left out or come twice,
 * but no other.
 */
int bpf_sys_each(int map, size_t size, void *arg,
		 int (*fn)(void *arg, uint64_t key, const void *value));
/* No program call changes the map any more. */
int bpf_sys_freeze(int map);

/*
 * Load a program for a raw tracepoint: n instructions of 8 bytes. log, of size bytes,
 * gets the words of the kernel about a program that it rejects; NULL: no words.
 */
int bpf_sys_load(const char *name, const uint64_t *instruction, size_t n, char *log,
		 size_t size);

/* Let a program run at a tracepoint, until the descriptor that is returned is closed. */
int bpf_sys_attach(const char *tracepoint, int program);

/*
 * Run a program once, on this CPU, with these arguments of size bytes; cpu -1: where the
 * caller is.
 */
int bpf_sys_run(int program, int cpu, const uint64_t *args, size_t size);

#endif
