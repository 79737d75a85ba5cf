#include "engine/bpf/sys.h"

#include <errno.h>
#include <linux/bpf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BATCH = 1024 }; /* entries of a map that are read at a time */

static int call(enum bpf_cmd cmd, union bpf_attr *attr)
{
	return (int)syscall(SYS_bpf, cmd, attr, sizeof *attr);
}

/* Members of union bpf_attr that are not named must be 0, with all bytes between them. */
static union bpf_attr *zero(union bpf_attr *attr)
{
	return memset(attr, 0, sizeof *attr);
}

int bpf_sys_map(const struct bpf_sys_map *m)
{
	union bpf_attr attr;

	zero(&attr);
	attr.map_type = m->type;
	attr.key_size = m->key;
	attr.value_size = m->value;
	attr.max_entries = m->entries;
	attr.map_flags = m->flags;
	return call(BPF_MAP_CREATE, &attr);
}

static int element(enum bpf_cmd cmd, int map, const void *key, const void *value)
{
	union bpf_attr attr;

	zero(&attr);
	attr.map_fd = (uint32_t)map;
	attr.key = (uintptr_t)key;
	attr.value = (uintptr_t)value;
	return call(cmd, &attr);
}

int bpf_sys_update(int map, const void *key, const void *value)
{
	return element(BPF_MAP_UPDATE_ELEM, map, key, value);
}

int bpf_sys_lookup(int map, const void *key, void *value)
{
	return element(BPF_MAP_LOOKUP_ELEM, map, key, value);
}

int bpf_sys_delete(int map, const void *key)
{
	return element(BPF_MAP_DELETE_ELEM, map, key, NULL);
}

/* Copies up to *n entries. in: NULL at first, then the out of the call before. */
static int lookup_batch(int map, const uint64_t *in, uint64_t *out, uint64_t *keys,
			void *values, unsigned *n)
{
	union bpf_attr attr;

	zero(&attr);
	attr.batch.in_batch = (uintptr_t)in;
	attr.batch.out_batch = (uintptr_t)out;
	attr.batch.keys = (uintptr_t)keys;
	attr.batch.values = (uintptr_t)values;
	attr.batch.count = *n;
	attr.batch.map_fd = (uint32_t)map;
	const int rc = call(BPF_MAP_LOOKUP_BATCH, &attr);
	*n = attr.batch.count;
	return rc;
}

static int each(int map, unsigned char *value, size_t size, void *arg,
		int (*fn)(void *arg, uint64_t key, const void *value))
{
	uint64_t keys[BATCH], at, next, *from = NULL;
	int rc;

	do {
		unsigned n = BATCH;

		rc = lookup_batch(map, from, &next, keys, value, &n);
		/* ENOENT: these were the last entries. */
		if (rc == -1 && errno != ENOENT)
			return -1;
		for (unsigned i = 0; i < n; i++)
			if (fn(arg, keys[i], value + i * size) == -1)
				return -1;
		at = next;
		from = &at;
	} while (rc == 0);
	return 0;
}

int bpf_sys_each(int map, size_t size, void *arg,
		 int (*fn)(void *arg, uint64_t key, const void *value))
{
	unsigned char *value = malloc(BATCH * size);
	const int rc = value ? each(map, value, size, arg, fn) : -1;

	free(value);
	return rc;
}

int bpf_sys_freeze(int map)
{
	union bpf_attr attr;

	zero(&attr);
	attr.map_fd = (uint32_t)map;
	return call(BPF_MAP_FREEZE, &attr);
}

int bpf_sys_load(const char *name, const uint64_t *instruction, size_t n, char *log,
		 size_t size)
{
	union bpf_attr attr;

	zero(&attr);
	attr.prog_type = BPF_PROG_TYPE_RAW_TRACEPOINT;
	attr.insns = (uintptr_t)instruction;
	attr.insn_cnt = (uint32_t)n;
	/* The kernel offers some of its functions to programs with this licence only. */
	attr.license = (uintptr_t) "Dual MIT/GPL";
	snprintf(attr.prog_name, sizeof attr.prog_name, "%s", name);
	attr.log_buf = (uintptr_t)log;
	attr.log_size = (uint32_t)size;
	attr.log_level = log != NULL;
	return call(BPF_PROG_LOAD, &attr);
}

int bpf_sys_attach(const char *tracepoint, int program)
{
	union bpf_attr attr;

	zero(&attr);
	attr.raw_tracepoint.name = (uintptr_t)tracepoint;
	attr.raw_tracepoint.prog_fd = (uint32_t)program;
	return call(BPF_RAW_TRACEPOINT_OPEN, &attr);
}

int bpf_sys_run(int program, int cpu, const uint64_t *args, size_t size)
{
	union bpf_attr attr;

	zero(&attr);
	attr.test.prog_fd = (uint32_t)program;
	attr.test.ctx_in = (uintptr_t)args;
	attr.test.ctx_size_in = (uint32_t)size;
	attr.test.flags = cpu >= 0 ? BPF_F_TEST_RUN_ON_CPU : 0;
	attr.test.cpu = cpu >= 0 ? (uint32_t)cpu : 0;
	return call(BPF_PROG_TEST_RUN, &attr);
}
