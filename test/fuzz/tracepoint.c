/*
 * Encodes any name of a tracepoint with any files of tracefs (descriptors.h; the first
 * line is the name). A name is refused with a message, and each tracepoint that is listed
 * can be encoded, unless its id cannot be read. Build with clang
 * -fsanitize=fuzzer,address,undefined.
 */
#include "engine/kernel/tracepoint.h"

#include <linux/perf_event.h>

#include "descriptors.h"

/* Returns 0, or errno of a refusal. */
static int encode(const char *name)
{
	struct kernel_event ev;
	struct why why = {""};

	if (kernel_tracepoint_encode("", name, &ev, &why) == -1) {
		check(*why.text, "a refusal has a message");
		check(errno == EINVAL || errno == ENOENT || errno == EIO,
		      "a refusal has one of the documented reasons");
		return errno;
	}
	check(ev.type == PERF_TYPE_TRACEPOINT && ev.config[0] <= INT64_MAX,
	      "a tracepoint has an id");
	return 0;
}

/* Is the id of a tracepoint a folder, as the kernel never has it? */
static int has_folder_of_id(void)
{
	for (unsigned i = 0; i < files.n; i++)
		if (strstr(files.file[i].path, "/id/"))
			return 1;
	return 0;
}

static void on_name(void *arg, const char *name, const char *title)
{
	(void)arg;
	check(!title && strchr(name, ':'), "the walk gives names of tracepoints");
	const int error = encode(name);
	check(!error || error == EIO || (error == ENOENT && has_folder_of_id()),
	      "a tracepoint that is listed can be encoded");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *const name = files_open(data, size);
	const enum trace_found found = kernel_tracepoint_find("", name);
	const int error = encode(name);

	check(error || found == TRACE_GROUP, "a tracepoint has a group");
	check(error != EINVAL || found == TRACE_NONE, "a malformed name is none");
	const struct engine_walk w = {.name = on_name};
	kernel_tracepoint_walk("", &w);
	descriptors_close();
	return 0;
}
