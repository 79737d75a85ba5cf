/*
 * hwperf: the event counters of the R10000 and R12000, after IRIX.
 *
 * An LWP (on IRIX a process) has 32 virtual counters of 64 bits. Hardware counter 0
 * counts events 0 to 15 and counter 1 counts events 16 to 31; if the machine has too few
 * counters for all events, these take turns and the values are scaled. hwperf_open()
 * takes the place of opening /proc/PID and hwperf_ioctl() that of ioctl(2); syssgi()
 * counts whole machines.
 *
 * All calls return -1 with errno on failure. Source: r10k_evcntrs(5) of IRIX 6.5. "Ours"
 * marks what IRIX does not have. hwperf(3) describes all of it.
 */
#ifndef HWPERF_H
#define HWPERF_H

#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/* In strict ISO C99 glibc's <time.h> does not define struct timespec. */
#ifdef __GLIBC__
#include <bits/types/struct_timespec.h>
#endif

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define HWPERF_EVENTMAX	   32 /* events */
#define HWPERF_CNTEVENTMAX 16 /* events of one counter */
#define HWPERF_CNT1BASE	   16 /* the first event of counter 1 */
#define HWPERF_MAXEVENT	   15 /* the last event of counter 0 */

/* Modes in which an event is counted, to be combined. */
#define HWPERF_CNTEN_U 8 /* user */
#define HWPERF_CNTEN_S 4 /* supervisor: refused */
#define HWPERF_CNTEN_K 2 /* kernel: the counters are used in system mode */
#define HWPERF_CNTEN_E 1 /* EXL, exception level: on Linux a part of kernel mode */

/*
 * A control register. hwperf_spec is hwp_ev << 5 | hwp_ie << 4 | hwp_mode on every
 * machine: compilers for little-endian machines begin bit-fields at the low end.
 */
struct hwperf_ctrlreg {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
	uint16_t hwp_ev : 11, hwp_ie : 1, hwp_mode : 4;
#else
	uint16_t hwp_mode : 4; /* HWPERF_CNTEN_* */
	uint16_t hwp_ie : 1;   /* interrupt at overflow: ignored; see hwp_ovflw_freq */
	uint16_t hwp_ev : 11;  /* the counter's event: id, or id - 16 on counter 1 */
#endif
};

typedef union {
	short hwperf_spec; /* 0: the event is not counted */
	struct hwperf_ctrlreg hwperf_creg;
} hwperf_ctrl_t;

typedef struct {
	hwperf_ctrl_t hwp_evctrl[HWPERF_EVENTMAX];
} hwperf_eventctrl_t;

typedef struct hwperf_profevctrarg {
	hwperf_eventctrl_t hwp_evctrargs;
	int hwp_ovflw_freq[HWPERF_EVENTMAX]; /* events from signal to signal; 0: none */
	int hwp_ovflw_sig;		     /* 1 to 64, or 0: no signal */
} hwperf_profevctrarg_t;

typedef struct {
	uint64_t hwp_evctr[HWPERF_EVENTMAX];
} hwperf_cntr_t;

/* IRIX never published the members of this type; the counters are ours. */
typedef struct {
	hwperf_cntr_t cm_cntrs;
} cpu_mon_t;

/* Members without a figure on Linux are 0; hwperf(3) lists them. */
typedef struct hwperf_prusage {
	struct timespec pu_tstamp;    /* the time of the call, CLOCK_REALTIME */
	struct timespec pu_starttime; /* when the process started, CLOCK_REALTIME */
	struct timespec pu_utime, pu_stime;
	uint64_t pu_minf, pu_majf; /* page faults without and with input */
	uint64_t pu_utlb;
	uint64_t pu_nswap;
	uint64_t pu_gbread, pu_bread; /* GiB, and the remaining bytes, read */
	uint64_t pu_gbwrit, pu_bwrit; /* and written */
	uint64_t pu_sigs;
	uint64_t pu_vctx, pu_ictx; /* voluntary and involuntary context switches */
	uint64_t pu_sysc;
	uint64_t pu_syscr, pu_syscw; /* read and write system calls */
	uint64_t pu_syscps, pu_sysci;
	uint64_t pu_graphfifo, pu_graph_req[8], pu_graph_wait[8];
	uint64_t pu_size, pu_rss;	 /* pages */
	uint64_t pu_inblock, pu_oublock; /* blocks of 512 bytes */
	uint64_t pu_vfault;		 /* pu_minf + pu_majf */
	uint64_t pu_ktlb;
	cpu_mon_t pu_cpu_mon; /* the counters */
} hwperf_prusage_t;

/* Ours: a value and how it was obtained. Times are in ns. */
typedef struct {
	uint64_t hwv_value;   /* as in hwperf_cntr_t */
	uint64_t hwv_count;   /* the unscaled count */
	uint64_t hwv_enabled; /* for which the event should have been counted */
	uint64_t hwv_running; /* for which the event was counted */
	int hwv_class;	      /* a cpc_class_t of libcpc.h */
} hwperf_value_t;

typedef struct {
	hwperf_value_t hwp_value[HWPERF_EVENTMAX];
} hwperf_values_t;

/*
 * Ours: an event to be counted under an index, in place of the event of the processor.
 */
typedef struct {
	int hwn_index; /* 0 to 31 */
	/* a name of opencpc-events(7), copied; NULL: the event of the processor */
	const char *hwn_name;
} hwperf_evname_t;

