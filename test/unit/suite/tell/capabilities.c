#include "suite/tell/capabilities.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "table/table.h"

enum { EVENTS = 17, ATTRS = 20, REF = 8, LAST = 76, TAB = 8 };

static const char nothing[] = "No information available";

static char *text_of(const char *cpu)
{
	cpc_t *cpc = cpc_open_cpu(CPC_VER_CURRENT, cpu, NULL);

	assert_non_null(cpc);
	char *text = capabilities_text(cpc);
	assert_non_null(text);
	cpc_close(cpc);
	return text;
}

/* Return the golden list of a processor. */
static char *golden(const char *cpu)
{
	const char *dir = getenv("GOLDEN");
	char path[512];
	char *text = NULL;
	size_t size = 0;

	snprintf(path, sizeof path, "%s/caps/%s", dir ? dir : "test/golden", cpu);
	FILE *f = fopen(path, "re");
	if (!f)
		fail_msg("cannot open %s", path);
	if (getdelim(&text, &size, '\0', f) == -1)
		fail_msg("nothing in %s", path);
	fclose(f);
	return text;
}

/*
 * us12 has a list for each of two counters; opteron_k8 one list for all, and attributes;
 * ultrasparc_t1 a counter that can count only one event.
 */
static void golden_texts(void **state)
{
	static const char *const cpus[] = {"us12", "opteron_k8", "ultrasparc_t1"};

	(void)state;
	for (unsigned i = 0; i < sizeof cpus / sizeof cpus[0]; i++) {
		char *got = text_of(cpus[i]), *want = golden(cpus[i]);

		assert_string_equal(got, want);
		free(got);
		free(want);
	}
}

/* Return the column after the first n bytes of a line, from 0. */
static int column(const char *line, int n)
{
	int col = 0;

	for (int i = 0; i < n; i++)
		col = line[i] == '\t' ? (col / TAB + 1) * TAB : col + 1;
	return col;
}

static int word_length(const char *s)
{
	return (int)strcspn(s, " \n");
}

/* A paragraph of words, which ends at an empty line. */
struct paragraph {
	const char *first; /* its first line */
	int head;	   /* bytes of the first line before its first word */
	int margin;	   /* of the other lines */
};

/*
 * Check that each word is followed by a blank and ends before the last column, that all
 * lines after the first begin at the margin, and that a line ends only where the next
 * word would not fit. *n grows by the number of words. Returns the end of the paragraph.
 */
static const char *check_paragraph(const char *cpu, const struct paragraph *p,
				   unsigned *n)
{
	const char *line = p->first;
	int at = p->head;

	for (;;) {
		const int len = (int)strcspn(line, "\n");

		if (line[len - 1] != ' ')
			fail_msg("%s: no blank behind the last word: %.*s", cpu, len,
				 line);
		for (int i = at; i < len;) {
			const int word = word_length(line + i);

			if (word == 0 || line[i + word] != ' ')
				fail_msg("%s: not one blank between words: %.*s", cpu,
					 len, line);
			if (column(line, i + word) > LAST - 1 && i > at)
				fail_msg("%s: too wide: %.*s", cpu, len, line);
			i += word + 1;
			++*n;
		}
		const char *next = line + len + 1;
		if (*next == '\n' || *next == '\0')
			return next;
		at = (int)strspn(next, " ");
		if (at != p->margin || next[at] == '\t')
			fail_msg("%s: margin %d, not %d: %.20s", cpu, at, p->margin,
				 next);
		if (column(line, len) + word_length(next + at) < LAST)
			fail_msg("%s: wrapped too early: %.*s", cpu, len, line);
		line = next;
	}
}

static unsigned check_all(const char *cpu, const char *text)
{
	unsigned n = 0;

	for (const char *line = text; *line; line += strcspn(line, "\n") + 1) {
		struct paragraph p = {line, 0, EVENTS};

		if (strncmp(line, "\tevent", 6) == 0 && strchr("[0123456789", line[6])) {
			p.head = (int)(strchr(line, ':') - line) + 1;
			while (line[p.head] == ' ')
				p.head++;
		} else if (strncmp(line, "\tattributes: ", 13) == 0) {
			p.head = 13;
			p.margin = ATTRS;
		} else if (strncmp(line, "\tSee ", 5) == 0 &&
			   !strstr(line, "generic_events(3CPC) for their")) {
			p.head = 1;
			p.margin = REF;
		} else {
			continue;
		}
		if (strncmp(line + p.head, nothing, sizeof nothing - 1) == 0)
			continue;
		line = check_paragraph(cpu, &p, &n);
		if (!*line)
			break;
	}
	return n;
}

/*
 * Return the number of events in all paragraphs together: each event once if the counters
 * are alike, else once for each of its counters.
 */
static unsigned expected_words(const struct evtab *t)
{
	const uint64_t all = t->npic >= 64 ? UINT64_MAX : (UINT64_C(1) << t->npic) - 1;
	unsigned each = 0, alike = 1;

	for (unsigned i = 0; i < t->n; i++) {
		each += (unsigned)__builtin_popcountll(t->ev[i].pics & all);
		alike &= (t->ev[i].pics & all) == all;
	}
	return alike ? t->n : each;
}

/* The list of each processor is wrapped like the original's and has all events. */
static void wrapped(void **state)
{
	(void)state;
	for (unsigned t = 0; evtabs[t]; t++) {
		char *text = text_of(evtabs[t]->name);

		assert_true(check_all(evtabs[t]->name, text) >=
			    expected_words(evtabs[t]));
		char *own = strstr(text, "Platform Specific Events:");
		char *end = strstr(own, "\tattributes:");
		unsigned words = 0;
		*end = '\0';
		for (char *s = own; (s = strstr(s, nothing));)
			memset(s, ' ', sizeof nothing - 1);
		for (char *s = strtok(own, " \t\n"); s; s = strtok(NULL, " \t\n"))
			words += s[strlen(s) - 1] != ':' && strcmp(s, "Platform") != 0 &&
				 strcmp(s, "Specific") != 0;
		if (words != expected_words(evtabs[t]))
			fail_msg("%s: %u events listed, not %u", evtabs[t]->name, words,
				 expected_words(evtabs[t]));
		free(text);
	}
}

/* The list of this machine, whose own events can be any. */
static void here(void **state)
{
	char *text = text_of(NULL);

	(void)state;
	check_all("host", text);
	assert_non_null(
		strstr(text, "\tevent[0-255]: cpu-clock task-clock page-faults "));
	assert_non_null(strstr(text, " nouser sys \n"));
	assert_null(strstr(text, "picnum"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(golden_texts),
		cmocka_unit_test(wrapped),
		cmocka_unit_test(here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
