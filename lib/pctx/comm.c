#include "pctx/comm.h"

#include <string.h>

#include "base/file.h"

/* By the process's folder, so that it is no LWP of another process. */
void comm_read(pid_t pid, pid_t tid, struct name *name)
{
	char buf[NAME_SIZE + 1]; /* a newline comes before the NUL */
	const ssize_t n =
		file_read(buf, sizeof buf, "/proc/%d/task/%d/comm", (int)pid, (int)tid);

	name->known = n > 0;
	if (n > 0)
		buf[n - 1] = '\0';
	memcpy(name->text, buf, NAME_SIZE);
}
