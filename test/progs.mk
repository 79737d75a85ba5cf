# The programs that the tests and the bench run; included by the Makefile.
TESTPROGS := $(addprefix $(B)/prog/,oracle attachme ranks fleet hostile act crew ptyrun load nop busy region overflow sampling libperfex hwperf hwperf_act \
	$(addprefix nomem-,$(CMDS)) lwp_rings)
, := ,
TESTCC    := $(PLAINCC) -D_GNU_SOURCE -O2 -std=gnu11 -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes

# Static, so that hit() has a fixed address for breakpoints.
$(B)/prog/oracle $(B)/prog/attachme $(B)/prog/ranks: $(B)/prog/%: test/prog/%.c
$(B)/prog/hostile: $(patsubst %,test/prog/hostile/%.c,main signals tracers limits races births filters) test/prog/hostile/modes.h
$(B)/prog/oracle $(B)/prog/attachme $(B)/prog/ranks $(B)/prog/hostile: test/prog/hit.c test/prog/hit.h
	$(Q)mkdir -p $(@D) && $(TESTCC) -static -o $@ $(filter %.c,$^) -pthread
# Commands whose allocations fail. libc calls the wrapped functions too if it is linked statically.
$(B)/prog/nomem-cpustat:  $(patsubst %.c,$(B)/%.o,$(wildcard cmd/cpustat/*.c))
$(B)/prog/nomem-cputrack: $(patsubst %.c,$(B)/%.o,$(wildcard cmd/cputrack/*.c))
$(B)/prog/nomem-perfex:   $(patsubst %.c,$(B)/%.o,$(wildcard cmd/perfex/*.c))
$(B)/prog/nomem-cpcreport: $(patsubst %.c,$(B)/%.o,$(wildcard cmd/cpcreport/*.c))
$(B)/prog/nomem-lwprec:   $(patsubst %.c,$(B)/%.o,$(wildcard cmd/lwprec/*.c))
$(B)/prog/nomem-%: test/prog/nomem.c $(COMMON) $(SUITE) $(SYMBOLS) $(LIB)
	$(Q)mkdir -p $(@D) && $(TESTCC) -c -o $@.o $< && \
		$(CC) $(CFLAGS) $(LDFLAGS) $(STATIC) $(patsubst %,-Wl$(,)--wrap=%,main malloc calloc realloc reallocarray) \
		-o $@ $@.o $(filter %.o,$^) $(COMMON) $(SUITE) $(SYMBOLS) $(LIB) $(LDLIBS) $(if $(HAVE_DW),$(if $(findstring lwprec,$@),$(DWLIBS),$(ELFLIBS))) && rm $@.o
# Recordings and rings for lwprec.
$(B)/prog/lwp_rings $(B)/prog/lwp_made: $(B)/prog/%: test/prog/%.c $(LIB)
	$(Q)mkdir -p $(@D) && $(TESTCC) $(CPPFLAGS) $(PRIVATE) -c -o $@.o $< && \
		$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o $(LIB) && rm $@.o
# The examples of the manual pages, linked with the library as users do. Compiled without sanitizers, as tests
# know what they count.
$(B)/prog/%: test/examples/%.c $(EXPORTED)
	$(Q)mkdir -p $(@D) && $(TESTCC) $(CPPFLAGS) -c -o $@.o $< && \
		$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o $(EXPORTED) $(LDLIBS) && rm $@.o
# Makes calls of libperfex(3).
TESTPROGS += $(B)/prog/pair
$(B)/prog/pair: test/prog/pair.c $(EXPORTED)
	$(Q)mkdir -p $(@D) && $(TESTCC) $(CPPFLAGS) -c -o $@.o $< && \
		$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o $(EXPORTED) $(LDLIBS) -pthread && rm $@.o
# The programs that end with -before513 run as on a kernel of that time; hwperf_turns has fewer counters than events.
HWPERF    := $(addprefix $(B)/prog/hwperf_,act act-before513 kin kin-before513 turns)
TESTPROGS += $(HWPERF)
$(addprefix $(B)/prog/hwperf_,act act-before513): $(patsubst %,test/prog/hwperf/%.c,act children ends resources system)
$(addprefix $(B)/prog/hwperf_,kin kin-before513): test/prog/hwperf/kin.c
$(addprefix $(B)/prog/hwperf_,act-before513 kin-before513): test/prog/hwperf/before513.c
$(addprefix $(B)/prog/hwperf_,act-before513 kin-before513): LDFLAGS += -Wl,--wrap=syscall
$(B)/prog/hwperf_turns: test/prog/hwperf/turns.c
$(B)/prog/hwperf_turns: LDFLAGS += -Wl,--wrap=ioctl -Wl,--wrap=read
$(HWPERF): $(patsubst %,test/prog/%,hwperf/acts.c hwperf/acts.h hit.c hit.h) $(EXPORTED)
	$(Q)mkdir -p $(@D) && $(TESTCC) -Ilib/include -no-pie -pthread -o $@ $(filter %.c,$^) $(EXPORTED) $(if $(SANITIZE),-fsanitize=address$(,)undefined) $(LDFLAGS) $(LDLIBS)
# The example of r10k_evcntrs(5) of IRIX, where this page is present, with events 0 and 15.
SEED := $(firstword $(shell grep -ls hwp_evctrargs.hwp_evctrl ../shared/seeds/*.txt))
ifneq ($(SEED),)
TESTPROGS += $(B)/prog/hwperf_seed
$(B)/prog/hwperf_seed: test/hwperf_seed $(EXPORTED)
	$(Q)mkdir -p $(@D) && EVENT0=0 EVENT1=15 test/hwperf_seed $(SEED) > $@.c && \
		$(PLAINCC) $(CPPFLAGS) -std=gnu11 -O1 -c -o $@.o $@.c && \
		$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o $(EXPORTED) $(LDLIBS) && rm $@.c $@.o
endif
# Has named regions. Static, so that hit() has a fixed address.
TESTPROGS += $(B)/prog/regions
$(B)/prog/regions: test/prog/regions.c test/prog/hit.c test/prog/hit.h $(EXPORTED)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(STATIC) -o $@ $(filter %.c,$^) $(EXPORTED) $(LDLIBS) -pthread
# Makes calls of hwperf(3) in system mode. Static, so that hit() has a fixed address.
TESTPROGS += $(B)/prog/sysctrs
$(B)/prog/sysctrs: test/prog/sysctrs.c test/prog/hit.c test/prog/hit.h $(EXPORTED)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $(STATIC) -o $@ $(filter %.c,$^) $(EXPORTED) $(LDLIBS)
# Its allocations fail one by one.
$(B)/unit/pctx/memory: LDFLAGS += $(addprefix -Wl$(comma)--wrap=,calloc malloc fopen getdelim pool_get)
# Its allocations and unlocks are interrupted by signals.
$(B)/unit/irix/hwperf_call: LDFLAGS += $(addprefix -Wl$(comma)--wrap=,calloc pthread_mutex_unlock)
# The engine of test/unit/irix/fake_counters.h counts for them, and calls of the C library fail.
FAKED    := $(addprefix $(B)/unit/irix/,hwperf_children hwperf_process hwperf_system libperfex)
$(FAKED): LDFLAGS += -Wl,--wrap=cpc_open_cpu
$(B)/unit/irix/hwperf_process: LDFLAGS += -Wl,--wrap=pthread_atfork
$(B)/unit/irix/hwperf_children: LDFLAGS += $(addprefix -Wl$(comma)--wrap=,socketpair setsockopt)
$(B)/unit/irix/hwperf_system: LDFLAGS += $(addprefix -Wl$(comma)--wrap=,geteuid fcntl file_read)
$(B)/unit/irix/hwperf_share: LDFLAGS += -Wl,--wrap=pwrite
$(B)/unit/irix/hwperf_prusage: LDFLAGS += -Wl,--wrap=clock_gettime
# Its events are not open.
$(B)/unit/engine/kernel/programs: LDFLAGS += -Wl,--wrap=ioctl
# Memory runs out for them, or a read is interrupted.
$(B)/unit/base/pool: LDFLAGS += -Wl,--wrap=malloc
$(B)/unit/pctx/table: LDFLAGS += -Wl,--wrap=calloc
$(B)/unit/engine/machine: LDFLAGS += -Wl,--wrap=read -Wl,--wrap=__read_chk
# Memory for bufs runs out.
$(B)/unit/cputrack/lives: LDFLAGS += -Wl,--wrap=cpc_buf_create
# Chooses what is known of a program.
$(B)/unit/base/procfs: LDFLAGS += $(addprefix -Wl$(comma)--wrap=,geteuid faccessat getxattr statvfs file_read)
# Has no processes.
$(B)/unit/suite/named/named: LDFLAGS += -Wl,--wrap=cpc_place -Wl,--wrap=pctx_watch_calls
# Has no perf events.
$(B)/unit/engine/sample/lwp: LDFLAGS += $(addprefix -Wl$(comma)--wrap=,ioctl mmap read __read_chk)
# Cannot read groups at once.
$(B)/unit/engine/kernel/group: LDFLAGS += -Wl,--wrap=read
# Answers requests to the simulator.
$(B)/unit/engine/sim/sampling: LDFLAGS += -Wl,--wrap=sim_inside -Wl,--wrap=sim_inside_send
# Calls that test/unit/failing.h lets fail.
FAILING := malloc calloc aligned_alloc reallocarray realloc strdup free __sched_cpualloc __sched_cpufree read __read_chk \
	pwrite mmap munmap opendir sched_setaffinity sched_getaffinity open ioctl fcntl syscall sigaction \
	pthread_setspecific pthread_key_create pool_get madvise asprintf __asprintf_chk \
	fork pipe2 waitpid nanosleep timer_create ptrace
$(addsuffix /failing,$(addprefix $(B)/unit/,cpc engine/kernel pctx region symbols)): LDFLAGS += $(FAILING:%=-Wl$(comma)--wrap=%)
# Programs with LWPs that inherit sets, linked in several ways; not in cross builds.
ifeq ($(CROSS)$(SANITIZE),)
HEIRS     := $(addprefix $(B)/prog/,heirs heirs-static heirs-openmp)
TESTPROGS += $(HEIRS) $(addprefix $(B)/prog/,heirs-shared heirs-plugin lwps)
# One is linked with the shared library, the other opens it by dlopen(3) only when it runs.
$(B)/prog/heirs-shared $(B)/prog/heirs.so: test/prog/heirs.c $(SHARED)
	$(Q)mkdir -p $(@D) && $(TESTCC) -Ilib/include $(if $(filter %.so,$@),-shared -fPIC) -pthread -Wl,-rpath,$(abspath $(dir $(SHARED))) -o $@ $^
$(B)/prog/heirs-plugin: test/prog/plugin.c $(B)/prog/heirs.so
	$(Q)mkdir -p $(@D) && $(TESTCC) -o $@ $<
$(HEIRS): $(B)/prog/heirs%: test/prog/heirs.c $(EXPORTED)
	$(Q)mkdir -p $(@D) && $(TESTCC) -Ilib/include $(patsubst -openmp,-fopenmp,$*) -pthread -o $@ $^ $(LDLIBS)
# The library, compiled with ThreadSanitizer.
TSANOBJ   := $(LIBOBJ:$(B)/%=$(B)/tsan/%)
$(B)/tsan/%.o: %.c
	$(Q)mkdir -p $(@D) && $(TESTCC) $(CPPFLAGS) $(PRIVATE) -g -fsanitize=thread -MMD -MP -c -o $@ $<
$(B)/tsan/%.o: $(B)/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) $(CPPFLAGS) $(PRIVATE) -g -fsanitize=thread -MMD -MP -c -o $@ $<
TESTPROGS += $(B)/prog/regions-tsan
$(B)/prog/lwps: test/prog/lwps.c $(TSANOBJ)
$(B)/prog/regions-tsan: test/prog/regions.c test/prog/hit.c $(TSANOBJ)
$(B)/prog/lwps $(B)/prog/regions-tsan:
	$(Q)mkdir -p $(@D) && $(TESTCC) -Ilib/include -g -fsanitize=thread -o $@ $^ $(LDLIBS)
# The shared library with ThreadSanitizer, and a program that opens it.
$(TSANOBJ): CPPFLAGS += -fPIC
$(TSANOBJ): test/progs.mk
STRESSLIB := $(B)/tsan/libopencpc.so.1
STRESSOPT := -fsanitize=thread
$(STRESSLIB): $(TSANOBJ)
	$(Q)$(TESTCC) -fsanitize=thread -shared -Wl,-z,nodelete -o $@ $^ $(LDLIBS)
-include $(TSANOBJ:.o=.d)
endif
# With SANITIZE=1 the program and the library have AddressSanitizer and UBSan instead.
ifeq ($(CROSS),)
STRESSLIB ?= $(SHARED)
STRESSOPT ?= -fsanitize=address,undefined -fno-sanitize-recover=all
TESTPROGS += $(B)/prog/stress
$(B)/prog/stress: test/prog/stress.c $(STRESSLIB)
	$(Q)mkdir -p $(@D) && $(TESTCC) -Ilib/include -g $(STRESSOPT) -pthread -o $@ $<
endif
# Lets system calls fail.
ifeq ($(shell uname -m)$(CROSS),x86_64)
TESTPROGS += $(B)/prog/failcall
$(B)/prog/failcall: $(addprefix test/prog/,answer.h blow.h callkeys.h procs.h)
endif
# For the simulator: programs of known instructions, a program for another processor, and one that counts itself,
# which works only without sanitizers.
ifeq ($(shell uname -m)$(CROSS),x86_64)
TESTPROGS += $(addprefix $(B)/prog/,exactly evex foreign sim-step sim-free)
$(B)/prog/sim-free: test/prog/sim-free.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -nostdlib -static -fno-builtin -fno-stack-protector $(NO_LOOP_CALLS) -o $@ $<
$(B)/prog/exactly $(B)/prog/evex: $(B)/prog/%: test/prog/%.S
	$(Q)mkdir -p $(@D) && $(PLAINCC) -nostdlib -static -o $@ $<
$(B)/prog/foreign: test/prog/foreign.S
	$(Q)mkdir -p $(@D) && $(PLAINCC) -m32 -nostdlib -static -o $@ $<
ifeq ($(SANITIZE),)
TESTPROGS += $(B)/prog/inside
$(B)/prog/inside: test/prog/inside.c $(EXPORTED)
	$(Q)mkdir -p $(@D) && $(TESTCC) -Ilib/include -pthread -o $@ $^ $(LDLIBS)
endif
endif
# Programs of known instructions, without C library, and a reader of the simulator's pages.
ifeq ($(shell uname -m)$(CROSS),x86_64)
TESTPROGS += $(addprefix $(B)/prog/,sim-known sim-branches sim-straight sim-cycles sim-prefetch sim-threads sim-contend sim-stack simpages)
$(B)/prog/sim-known $(B)/prog/sim-branches $(B)/prog/sim-straight $(B)/prog/sim-cycles $(B)/prog/sim-prefetch: $(B)/prog/%: test/prog/%.S
	$(Q)mkdir -p $(@D) && $(PLAINCC) -nostdlib -static -o $@ $<
# Static, so that its functions and arrays are at the addresses that nm shows.
TESTPROGS += $(B)/prog/sim-functions
$(B)/prog/sim-functions: test/prog/sim-functions.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -fno-tree-vectorize -fno-pie -no-pie -static -o $@ $<
# Programs that the simulator cannot go on with, and one that sends itself signals of faults.
TESTPROGS += $(B)/prog/sim-ends $(B)/prog/sim-signals
$(B)/prog/sim-ends $(B)/prog/sim-signals: $(B)/prog/sim-%: test/prog/life/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -pthread -o $@ $<
TESTPROGS += $(B)/prog/sim-scribble
$(B)/prog/sim-scribble: test/prog/sim-scribble.c $(LIB)
	$(Q)mkdir -p $(@D) && $(TESTCC) $(PRIVATE) -o $@ $<
$(B)/prog/simpages: test/prog/simpages.c $(LIB)
	$(Q)mkdir -p $(@D) && $(TESTCC) $(PRIVATE) -o $@.o -c $< && \
		$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o $(LIB) $(LDLIBS) && rm $@.o
endif
# The program of the recordings that lwp_made makes.
ifeq ($(shell uname -m)$(CROSS),x86_64)
TESTPROGS += $(addprefix $(B)/prog/,lwp_made lwp_where)
$(B)/prog/lwp_where: test/prog/lwp_where.S
	$(Q)mkdir -p $(@D) && $(PLAINCC) -g -nostdlib -static -no-pie -Wl,--build-id=none,-Tdata=0x404000 -o $@ $<
endif
# Programs with LWP instructions, with symbols and lines, which reports name.
ifeq ($(shell uname -m)$(CROSS),x86_64)
TESTPROGS += $(addprefix $(B)/prog/,lwp_sample lwp_rules lwp_rules-static lwp_oracle lwp_oracle-static lwp_operands lwp_show)
ifneq ($(CLANG),)
TESTPROGS += $(addprefix $(B)/prog/,lwp_oracle-clang lwp_rules-clang)
endif
$(B)/prog/lwp_%-static: test/prog/lwp_%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -g -mlwp -static -o $@ $< -pthread
$(B)/prog/lwp_%-clang: test/prog/lwp_%.c
	$(Q)mkdir -p $(@D) && $(CLANG) $(wordlist 2,99,$(TESTCC)) -g -mlwp -fcf-protection -no-pie -o $@ $< -pthread
# At fixed addresses, so that all ways to emulate must store the same records.
$(B)/prog/lwp_oracle: test/prog/lwp_oracle.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -g -mlwp -no-pie -o $@ $<
$(B)/prog/lwp_operands: test/prog/lwp_operands.c test/prog/lwp_operands.S
	$(Q)mkdir -p $(@D) && $(TESTCC) -g -mlwp -no-pie -o $@ $^
$(B)/prog/lwp_show: test/prog/lwp_show.c $(LIB)
	$(Q)mkdir -p $(@D) && $(TESTCC) -Ilib/include $(PRIVATE) -o $@.o -c $< && \
		$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $@.o $(LIB) $(LDLIBS) && rm $@.o
$(B)/prog/lwp_%: test/prog/lwp_%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -g -mlwp -o $@ $< -pthread
endif
# Prints the symbols of addresses; static as lwprec.
ifneq ($(HAVE_DW),)
TESTPROGS += $(B)/prog/symbolize
$(B)/prog/symbolize: test/prog/symbolize.c $(SYMBOLS) $(LIB)
	$(Q)mkdir -p $(@D) && $(TESTCC) $(PRIVATE) -o $@.o -c $< && \
		$(CC) $(CFLAGS) $(LDFLAGS) $(STATIC) -o $@ $@.o $(SYMBOLS) $(LIB) $(LDLIBS) $(DWLIBS) && rm $@.o
endif
# Static, so that its functions are where nm shows them.
$(B)/prog/busy: test/prog/busy.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -static -o $@ $< -pthread
$(B)/prog/%: test/prog/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -o $@ $< -pthread -lutil

# For the guests of the PMU test bed, which are arm64: programs of known instructions, without C library, and hog, a C program.
GUESTPROGS := $(addprefix $(B)/prog/,turns migrate rounds threads seq forks execs naps tour hog)
$(B)/prog/%: test/qemu/prog/%.S test/qemu/prog/known.inc
	$(Q)mkdir -p $(@D) && $(PLAINCC) -nostdlib -static -o $@ $<
$(B)/prog/%: test/qemu/prog/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -static -o $@ $<

BENCHPROGS := $(addprefix $(B)/bench/,runbench sample floor cgread integers walk dispatch)
ifeq ($(shell uname -m)$(CROSS),x86_64)
BENCHPROGS += $(B)/bench/lwp_emulate
$(B)/bench/lwp_emulate: test/bench/lwp_emulate.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -mlwp -o $@ $<
endif
$(B)/bench/sample $(B)/bench/dispatch: $(B)/bench/%: test/bench/%.c $(LIB)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(B)/bench/%: test/bench/%.c
	$(Q)mkdir -p $(@D) && $(TESTCC) -o $@ $<
