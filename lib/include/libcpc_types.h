/* libcpc: constants and types of <libcpc.h>, which includes this header. */
#ifndef LIBCPC_TYPES_H
#define LIBCPC_TYPES_H

#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <sys/types.h>

#define CPC_VER_NONE	0
#define CPC_VER_CURRENT 2

/* Request flags. Solaris never published the value of CPC_HW_SMPL; this one is ours. */
#define CPC_OVF_NOTIFY_EMT 0x1	/* signal when the counter overflows */
#define CPC_COUNT_USER	   0x2	/* count in user mode */
#define CPC_COUNT_SYSTEM   0x4	/* count in system mode */
#define CPC_COUNT_HV	   0x8	/* count in hypervisor mode: refused */
#define CPC_HW_SMPL	   0x10 /* take records of the event, do not count it */

/*
 * Flag of cpc_bind_curlwp(). LWPs that the calling LWP creates by pthread_create(3) after
 * the bind get a copy of the set, and so do the LWPs that these create. LWPs that the C
 * library creates for itself (timers, aio) do not.
 */
#define CPC_BIND_LWP_INHERIT 0x1
/* A flag of version 1 of Solaris' libcpc; the binds of version 2 refuse it. */
#define CPC_BIND_EMT_OVF 0x2

/* Ours. Flags of cpc_bind_pctx(), cpc_bind_curlwp() and cpc_bind_child(). */
#define CPC_BIND_TREE 0x100 /* count the LWP and all that it will start, as one sum */
#define CPC_BIND_EXEC 0x200 /* cpc_bind_child() alone: from the next exec on */

/* Flags of cpc_bind_cpu(), about the calling LWP. */
#define CPC_FLAGS_DEFAULT 0
#define CPC_FLAGS_NORELE  0x01	/* it stays bound to the CPU after cpc_unbind() */
#define CPC_FLAGS_NOPBIND 0x02	/* it is bound to the CPU already */
#define CPC_FLAGS_REMOTE  0x100 /* ours: it can run on any CPU */

/* Bits of cpc_caps(); the values of the last two are ours. */
#define CPC_CAP_OVERFLOW_INTERRUPT 0x1 /* CPC_OVF_NOTIFY_EMT is supported */
#define CPC_CAP_OVERFLOW_PRECISE   0x2 /* the counter that overflowed is known */
#define CPC_CAP_SMPL		   0x4 /* CPC_HW_SMPL is supported */
#define CPC_CAP_OVERFLOW_SMPL	   0x8 /* CPC_HW_SMPL can signal too */

/*
 * Linux has no SIGEMT on most processors. A real-time signal replaces it, which, like the
 * one after it, only this library may use. In its siginfo_t si_code is EMT_CPCOVF and
 * si_addr the program counter at the overflow.
 */
#ifndef SIGEMT
#define SIGEMT 55 /* 56 is reserved for the library too */
#endif
#ifndef EMT_CPCOVF
#define EMT_CPCOVF 1
#endif

#define CPC_MAX_EVENT_LEN 512
#define CPC_MAX_ATTR_LEN  32
#define CPC_MAX_IMPL_NAME 512
#define CPC_MAX_CPUREF	  1024

/* Subcodes for the error handler, with the numbers of Solaris' libcpc. */
#define CPC_INVALID_EVENT	    1
#define CPC_INVALID_PICNUM	    2
#define CPC_INVALID_ATTRIBUTE	    3
#define CPC_ATTRIBUTE_OUT_OF_RANGE  4
#define CPC_RESOURCE_UNAVAIL	    5
#define CPC_PIC_NOT_CAPABLE	    6
#define CPC_REQ_INVALID_FLAGS	    7
#define CPC_CONFLICTING_REQS	    8
#define CPC_ATTR_REQUIRES_PRIVILEGE 9
#define CPC_PBIND_FAILED	    10
#define CPC_HV_NO_ACCESS	    11
/* ours: the text says what was refused, why, and what would help */
#define CPC_REFUSED 100

typedef struct __cpc cpc_t;
typedef struct __cpc_set cpc_set_t;
typedef struct __cpc_buf cpc_buf_t;
typedef int64_t hrtime_t; /* ns */
typedef int processorid_t;

typedef struct {
	char *ca_name;
	uint64_t ca_val;
} cpc_attr_t;

typedef void(cpc_errhndlr_t)(const char *fn, int subcode, const char *fmt, va_list ap);

/* Ours: how a value was obtained, from best to worst. */
typedef enum {
	CPC_EXACT,
	CPC_SIMULATED, /* exact, of a simulated processor */
	/* counted part of the time: the value is count * enabled / running */
	CPC_SCALED,
	CPC_APPROXIMATE, /* counted by a similar event of this machine */
	CPC_ESTIMATED,	 /* computed from a model's timing and a table of costs */
	CPC_UNAVAILABLE	 /* not counted, without a value */
} cpc_class_t;

typedef struct {
	/* as of cpc_buf_get(); meaningless if quality is CPC_UNAVAILABLE */
	uint64_t value;
	uint64_t count;	  /* the unscaled count */
	uint64_t enabled; /* ns for which the event should have been counted */
	uint64_t running; /* ns for which the event was counted */
	cpc_class_t quality;
} cpc_value_t;

#endif
