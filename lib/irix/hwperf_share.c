#include "irix/hwperf_share.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/process.h"
#include "cpc/strict.h"

/*
 * The file holds the number of forced acquisitions, and then the processes. Byte SYSTEM
 * is locked by the user of system mode, and byte USER, shared, by each process in user
 * mode. Byte TABLE is locked while the processes in the file are changed, and locked
 * shared while they are read. The locks belong to open file descriptions (fcntl(2)) and
 * end with the process.
 */
enum { FIRST = 4096, SLOTS = 256, SYSTEM = 1 << 24, USER, TABLE };

/* The state of this process, which opens the file when CPC_STRICT=1 needs it. */
static struct {
	int system;    /* this process uses system mode */
	int users;     /* processes that this process counts in user mode */
	uint64_t lost; /* forced acquisitions by this process, without CPC_STRICT=1 */
	int opened;    /* the descriptor of the file + 1; 0: it is not open */
	pid_t owner;   /* the process that has opened the file */
} state;

static int is_strict(void)
{
	const char *want = getenv("CPC_STRICT");

	return want && strcmp(want, "1") == 0;
}

/*
 * Returns the descriptor of the file, which the first call opens; or -1 with errno. A
 * child of fork(2) opens the file again: by a descriptor that it inherited it would share
 * the locks of its parent. Handlers of fork(2) close such a descriptor, but a process
 * that only reads what others publish has not installed them.
 */
static int file(void)
{
	struct why why;

	if (state.opened && state.owner != getpid())
		hwperf_share_forked();
	if (!state.opened) {
		state.opened = strict_file("opencpc.hwperf", &why) + 1;
		state.owner = getpid();
	}
	return state.opened - 1;
}

/* Returns 0, or -1 with EAGAIN if another process has a lock that excludes it. */
static int lock_byte(int fd, short type, off_t byte, int wait)
{
	struct flock l = {
		.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
	int rc;

	do
		rc = fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &l);
	while (rc == -1 && errno == EINTR);
	return rc;
}

static void unlock_byte(off_t byte)
{
	const int e = errno;

	if (state.opened)
		lock_byte(state.opened - 1, F_UNLCK, byte, 0);
	errno = e;
}

static int is_locked(int fd, off_t byte)
{
	struct flock l = {
		.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};

	return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

static int busy(void)
{
	errno = EBUSY;
	return -1;
}

/*
 * This call locks byte USER before it looks for a lock of byte SYSTEM, and
 * acquire_from_others() does it the other way round: so of two processes that call both
 * at the same time, at least one sees the lock of the other.
 */
int hwperf_share_user(void)
{
	if (state.system)
		return busy();
	if (is_strict() && !state.users) {
		if (file() == -1)
			return -1;
		if (lock_byte(file(), F_RDLCK, USER, 0) == -1)
			return -1;
		if (is_locked(file(), SYSTEM)) {
			unlock_byte(USER);
			return busy();
		}
	}
	state.users++;
	return 0;
}

void hwperf_share_user_end(void)
{
	if (state.users && --state.users == 0)
		unlock_byte(USER);
}

static uint64_t count_of_file(int fd)
{
	uint64_t n = 0;

	return pread(fd, &n, sizeof n, 0) == sizeof n ? n : 0;
}

static int raise_losses(void)
{
	if (!is_strict()) {
		state.lost++;
		return 0;
	}
	const uint64_t n = count_of_file(file()) + 1;
	return pwrite(file(), &n, sizeof n, 0) == sizeof n ? 0 : -1;
}

/* Another process may try to use user mode at the same time, and then gives way. */
static int acquire_from_others(int force)
{
	if (file() == -1)
		return -1;
	if (lock_byte(file(), F_WRLCK, SYSTEM, 0) == -1)
		return busy();
	if (force || !is_locked(file(), USER))
		return 0;
	unlock_byte(SYSTEM);
	return busy();
}

int hwperf_share_system(int force)
{
	if (state.system || (state.users && !force))
		return busy();
	if (is_strict() && acquire_from_others(force) == -1)
		return -1;
	if (force && raise_losses() == -1) {
		unlock_byte(SYSTEM);
		return -1;
	}
	state.system = 1;
	return 0;
}

void hwperf_share_system_end(void)
{
	if (state.system)
		unlock_byte(SYSTEM);
	state.system = 0;
}

uint64_t hwperf_share_losses(void)
{
	return is_strict() && state.opened ? count_of_file(state.opened - 1) : state.lost;
}

void hwperf_share_forked(void)
{
	if (state.opened)
		close(state.opened - 1);
	memset(&state, 0, sizeof state);
}

static int read_slot(int fd, unsigned slot, struct hwperf_public *p)
{
	const off_t at = FIRST + (off_t)(slot * sizeof *p);

	return pread(fd, p, sizeof *p, at) == sizeof *p ? 0 : -1;
}

static int is_same(const struct hwperf_public *a, const struct hwperf_public *b)
{
	return a->pid == b->pid && a->born == b->born;
}

/* Processes are left in the file when they end. */
static int is_free(const struct hwperf_public *p)
{
	return !p->generation || p->pid <= 0 || (kill(p->pid, 0) == -1 && errno == ESRCH);
}

/* Returns the slot of p, or one that is free, or -1. */
static int slot_for(int fd, const struct hwperf_public *p)
{
	struct hwperf_public other;
	int found = -1;

	for (unsigned i = 0; i < SLOTS; i++) {
		const int is_new = read_slot(fd, i, &other) == -1;
		if (!is_new && is_same(&other, p))
			return (int)i;
		if (found == -1 && (is_new || is_free(&other)))
			found = (int)i;
		if (is_new)
			break;
	}
	return found;
}

/* If the disk is full, other processes know nothing of p, as without CPC_STRICT=1. */
static void write_slot(int fd, int slot, const struct hwperf_public *p)
{
	const off_t at = FIRST + (off_t)slot * (off_t)sizeof *p;
	const ssize_t n = slot < 0 ? 0 : pwrite(fd, p, sizeof *p, at);

	(void)n;
}

void hwperf_share_publish(const struct hwperf_public *p)
{
	const int e = errno;

	if (is_strict() && file() != -1 && lock_byte(file(), F_WRLCK, TABLE, 1) == 0) {
		write_slot(file(), slot_for(file(), p), p);
		unlock_byte(TABLE);
	}
	errno = e;
}

static int find(int fd, struct hwperf_public *p)
{
	struct hwperf_public other;

	for (unsigned i = 0; i < SLOTS && read_slot(fd, i, &other) == 0; i++)
		if (other.generation > 0 && is_same(&other, p)) {
			*p = other;
			return 0;
		}
	errno = EINVAL;
	return -1;
}

int hwperf_share_find(struct hwperf_public *p)
{
	if (!is_strict() || file() == -1 || lock_byte(file(), F_RDLCK, TABLE, 1) == -1) {
		errno = EINVAL;
		return -1;
	}
	const int rc = find(file(), p);
	unlock_byte(TABLE);
	return rc;
}
