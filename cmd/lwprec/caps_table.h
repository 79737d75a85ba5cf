/* The text of lwprec caps. */
#ifndef LWPREC_CAPS_TABLE_H
#define LWPREC_CAPS_TABLE_H

#include <lwp.h>

#include "base/text.h"

/* What is known of a machine. */
enum {
	CAPS_LWP = 1,	   /* CPUID 8000_001C */
	CAPS_EXTENDED = 2, /* 8000_0001 */
	CAPS_XSAVE = 4,	   /* D */
	CAPS_AREA = 8,	   /* D.62 */
	CAPS_LEAVES = CAPS_LWP | CAPS_EXTENDED | CAPS_XSAVE | CAPS_AREA,
	CAPS_CFG = 16,	  /* LWP_CFG */
	CAPS_CBADDR = 32, /* LWP_CBADDR */
};

struct caps {
	lwp_cpuid_t cpuid;
	uint64_t cfg, cbaddr; /* the MSRs */
	unsigned known;	      /* CAPS_* */
	int is_here;	      /* this machine was asked */
};

/* Returns whether the processor has LWP, as far as its registers are known. */
int caps_has_lwp(const struct caps *c);

/* Append all that is known in a format; text ends with what is not available, and why. */
void caps_write(struct textbuf *b, const struct caps *c, enum text_format format);

#endif
