/*
 * The files of files.h for readers that call open(2) and its like themselves: the linker
 * replaces the calls by the functions here (FUZZOPEN in the Makefile). A link is a file
 * whose text is its target; the memory of a process is a file, too. Between inputs, when
 * libFuzzer itself reads files, the functions call what they replace.
 */
#ifndef FUZZ_DESCRIPTORS_H
#define FUZZ_DESCRIPTORS_H

#include <fcntl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "files.h"

/* The descriptors of files in memory, which no file of the system has. */
enum { FIRST_FD = 1 << 24, DESCRIPTORS = 16 };

static struct {
	const struct file *file; /* NULL: the descriptor is not in use */
	size_t at;
} descriptors[DESCRIPTORS];

/* An open folder; readdir(3) is called with it as a DIR. */
struct folder {
	struct dirent **entry;
	int n, at;
};

int __real_open(const char *path, int flags, ...);
ssize_t __real_read(int fd, void *to, size_t n);
ssize_t __real_pread(int fd, void *to, size_t n, off_t at);
int __real_close(int fd);
ssize_t __real_readlink(const char *path, char *to, size_t n);
int __real_access(const char *path, int how);
DIR *__real_opendir(const char *path);
struct dirent *__real_readdir(DIR *d);
int __real_closedir(DIR *d);
FILE *__real_fopen(const char *path, const char *how);

int __wrap_open(const char *path, int flags, ...);
ssize_t __wrap_read(int fd, void *to, size_t n);
ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at);
int __wrap_close(int fd);
ssize_t __wrap_readlink(const char *path, char *to, size_t n);
int __wrap_access(const char *path, int how);
DIR *__wrap_opendir(const char *path);
struct dirent *__wrap_readdir(DIR *d);
int __wrap_closedir(DIR *d);
FILE *__wrap_fopen(const char *path, const char *how);
ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *to, unsigned long nto,
				const struct iovec *from, unsigned long nfrom,
				unsigned long flags);

NOT_COVERED int __wrap_open(const char *path, int flags, ...)
{
	va_list ap;
	char one[PATH_MAX];

	va_start(ap, flags);
	const mode_t mode = flags & O_CREAT ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	if (!files.copy)
		return __real_open(path, flags, mode);
	const struct file *const f =
		files_format(one, "%s", path) == 0 ? files_find(one) : NULL;
	errno = ENOENT;
	for (int i = 0; f && i < DESCRIPTORS; i++)
		if (!descriptors[i].file) {
			descriptors[i].file = f;
			descriptors[i].at = 0;
			return FIRST_FD + i;
		}
	return -1;
}

/* Copy at most n bytes from an offset of a file. Returns how many there are. */
NOT_COVERED static ssize_t copy_from(const struct file *f, size_t at, void *to, size_t n)
{
	const size_t left = at < f->size ? f->size - at : 0;

	n = n < left ? n : left;
	if (n)
		memcpy(to, f->text + at, n);
	return (ssize_t)n;
}

NOT_COVERED ssize_t __wrap_read(int fd, void *to, size_t n)
{
	if (fd < FIRST_FD)
		return __real_read(fd, to, n);
	const int i = fd - FIRST_FD;
	const ssize_t got = copy_from(descriptors[i].file, descriptors[i].at, to, n);

	descriptors[i].at += (size_t)got;
	return got;
}

/* As the kernel, refuse offsets beyond INT64_MAX. */
NOT_COVERED ssize_t __wrap_pread(int fd, void *to, size_t n, off_t at)
{
	if (fd < FIRST_FD)
		return __real_pread(fd, to, n, at);
	errno = EINVAL;
	return at < 0 ? -1
		      : copy_from(descriptors[fd - FIRST_FD].file, (size_t)at, to, n);
}

NOT_COVERED int __wrap_close(int fd)
{
	if (fd < FIRST_FD)
		return __real_close(fd);
	check(descriptors[fd - FIRST_FD].file != NULL, "an open file is closed");
	descriptors[fd - FIRST_FD].file = NULL;
	return 0;
}

NOT_COVERED ssize_t __wrap_readlink(const char *path, char *to, size_t n)
{
	if (!files.copy)
		return __real_readlink(path, to, n);
	const struct file *const f = files_find(path);

	errno = ENOENT;
	return f ? copy_from(f, 0, to, n) : -1;
}

/* Returns the entries of a folder, or NULL if it does not exist. */
NOT_COVERED static struct folder *open_folder(const char *path)
{
	struct folder *const f = calloc(1, sizeof *f);

	check(f != NULL, "there is enough memory");
	f->n = __wrap_file_list(path, &f->entry);
	if (f->n > 0)
		return f;
	free(f);
	errno = ENOENT;
	return NULL;
}

NOT_COVERED DIR *__wrap_opendir(const char *path)
{
	return files.copy ? (void *)open_folder(path) : __real_opendir(path);
}

NOT_COVERED struct dirent *__wrap_readdir(DIR *d)
{
	struct folder *const f = (void *)d;

	if (!files.copy)
		return __real_readdir(d);
	return f->at < f->n ? f->entry[f->at++] : NULL;
}

NOT_COVERED static void close_folder(struct folder *f)
{
	for (int i = 0; i < f->n; i++)
		free(f->entry[i]);
	free(f->entry);
	free(f);
}

NOT_COVERED int __wrap_closedir(DIR *d)
{
	if (!files.copy)
		return __real_closedir(d);
	close_folder((void *)d);
	return 0;
}

NOT_COVERED int __wrap_access(const char *path, int how)
{
	char one[PATH_MAX];

	if (!files.copy)
		return __real_access(path, how);
	if (files_format(one, "%s", path) == 0 && files_find(one))
		return 0;
	struct folder *const f = open_folder(path);

	if (!f)
		return -1;
	close_folder(f);
	return 0;
}

NOT_COVERED FILE *__wrap_fopen(const char *path, const char *how)
{
	/* libFuzzer writes the input that crashes. */
	if (!files.copy || *how != 'r')
		return __real_fopen(path, how);
	const struct file *const f = files_find(path);

	errno = ENOENT;
	return f ? fmemopen((void *)(uintptr_t)f->text, f->size, "r") : NULL;
}

/* No process has memory that can be read but by its file. */
NOT_COVERED ssize_t __wrap_process_vm_readv(pid_t pid, const struct iovec *to,
					    unsigned long nto, const struct iovec *from,
					    unsigned long nfrom, unsigned long flags)
{
	(void)pid, (void)to, (void)nto, (void)from, (void)nfrom, (void)flags;
	errno = ESRCH;
	return -1;
}

/* Ends an input: all that was opened has been closed. */
static inline void descriptors_close(void)
{
	for (int i = 0; i < DESCRIPTORS; i++)
		check(!descriptors[i].file, "each file that was opened is closed");
	files_close();
}

#endif
