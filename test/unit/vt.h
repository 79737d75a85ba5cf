/*
 * A terminal of few lines, which knows the sequences that frame_draw() uses and fails the
 * test on any other. Text that is written behind the last column also fails the test.
 */
#ifndef TEST_VT_H
#define TEST_VT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/columns.h"

enum { VT_ROWS = 24, VT_COLUMNS = 80 };

struct vt {
	unsigned rows, columns;
	char cell[VT_ROWS][VT_COLUMNS][5]; /* the bytes of a character; "": a blank */
	unsigned row, column;		   /* of the cursor; column can be columns */
	unsigned saved_row, saved_column;
};

static void vt_down(struct vt *t)
{
	if (++t->row < t->rows)
		return;
	t->row--;
	memmove(t->cell[0], t->cell[1], sizeof t->cell[0] * t->row);
	memset(t->cell[t->row], 0, sizeof t->cell[0]);
}

/* Handles the sequence at s, behind ESC [. Returns its length. */
static size_t vt_csi(struct vt *t, const char *s)
{
	const size_t n = strspn(s, "0123456789;");

	switch (s[n]) {
	case 'm':
		break;
	case 'A':
		t->row -= (unsigned)atoi(s) < t->row ? (unsigned)atoi(s) : t->row;
		break;
	case 'J':
		for (unsigned r = t->row + 1; r < t->rows; r++)
			memset(t->cell[r], 0, sizeof t->cell[r]);
		/* fall through */
	case 'K':
		for (unsigned c = t->column; c < t->columns; c++)
			t->cell[t->row][c][0] = '\0';
		break;
	default:
		fail_msg("unknown sequence ESC [ %.9s", s);
	}
	return n + 1;
}

/* Handles the sequence at s, behind ESC. Returns its length. */
static size_t vt_escape(struct vt *t, const char *s)
{
	switch (*s) {
	case '[':
		return 1 + vt_csi(t, s + 1);
	case 'D':
		vt_down(t);
		return 1;
	case '7':
		t->saved_row = t->row;
		t->saved_column = t->column;
		return 1;
	case '8':
		t->row = t->saved_row;
		t->column = t->saved_column;
		return 1;
	default:
		fail_msg("unknown sequence ESC %.9s", s);
		return 0;
	}
}

static unsigned vt_character(struct vt *t, const char *s)
{
	unsigned len;
	const unsigned wide = columns_of(s, &len);

	if ((unsigned char)*s < ' ' || t->column + wide > t->columns)
		fail_msg("line %u, column %u: '%.9s'", t->row, t->column, s);
	memcpy(t->cell[t->row][t->column], s, len);
	t->cell[t->row][t->column][len] = '\0';
	t->column += wide;
	return len;
}

static inline void vt_write(struct vt *t, const char *s)
{
	while (*s) {
		switch (*s) {
		case '\r':
			t->column = 0;
			s++;
			break;
		case '\n':
			vt_down(t);
			s++;
			break;
		case '\033':
			s += 1 + vt_escape(t, s + 1);
			break;
		default:
			s += vt_character(t, s);
		}
	}
}

/* The lines of the screen, without blanks at their ends and empty lines at the end. */
static inline const char *vt_text(const struct vt *t)
{
	static char text[VT_ROWS * (VT_COLUMNS * 4 + 1) + 1];
	char *p = text, *end = text;

	for (unsigned r = 0; r < t->rows; r++) {
		char *line = p;

		for (unsigned c = 0; c < t->columns; c++) {
			const char *cell = t->cell[r][c];
			p = stpcpy(p, *cell ? cell : " ");
			line = *cell && *cell != ' ' ? p : line;
		}
		p = stpcpy(line, "\n");
		end = p - 1 > end && p[-2] != '\n' && p - 1 != text ? p : end;
	}
	*end = '\0';
	return text;
}

#endif