/* Ours: the processor, and which event a control register may select. */
enum hwperf_rule {
	HWPERF_R10000,	   /* event id on counter id / 16 alone */
	HWPERF_R12000,	   /* the same, with the events of the R12000: as IRIX did */
	HWPERF_R12000_FREE /* hwp_ev 0 to 31 on each counter: as the hardware does */
};

/* Commands of hwperf_ioctl(), and their arguments. The numbers are ours. */
enum {
	PIOCENEVCTRS = 0x7101,	  /* const hwperf_profevctrarg_t *: count from now on */
	PIOCGETEVCTRS = 0x7102,	  /* hwperf_cntr_t *: read the counters */
	PIOCGETPREVCTRS = 0x7103, /* hwperf_prusage_t *: read counters and resources */
	PIOCGETEVCTRL = 0x7104,	  /* hwperf_eventctrl_t *: what is counted */
	PIOCSETEVCTRL = 0x7105,	  /* const hwperf_profevctrarg_t *: count other events */
	PIOCRELEVCTRS = 0x7106,	  /* stop counting; the counters can still be read */
	PIOCSAVECCNTRS = 0x7107,  /* add the counts of this child to the caller's */
	/* ours */
	PIOCGETEVVALS = 0x7201, /* hwperf_values_t *: read the counters with classes */
	PIOCSETEVRULE = 0x7202, /* const int *: an enum hwperf_rule, for the next start */
	PIOCSETEVNAME = 0x7203	/* const hwperf_evname_t *, for the next start */
};

/* Request of syssgi(), and its commands. The numbers are ours. */
#define SGI_EVENTCTR 0x7300
enum {
	/* const hwperf_profevctrarg_t *, const struct hwperf_prof *, int */
	HWPERF_PROFENABLE = 0x7301,
	HWPERF_ENSYSCNTRS = 0x7302,    /* const hwperf_profevctrarg_t * */
	HWPERF_GET_SYSCNTRS = 0x7303,  /* hwperf_cntr_t * */
	HWPERF_GET_CPUCNTRS = 0x7304,  /* int cpu, hwperf_cntr_t * */
	HWPERF_GET_SYSEVCTRL = 0x7305, /* hwperf_eventctrl_t * */
	HWPERF_SET_SYSEVCTRL = 0x7306, /* const hwperf_profevctrarg_t * */
	HWPERF_RELSYSCNTRS = 0x7307,   /* nothing */
	/* ours */
	HWPERF_GET_SYSVALS = 0x7401,   /* hwperf_values_t * */
	HWPERF_GET_CPUVALS = 0x7402,   /* int cpu, hwperf_values_t * */
	HWPERF_SET_SYSEVRULE = 0x7403, /* const int *: as PIOCSETEVRULE */
	HWPERF_SET_SYSEVNAME = 0x7404  /* const hwperf_evname_t *: as PIOCSETEVNAME */
};

/*
 * A range of code and its buckets, as struct prof of sprofil(3): the bucket of pc is
 * (pc - pr_off) / 2 * pr_scale / 65536 in pr_base, which has pr_size bytes of unsigned
 * shorts and must live until PIOCRELEVCTRS, PIOCSETEVCTRL or another start. A range of
 * scale 2 counts in its first bucket what no other range counts.
 */
struct hwperf_prof {
	void *pr_base;
	size_t pr_size;
	size_t pr_off;
	unsigned long pr_scale;
};

/*
 * Opens the counters of a process. pid is the number of a process, or of one of its LWPs
 * (gettid(2)). Returns a file descriptor, to be closed with close(2); the counters go on
 * when it is closed. ESRCH: no such process; ENOENT: /proc is not mounted; EMFILE,
 * ENFILE, ENOMEM.
 */
int hwperf_open(pid_t pid);

/*
 * Executes a command on the counters of a process. Returns a positive generation number,
 * which changes when the events change or the counters are lost; PIOCRELEVCTRS,
 * PIOCSAVECCNTRS and the commands that are ours, except PIOCGETEVVALS, return 0. EBADF:
 * handle was not returned by hwperf_open(). EINVAL: unknown command, events specified
 * improperly, negative threshold, threshold of a clock (cpu-clock, task-clock) below
 * 100000 ns, signal above 64, or the process does not use the counters. EPERM: supervisor
 * or kernel mode without privilege. EBUSY: user and system modes exclude each other.
 * ESRCH: the process has ended. ENOTSUP: a simulated program requests a threshold,
 * another process or another of its LWPs. EDEADLK: the caller is a signal handler that
 * has interrupted another call. Others, as of cpc_bind_pctx(3): ENOENT if this machine
 * cannot count an event, EACCES if it does not allow the caller to count the process.
 */
int hwperf_ioctl(int handle, int cmd, ...);

/*
 * Executes a command on the counters of all CPUs; request is SGI_EVENTCTR (EINVAL if
 * not). Returns a positive generation number; HWPERF_RELSYSCNTRS, HWPERF_SET_SYSEVRULE
 * and HWPERF_SET_SYSEVNAME return 0, and HWPERF_GET_CPUCNTRS and HWPERF_GET_CPUVALS
 * return 0 for a CPU that was not online when the counters were acquired. EPERM: neither
 * root nor CAP_PERFMON or CAP_SYS_ADMIN; EBUSY: system mode is used already; EINVAL: no
 * event in kernel mode, or as of hwperf_ioctl(); ENOTSUP: a threshold with a signal, or
 * the program is simulated. Others as of cpc_bind_cpu(3). HWPERF_PROFENABLE is about the
 * calling LWP; its errors are those of hwperf_ioctl().
 */
int syssgi(int request, int cmd, ...);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
