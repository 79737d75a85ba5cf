#include "uncounted.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/program.h"

/* Work of the kernel at exec and exit is not counted: less than this proves nothing. */
static const int64_t least_ns = 5000000;

/* Source: begin_new_exec() and bprm_fill_uid() in Linux, fs/exec.c */
const char *uncounted_program(const char *name)
{
	char path[PATH_MAX];
	struct stat st;
	struct statvfs fs;

	if (program_find(name, path) != 0 || stat(path, &st) == -1)
		return NULL;
	if (faccessat(AT_FDCWD, path, R_OK, AT_EACCESS) == -1 && errno == EACCES)
		return "unreadable";
	if ((statvfs(path, &fs) == 0 && (fs.f_flag & ST_NOSUID)) ||
	    prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1)
		return NULL;
	if ((st.st_mode & S_ISUID) && st.st_uid != getuid())
		return "set-id";
	if ((st.st_mode & S_ISGID) && (st.st_mode & S_IXGRP) && st.st_gid != getgid())
		return "set-id";
	if (geteuid() != 0 && getxattr(path, "security.capability", NULL, 0) > 0)
		return "privileged";
	return NULL;
}

/* Append words to the note of a row, once. Without memory the note stays. */
static void add_note(struct set_list *s, unsigned i, const char *words)
{
	const char *how = s->row[i].note;
	char *note;

	if (how && strstr(how, words))
		return;
	if (asprintf(&note, "%s%s%s", how ? how : "", how ? "; " : "", words) == -1)
		return;
	free(s->why[i]);
	s->row[i].note = s->why[i] = note;
}

void uncounted_some(struct set_list *s, const char *words)
{
	for (unsigned i = 0; i < s->n; i++) {
		cpc_value_t *v = &s->row[i].value;

		if (!s->set[i] || v->quality == CPC_UNAVAILABLE)
			continue;
		if (v->quality < CPC_APPROXIMATE)
			v->quality = CPC_APPROXIMATE;
		add_note(s, i, words);
	}
}

static void all_uncounted(struct set_list *s, const char *why)
{
	char words[80];

	snprintf(words, sizeof words, "the kernel does not count %s programs", why);
	for (unsigned i = 0; i < s->n; i++) {
		if (!s->set[i])
			continue;
		s->row[i].value = (cpc_value_t){.quality = CPC_UNAVAILABLE};
		add_note(s, i, words);
	}
	s->uncounted = 1;
}

void uncounted_check(struct set_list *s, const char *why, int64_t used_ns,
		     int64_t enabled_ns)
{
	const int64_t lost = used_ns - enabled_ns;
	char words[160];

	if (cpc_engine_notice(s->cpc) || lost <= enabled_ns)
		return;
	if (why) {
		all_uncounted(s, why);
	} else if (lost >= least_ns) {
		snprintf(words, sizeof words,
			 "in %.0f %% of the processor time: the kernel does not count "
			 "set-id, privileged or unreadable programs",
			 100.0 * (double)enabled_ns / (double)used_ns);
		uncounted_some(s, words);
	}
}
