# make, make check, make tests TESTS='test/explain.bats build/unit/cpc/buf', make check-pmu, make install [DESTDIR= PREFIX= LIBDIR= PROGRAM_PREFIX=], make lint, make bench,
# make fuzz, make faults [FAULTS_SEED=], make stress [STRESS_SEED=], make demo, make coverage [TESTS= FILES=], make mutants [MUTANTS=],
# make dist (archives of the sources and of the commands), make deb (packages of Debian).
# V=1 shows the commands; SANITIZE=1 builds with AddressSanitizer and UBSan into a folder of its own;
# CROSS=aarch64-linux-gnu- cross-compiles, with libraries of SYSROOT= if they are not where the compiler looks; FUZZ_SECONDS= for each fuzzer, FUZZ_JOBS= fuzzers at a time; BENCH_SMOKE=1 for a short bench.

PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
PROGRAM_PREFIX ?=
VERSION := $(shell cat VERSION)
CFLAGS  ?= -O2 -g
SANITIZE ?=

# Each variant is built in its own folder, so that its objects never mix with others.
B       := build$(if $(CROSS),/$(CROSS:-=))$(if $(SANITIZE),/sanitize)$(if $(COVERAGE),/coverage)
ifneq ($(CROSS),)
CC      := $(CROSS)gcc
AR      := $(CROSS)ar
endif
# What is not instrumented for coverage is compiled as usual, so that it behaves as tests know it.
PLAINCC := $(CC)
CC      := $(if $(COVERAGE),clang,$(CC))
NM      := $(CROSS)nm
OBJCOPY := $(CROSS)objcopy
Q       := $(if $(V),,@)
comma   := ,

# gcc alone makes calls of memset and memcpy from loops where there is no C library; clang rejects the option.
NO_LOOP_CALLS := $(if $(findstring clang,$(shell $(PLAINCC) --version)),,-fno-tree-loop-distribute-patterns)
# For the library and the commands, which root runs. _FORTIFY_SOURCE needs optimization; a sanitizer takes its place.
HARDEN  := -fstack-protector-strong \
	   $(if $(SANITIZE),,$(if $(filter-out -O0,$(filter -O%,$(CFLAGS))),-U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=3))
HARDENLD := -Wl,-z,relro,-z,now,-z,noexecstack
WARN    := -Wall -Wextra -Wshadow -Wmissing-prototypes -Wstrict-prototypes
override CFLAGS += -std=gnu11 $(WARN) $(HARDEN)
CPPFLAGS += -D_GNU_SOURCE -DVERSION='"$(VERSION)"' -Ilib/include
LDLIBS  := -lpfm -lm
# The headers and libraries of the cross compiler itself come first.
CPPFLAGS += $(if $(SYSROOT),-idirafter $(SYSROOT)/usr/include)
LDFLAGS += $(if $(SYSROOT),-L$(SYSROOT)/usr/lib/aarch64-linux-gnu)
ifneq ($(SANITIZE),)
override CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
else
# Static: the commands start faster and run in containers that have no libpfm4.
STATIC  := -static
endif

# Each program adds its counts of executed lines to a file when it exits. Programs that are linked without CFLAGS get
# the code for this, too.
ifneq ($(COVERAGE),)
override CFLAGS += -fprofile-instr-generate=$(abspath $B)/raw/%4m.profraw -fcoverage-mapping
LDLIBS  += -Wl,-u,__llvm_profile_runtime $(firstword $(wildcard $(shell clang -print-runtime-dir)/libclang_rt.profile*$(firstword $(subst -, ,$(shell clang -dumpmachine)))*.a))
endif

# lwprec reads symbols with libelf and libdw of elfutils, libiberty and liblzma, which other commands do not need: it is
# built where all are found. They are linked statically, with the libraries that they use.
HASH     := \#
found    = $(filter /%,$(shell $(CC) $(LDFLAGS) -print-file-name=$1))
HAVE_DW := $(if $(call found,libelf.$(if $(STATIC),a,so)),$(if $(call found,libdw.$(if $(STATIC),a,so)),$(shell \
	   printf '$(HASH)include <%s>\n' libelf.h elfutils/libdw.h libiberty/demangle.h lzma.h | $(CC) $(CPPFLAGS) -E - >/dev/null 2>&1 && echo yes)))
ELFLIBS := -lelf -liberty -llzma -lz
DWLIBS  := -ldw -lelf -liberty -llzma -lbz2 -lz
# The commands that read symbols.
READERS := lwprec cputrack perfex
CMDS    := $(filter-out common completion $(if $(HAVE_DW),,lwprec),$(notdir $(wildcard cmd/*)))

EVENTS  := $(sort $(wildcard events/*.events))
MACHINES := $(sort $(wildcard events/*.machine))
COSTS   := $(sort $(wildcard events/*.costs))
GEN     := $(EVENTS:events/%.events=$(B)/events/%.c) $(addprefix $(B)/events/,index.c sim_vocab.c machines.c costs.c synonyms.c)
LIB     := $(B)/libcpc.a
# The folders of the library; those of the simulator (lib/sim) are built apart, except what both need.
FOLDERS := base sim/shared table itanium2 engine engine/ring engine/bpf engine/kernel engine/sim engine/sample pctx cpc spec region lwp irix
LIBSRC  := $(filter-out %.bpf.c,$(wildcard $(FOLDERS:%=lib/%/*.c)))
LIBOBJ  := $(LIBSRC:%.c=$(B)/%.o) $(GEN:.c=.o)
# The model and the decoder of instructions, for tests on this machine; the library does not use them.
SIMLIB  := $(B)/libsim.a
SIMOBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard lib/sim/model/*.c lib/sim/x86/*.c lib/sim/image/*.c))
# Names of addresses, for lwprec.
SYMBOLS := $(if $(HAVE_DW),$(B)/libsymbols.a)
SYMBOLSOBJ := $(if $(HAVE_DW),$(patsubst %.c,$(B)/%.o,$(wildcard lib/symbols/*.c)))
# Code that the commands share, which is not installed: lib/suite never prints, cmd/common does.
SUITE   := $(B)/libsuite.a
SUITEOBJ := $(patsubst %.c,$(B)/%.o,$(filter-out lib/suite/named/$(if $(HAVE_DW),unread,image).c lib/suite/where/$(if $(HAVE_DW),unread,read).c,$(wildcard lib/suite/*/*.c)))
COMMON  := $(B)/libcommon.a
COMMONOBJ := $(patsubst %.c,$(B)/%.o,$(wildcard cmd/common/*.c))
BINS    := $(CMDS:%=$(B)/bin/%)
CMDOBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard $(CMDS:%=cmd/%/*.c)))

all: $(BINS)

ifeq ($(HAVE_DW),)
all: no-lwprec
no-lwprec:
	$(Q)echo 'lwprec is not built: it needs libelf, libdw, libiberty and liblzma (packages libelf-dev, libdw-dev, libiberty-dev and liblzma-dev)'
endif

$(foreach c,$(CMDS),$(eval $(B)/bin/$c: $(patsubst %.c,$(B)/%.o,$(wildcard cmd/$c/*.c)) $(COMMON) $(SUITE) \
	$(if $(filter $(READERS),$c),$(SYMBOLS)) $(LIB)))
$(B)/bin/lwprec: LDLIBS += $(DWLIBS)
$(addprefix $(B)/bin/,$(filter-out lwprec,$(READERS))): LDLIBS += $(if $(HAVE_DW),$(ELFLIBS))
$(BINS):
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(HARDENLD) $(STATIC) -o $@ $^ $(LDLIBS)

$(LIB): $(LIBOBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(SIMLIB): $(SIMOBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(B)/libsymbols.a: $(SYMBOLSOBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(SUITE): $(SUITEOBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(COMMON): $(COMMONOBJ)
	$(Q)rm -f $@ && $(AR) rcs $@ $^

# A program of the build, which makes the completions of shells from the tables of options, and its arguments after the
# name of the command. It has the tables only, so that it needs no library and runs here when the rest is cross-compiled.
HOSTCC  ?= $(if $(CROSS),cc,$(PLAINCC))
TABLES  := $(filter-out common,$(patsubst cmd/%/options_table.c,%,$(wildcard cmd/*/options_table.c)))
COMPLETION := $(B)/completion
COMPLETED = '$(shell sed 's/ *\#.*//; /^$$/d' events/order)' '$(notdir $(basename $(MACHINES)))'
all: $(COMPLETION)
$(COMPLETION): $(wildcard cmd/completion/*.[ch] cmd/*/options_table.[ch])
	$(Q)mkdir -p $(@D) && $(HOSTCC) -std=gnu11 -O1 $(WARN) -D_GNU_SOURCE -Ilib -Icmd -o $@ $(filter %.c,$^)

# The installed libraries export the names in ABI, and pthread_create (lib/cpc/inherit.c). In the archive each other
# global name gets the prefix cpc__, so that it cannot clash with a name of the user's program; in the shared library
# the names are hidden. Its pthread_create has no version: a program asks for that of the C library.
HEADERS := libcpc.h libcpc_types.h opencpc.h libpctx.h hwperf.h libperfex.h itanium2_record.h lwp.h perfmon/pfmlib_itanium2.h perfmon/pfmlib_itanium2_regs.h
# Sources that users compile with their own: the modules of Fortran depend on the compiler.
MODULES := opencpc.f90
ABI     := lib/include/opencpc.abi
EXPORTED := $(B)/install/libcpc.a
SHARED  := $(B)/install/libopencpc.so.1
all: $(EXPORTED) $(SHARED)
$(EXPORTED): $(LIB) $(ABI)
	$(Q)mkdir -p $(@D)
	$(Q)$(NM) -g --defined-only $< | \
		awk 'FNR == NR { public[$$2]; next } NF == 3 && !($$3 in public) && $$3 !~ /^(pthread_create$$|__(odr_asan|llvm_))/ { print $$3, "cpc__" $$3 }' \
		$(ABI) - | sort -u > $(@D)/private.names
	$(Q)$(OBJCOPY) --redefine-syms=$(@D)/private.names $< $@
$(SHARED): $(LIBOBJ) $(ABI)
	$(Q)mkdir -p $(@D)
	$(Q)awk 'BEGIN { print "OPENCPC_1 {\nglobal:" } $$1 == "function" { print $$2 ";" } END { print "};" }' $(ABI) > $(@D)/versions
	$(Q)$(CC) $(CFLAGS) $(LDFLAGS) $(HARDENLD) -shared -Wl,-soname,$(@F),-z,nodelete$(if $(SANITIZE),,$(comma)-z$(comma)defs),--version-script=$(@D)/versions \
		-o $@ $(LIBOBJ) $(LDLIBS)

# The generator of C from tables of events. It reads all tables, as a register may be a copy from another.
GENAWK  := $(addprefix events/gen/,words.awk rows.awk registers.awk events.awk)
$(B)/events/index.c: $(EVENTS) $(GENAWK) events/order
	$(Q)mkdir -p $(@D) && awk $(GENAWK:%=-f %) -v index_of=events/order $(EVENTS) > $@
$(B)/events/sim_counters.h: events/sim.vocab events/gen/sim.awk
	$(Q)mkdir -p $(@D) && awk -f events/gen/sim.awk -v what=counters $< > $@
$(B)/events/sim_vocab.c: events/sim.vocab events/gen/sim.awk
	$(Q)mkdir -p $(@D) && awk -f events/gen/sim.awk -v what=vocab $< > $@
$(B)/events/machines.c: events/gen/sim.awk $(MACHINES)
	$(Q)mkdir -p $(@D) && awk -f events/gen/sim.awk -v what=machines $(MACHINES) > $@
# The parser of machines is C: a command reads each machine, and reports mistakes with file:line.
all: $(if $(CROSS),,$(B)/events/machines.read)
$(B)/events/machines.read: $(B)/bin/cputrack $(MACHINES)
	$(Q)for m in $(MACHINES); do $< --machine=$$m > $@ || exit; done
$(B)/events/costs.c: events/gen/costs.awk $(COSTS)
	$(Q)mkdir -p $(@D) && awk -f events/gen/costs.awk $(COSTS) > $@
$(B)/events/synonyms.c: events/synonyms events/gen/synonyms.awk
	$(Q)mkdir -p $(@D) && awk -f events/gen/synonyms.awk $< > $@
$(B)/events/%.c: events/%.events $(EVENTS) $(GENAWK) events/host.map events/sim.vocab
	$(Q)mkdir -p $(@D) && awk $(GENAWK:%=-f %) -v map=events/host.map $< > $@

# Private headers are included by their path below lib/, those of cmd/common by their path below cmd/.
PRIVATE := -Ilib -I$(B)/events
$(CMDOBJ) $(COMMONOBJ): CPPFLAGS += $(PRIVATE) -Icmd
$(B)/lib/%.o $(B)/events/%.o: CPPFLAGS += $(PRIVATE)
# The same objects are in the archive and in the shared library. They are made anew when their flags change here.
$(LIBOBJ): CPPFLAGS += -fPIC -fvisibility=hidden
$(LIBOBJ): Makefile
$(LIBOBJ) $(SYMBOLSOBJ) $(SUITEOBJ) $(SIMOBJ) $(CMDOBJ) $(COMMONOBJ) $(LIBOBJ:$(B)/%=$(B)/tsan/%): | $(B)/events/sim_counters.h
# Programs that the kernel executes (BPF), which are built into the library where clang can compile for it. The headers of
# the kernel are those of the machine that $(CC) compiles for.
CLANG   := $(shell command -v clang)
BPFDIRS := $(shell LC_ALL=C $(CC) $(CPPFLAGS) -E -v -x c /dev/null 2>&1 >/dev/null | sed -n '/^.include <...> search/,/^End/s/^ //p')
BPFCC   := clang -target bpf -mcpu=v3 -O2 -std=gnu11 -nostdlibinc -Wall -Wextra -Ilib $(addprefix -idirafter ,$(BPFDIRS))
HAVE_BPF := $(if $(CLANG),$(shell $(BPFCC) -fsyntax-only lib/engine/bpf/tasks.bpf.c >/dev/null 2>&1 && echo yes))
ifneq ($(HAVE_BPF),)
$(B)/lib/engine/bpf/tasks.bpf.o: lib/engine/bpf/tasks.bpf.c lib/engine/bpf/life.h Makefile
	$(Q)mkdir -p $(@D) && $(BPFCC) -c -o $@ $<
$(addsuffix lib/engine/bpf/built_in.o,$(B)/ $(B)/fuzz/obj/ $(B)/tsan/): CPPFLAGS += -DBPF_OBJECT='"$(abspath $(B)/lib/engine/bpf/tasks.bpf.o)"'
$(addsuffix lib/engine/bpf/built_in.o,$(B)/ $(B)/fuzz/obj/ $(B)/tsan/): $(B)/lib/engine/bpf/tasks.bpf.o
else
all: no-bpf
no-bpf:
	$(Q)echo 'cputrack is built without --tracker=bpf: it needs a clang that compiles for BPF, and headers of Linux 6.1 or later (packages clang and linux-libc-dev)'
endif
# Programs that use the library, and that are elsewhere than the simulator, find the simulator here.
$(B)/lib/engine/sim/locate.o $(B)/cmd/lwprec/preload.o: CPPFLAGS += -DSIMDIR='"$(subst \,\\,$(PREFIX))/libexec/opencpc"'
# Counts of static functions are kept by the name of the file too, by default without its folder.
WITH_FOLDER = $(if $(COVERAGE),-Xclang -main-file-name -Xclang $<)
$(B)/%.o: %.c
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(WITH_FOLDER) -MMD -MP -c -o $@ $<
$(B)/events/%.o: $(B)/events/%.c
	$(Q)$(CC) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

# Tests. -include: programs that they run, in TESTPROGS and BENCHPROGS.
-include test/progs.mk
UNIT    := $(patsubst test/unit/%.c,$(B)/unit/%,$(sort $(shell find test/unit $(if $(HAVE_DW),,-path test/unit/symbols -prune -o) -name '*.c' -print)))
$(B)/unit/symbols/%: LDLIBS += $(DWLIBS)
$(B)/unit/suite/named/%: LDLIBS += $(if $(HAVE_DW),$(ELFLIBS))
# Tests of cmd/common.
$(filter $(B)/unit/common/%,$(UNIT)): $(COMMON)
$(B)/unit/common/%: CPPFLAGS += -Icmd
$(B)/unit/common/%: UNITLIB = $(COMMON)
# Tests of cmd/cputrack.
$(B)/unit/cputrack/lives: $(addprefix $(B)/cmd/cputrack/,lives.o living.o) $(COMMON)
$(B)/unit/cputrack/lives: CPPFLAGS += -Icmd
$(B)/unit/cputrack/lives: UNITLIB = $(filter %.o,$^) $(COMMON)
$(B)/unit/%: test/unit/%.c $(LIB) $(SYMBOLS) $(SUITE) $(SIMLIB)
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(PRIVATE) -Itest/unit $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(UNITLIB) $(SIMLIB) $(SUITE) $(SYMBOLS) $(LIB) $(LDLIBS) -lcmocka -ljansson

# An instrumented build of the library; each test/fuzz/NAME.c is linked with it. A warning of clang is an error here, so that
# test/lint need not compile these files.
FUZZ    := $(if $(CLANG),$(patsubst test/fuzz/%.c,$(B)/fuzz/%,$(filter-out $(if $(HAVE_DW),,test/fuzz/symbols_% test/fuzz/profile.c),$(wildcard test/fuzz/*.c))))
FUZZOBJ := $(patsubst $(B)/%,$(B)/fuzz/obj/%,$(LIBOBJ) $(SYMBOLSOBJ) $(SUITEOBJ) $(SIMOBJ) $(B)/lib/sim/program.o)
FUZZCC  := $(CLANG) $(CPPFLAGS) $(PRIVATE) -Itest/unit -std=gnu11 $(WARN) -Werror -O1 -gline-tables-only -fno-omit-frame-pointer \
	   -fno-sanitize-recover=all -MMD -MP $(if $(COVERAGE),-fprofile-instr-generate=$(abspath $B)/raw/%4m.profraw -fcoverage-mapping)
$(B)/fuzz/obj/%.o: %.c
	$(Q)mkdir -p $(@D) && $(FUZZCC) $(WITH_FOLDER) -fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<
$(B)/fuzz/obj/%.o: $(B)/%.c
	$(Q)mkdir -p $(@D) && $(FUZZCC) -fsanitize=fuzzer-no-link,address,undefined -c -o $@ $<
$(FUZZOBJ): | $(B)/events/sim_counters.h
$(B)/fuzz/libcpc.a: $(FUZZOBJ)
	$(Q)rm -f $@ && ar rcs $@ $^
# lld links the fuzzers in two thirds of the time that ld takes.
FUZZLD := $(if $(shell command -v ld.lld),-fuse-ld=lld)
# Calls that a fuzzer replaces by its own, so that no file is read: FUZZREAD those of test/fuzz/files.h, FUZZOPEN those of
# test/fuzz/descriptors.h.
wrap     = $(addprefix -Wl$(comma)--wrap=,$1)
FUZZREAD := file_read file_list
FUZZOPEN := $(FUZZREAD) open read pread close readlink access opendir readdir closedir fopen process_vm_readv
$(B)/fuzz/pages: FUZZLINK := $(call wrap,pread sched_yield)
$(B)/fuzz/sysfs $(B)/fuzz/topology: FUZZLINK := $(call wrap,$(FUZZREAD))
$(addprefix $(B)/fuzz/,pmu procfs program recording_process tracepoint): FUZZLINK := $(call wrap,$(FUZZOPEN))
$(B)/fuzz/procfs: FUZZLINK += $(call wrap,waitid syscall)
$(B)/fuzz/profile $(B)/fuzz/rows $(B)/fuzz/scan: FUZZLINK := -ljansson
$(B)/fuzz/%: test/fuzz/%.c $(B)/fuzz/libcpc.a
	$(Q)$(FUZZCC) $(FUZZLD) -fsanitize=fuzzer,address,undefined -o $@ $< $(B)/fuzz/libcpc.a $(FUZZLINK) $(LDLIBS) $(if $(HAVE_DW),$(DWLIBS))

# The environment of the test scripts.
ENV     := B="$(B)" CC="$(PLAINCC)" SANITIZE="$(SANITIZE)" COVERAGE="$(COVERAGE)" CPUTRACK="$(abspath $(B)/bin/cputrack)" PERFEX="$(abspath $(B)/bin/perfex)" \
	   CPUSTAT="$(abspath $(B)/bin/cpustat)" LWPREC="$(abspath $(B)/bin/lwprec)" CPCREPORT="$(abspath $(B)/bin/cpcreport)" \
	   PROG="$(abspath $(B)/prog)" GOLDEN="$(abspath test/golden)"
LINTENV := LINT_CFLAGS='-std=gnu11 $(WARN) -D_GNU_SOURCE -DVERSION="$(VERSION)"' LINT_GEN="$(GEN)"
FUZZENV := FUZZERS="$(FUZZ)" FUZZ_DIR="$(B)/fuzz"

# The tests of the simulator with a later Valgrind; sanitizers do not change the simulator. Those of counts that others confirm
# and of the life of processes find how Valgrinds differ; LONG=1 adds all others but those of the model, which is the same with each.
MODEL   := test/sim_cycles.bats test/sim_machine.bats
LATER   := $(if $(SANITIZE)$(CROSS),,$(patsubst test/%.bats,$(B)/valgrind/%,$(if $(LONG),$(filter-out $(MODEL),$(wildcard test/sim_*.bats test/lwprec_sim.bats)), \
	   test/sim_life.bats test/sim_oracles.bats test/sim_perfex.bats)))
# The tests that take longest begin first, so that no processor is idle at the end.
LONGEST := $(patsubst %,test/qemu/%.guest,smp port-exact port-life exact cpustat612 kernel612 records cpustat port) \
	   $(foreach t,sim_programs sim_threads lwprec_sim sim_life sim_oracles sim_reproducible,test/$t.bats $(B)/valgrind/$t) \
	   test/fuzz/run test/lint $(patsubst %,test/%.bats,qemu workloads packages faults repeat output_files batch where gate page cputrack_programs symbols hostile_names lint)
CHECKED  = $(GUESTS) $(UNIT) test/lint test/fuzz/run $(LATER) $(sort $(wildcard test/*.bats))
check: all $(UNIT) $(TESTPROGS) $(BENCHPROGS) $(GEN) $(FUZZ) guest $(if $(LATER),later)
	$(Q)$(ENV) $(LINTENV) LINT_COMPILED="$(if $(FUZZ),$(patsubst events/%,$(B)/events/%,$(patsubst $(B)/fuzz/obj/%.o,%.c,$(FUZZOBJ))))" $(FUZZENV) FUZZ_SECONDS=$(or $(FUZZ_SECONDS),1) \
		test/check $(filter $(CHECKED),$(LONGEST)) $(filter-out $(LONGEST),$(CHECKED))

# Only the tests in TESTS=: scripts, or programs below $(B)/unit.
tests: all $(TESTPROGS) $(filter $(B)/%,$(TESTS))
	$(Q)$(ENV) $(LINTENV) test/check $(TESTS)

# The PMU test bed: guests with a PMU, and in them the programs and tests for it.
GUESTS  := $(sort $(wildcard test/qemu/*.guest))
check-pmu: guest
	$(Q)test/check $(GUESTS)

guest:
	$(Q)+test/qemu/stage build/qemu

# Builds the simulator of a later Valgrind.
$(LATER): later ;
later: all
	$(Q)+test/valgrind/stage $(B)/valgrind $(notdir $(LATER))

# The guests run the unit tests that a .guest names. They do not run nomem-COMMAND, commands whose allocations fail.
GUESTUNIT := $(patsubst build/%,$(B)/%,$(sort $(shell grep -oh 'build/unit/[a-z0-9_/]*' $(GUESTS))))
guest-programs: all $(GUESTUNIT) $(filter-out $(B)/prog/nomem-%,$(TESTPROGS)) $(GUESTPROGS)

# Which lines and branches the tests in TESTS= execute (default: unit tests, the commands' tests, fuzz corpora), in a
# build of its own. By default the lines that are not executed are compared with test/uncovered.
NOTCOVERED := $(patsubst %,test/%.bats,check coverage docs docs_cpus gen install languages lint mutate packages qemu setup)
COVERED  = $(or $(TESTS),$(UNIT) $(filter-out $(NOTCOVERED),$(sort $(wildcard test/*.bats))))
coverage:
	$(Q)+$(MAKE) COVERAGE=1 covered
covered: all $(UNIT) $(TESTPROGS) $(FUZZ)
	$(Q)$(ENV) $(FUZZENV) FILES='$(FILES)' $(if $(TESTS),,UNCOVERED=test/uncovered) test/coverage $(COVERED)

# Tries each mistake in test/mutants in a copy of the tree; with MUTANTS=, those whose lines contain one of these words.
mutants: all
	$(Q)python3 test/mutate.py test/mutants $(MUTANTS)

lint: all $(GEN)
	$(Q)B="$(B)" $(LINTENV) test/lint

# Lets system calls and allocations of the commands fail, each once; test/faults.bats does a small part of it.
faults: all $(TESTPROGS)
	$(Q)$(ENV) test/faults/run $(if $(FAULTS_SEED),--seed $(FAULTS_SEED))
	$(Q)$(ENV) test/hostile/run --rounds 20 $(if $(FAULTS_SEED),--seed $(FAULTS_SEED))

# 1,000 LWPs and 10,000 forks that use the shared library at random; test/stress.bats does a small part of it.
stress: all $(TESTPROGS)
	$(Q)$(ENV) test/stress $(STRESS_SEED)

fuzz: $(FUZZ)
	$(Q)$(FUZZENV) FUZZ_SECONDS=$(or $(FUZZ_SECONDS),600) test/fuzz/run

bench: all $(TESTPROGS) $(BENCHPROGS)
	$(Q)$(ENV) test/bench/run $(if $(BENCH_SMOKE),--smoke)
	$(Q)$(ENV) test/bench/sim $(if $(BENCH_SMOKE),--smoke)
	$(Q)$(ENV) test/bench/cpus $(if $(BENCH_SMOKE),--smoke)
	$(Q)$(ENV) test/bench/cgroups $(if $(BENCH_SMOKE),--smoke)
	$(Q)$(ENV) test/bench/fleet $(if $(BENCH_SMOKE),--smoke)
	$(Q)$(ENV) test/bench/lwp $(if $(BENCH_SMOKE),--smoke)
	$(Q)$(ENV) test/bench/symbols $(if $(BENCH_SMOKE),--smoke)
	$(Q)$(ENV) test/bench/repeat $(if $(BENCH_SMOKE),--smoke)
	$(Q)$(B)/bench/dispatch
	$(Q)$(if $(EMULATOR),LD_PRELOAD=$(abspath $(EMULATOR)) $(B)/bench/lwp_emulate $(if $(BENCH_SMOKE),--smoke))

$(B)/demo/%: demo/%.c
	$(Q)mkdir -p $(@D) && $(CC) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< -pthread

# Programs are built below B only; make has rules of its own that would build them beside their sources.
%: %.c
%.o: %.c
demo/workload: $(B)/demo/workload

demo: all $(B)/demo/workload $(B)/demo/matrix
	$(Q)demo/demo.sh $(B)/bin/cputrack $(B)/bin/perfex $(B)/demo/workload $(B)/demo/matrix

# Installed: source below here or below B, and where it goes; man1 pages are called as their commands. Each folder
# is quoted for the shell.
BINDEST  := '$(DESTDIR)$(PREFIX)/bin'
LIBDEST  := '$(DESTDIR)$(LIBDIR)'
INCDEST  := '$(DESTDIR)$(PREFIX)/include'
SHAREDEST := '$(DESTDIR)$(PREFIX)/share'
MANDEST  := $(SHAREDEST)/man
EXECDEST := '$(DESTDIR)$(PREFIX)/libexec/opencpc'
MAN1    := $(notdir $(wildcard $(CMDS:%=man1/%.1)))
MAN3    := $(notdir $(wildcard man3/*.3))
MAN5    := $(notdir $(wildcard man5/*.5))
MAN7    := $(notdir $(wildcard man7/*.7))
# Files for Prometheus, Grafana and systemd, which share/opencpc has.
MONITOR := $(notdir $(wildcard examples/prometheus/*))
MONITORDEST := $(SHAREDEST)/opencpc/prometheus
# A second name of cpustat, because Debian has another cpustat, which root finds first. With PROGRAM_PREFIX no name needs it.
SECOND  := $(if $(PROGRAM_PREFIX),,ocpustat)
# in_sed TEXT: TEXT as the replacement of a command s|||.
in_sed   = $(subst |,\|,$(subst &,\&,$(subst \,\\,$1)))

# Where each shell looks for the completions of the command $1.
BASHDEST := $(SHAREDEST)/bash-completion/completions
ZSHDEST  := $(SHAREDEST)/zsh/site-functions
FISHDEST := $(SHAREDEST)/fish/vendor_completions.d
bash_file = $(BASHDEST)/$1
zsh_file  = $(ZSHDEST)/_$1
fish_file = $(FISHDEST)/$1.fish
SHELLS   := bash zsh fish
# complete COMMAND,NAME: make the completions of a command of that name.
complete  = $(foreach s,$(SHELLS),$(COMPLETION) $1 $2 $(COMPLETED) < cmd/completion/$s.in > $(call $s_file,$2) &&)

# install itself writes nothing below B, so that root can install what a user has built.
install: install-commands install-library

# The commands, and what they need.
install-commands: all
	$(Q)install -d $(BINDEST) $(MANDEST)/man1 $(MANDEST)/man5 $(MANDEST)/man7
	$(Q)$(foreach c,$(CMDS),install -m 755 $(B)/bin/$c $(BINDEST)/$(PROGRAM_PREFIX)$c &&) :
	$(Q)$(foreach m,$(MAN1),install -m 644 man1/$m $(MANDEST)/man1/$(PROGRAM_PREFIX)$m &&) :
	$(Q)$(foreach m,$(MAN5),install -m 644 man5/$m $(MANDEST)/man5/$m &&) :
	$(Q)$(foreach m,$(MAN7),install -m 644 man7/$m $(MANDEST)/man7/$m &&) :
	$(Q)install -d $(MONITORDEST)
	$(Q)$(foreach f,$(MONITOR),install -m 644 examples/prometheus/$f $(MONITORDEST)/$f &&) :
	$(Q)install -d $(BASHDEST) $(ZSHDEST) $(FISHDEST)
	$(Q)$(foreach c,$(filter $(CMDS),$(TABLES)),$(call complete,$c,$(PROGRAM_PREFIX)$c)) $(if $(SECOND),$(call complete,cpustat,$(SECOND))) :
	$(Q)$(if $(SECOND),ln -sf cpustat $(BINDEST)/$(SECOND) && ln -sf cpustat.1 $(MANDEST)/man1/$(SECOND).1)
	$(Q)$(if $(TOOLS),install -d $(EXECDEST) && install -m 755 $(TOOLS) $(EXECDEST))

install-library: all
	$(Q)install -d $(LIBDEST)/pkgconfig $(INCDEST) $(MANDEST)/man3
	$(Q)$(foreach m,$(MAN3),install -m 644 man3/$m $(MANDEST)/man3/$m &&) :
	$(Q)$(foreach h,$(HEADERS) $(MODULES),install -D -m 644 lib/include/$h $(INCDEST)/$h &&) :
	$(Q)install -m 644 $(EXPORTED) $(LIBDEST)/libcpc.a
	$(Q)install -m 644 $(SHARED) $(LIBDEST)/$(notdir $(SHARED))
	$(Q)ln -sf $(notdir $(SHARED)) $(LIBDEST)/libopencpc.so && ln -sf libcpc.a $(LIBDEST)/libopencpc.a
	$(Q)echo '/* -lperfex, for the makefiles of IRIX */ INPUT(-lcpc -lpfm)' > $(LIBDEST)/libperfex.a
	$(Q)$(foreach p,libcpc opencpc,sed 's|@PREFIX@|$(call in_sed,$(PREFIX))|; s|@VERSION@|$(VERSION)|; s|@LIBDIR@|$(call \
		in_sed,$(patsubst $(PREFIX)/%,$${prefix}/%,$(LIBDIR)))|' $p.pc.in > $(LIBDEST)/pkgconfig/$p.pc &&) :

# All that install may have written, also where lwprec or the simulator could not be built today.
uninstall:
	$(Q)rm -f $(patsubst cmd/%,$(BINDEST)/$(PROGRAM_PREFIX)%,$(filter-out cmd/common cmd/completion,$(wildcard cmd/*))) \
		$(foreach s,$(SHELLS),$(foreach c,$(TABLES:%=$(PROGRAM_PREFIX)%) $(SECOND),$(call $s_file,$c))) \
		$(patsubst man1/%,$(MANDEST)/man1/$(PROGRAM_PREFIX)%,$(wildcard man1/*.1)) \
		$(if $(SECOND),$(BINDEST)/$(SECOND) $(MANDEST)/man1/$(SECOND).1) \
		$(MAN3:%=$(MANDEST)/man3/%) $(MAN5:%=$(MANDEST)/man5/%) $(MAN7:%=$(MANDEST)/man7/%) $(patsubst %,$(INCDEST)/%,$(HEADERS) $(MODULES)) \
		$(addprefix $(LIBDEST)/,libcpc.a libopencpc.a libopencpc.so $(notdir $(SHARED)) libperfex.a pkgconfig/libcpc.pc pkgconfig/opencpc.pc) \
		$(MONITOR:%=$(MONITORDEST)/%) $(EXECDEST)/cpcsim-* $(EXECDEST)/vgpreload_core-*.so $(EXECDEST)/lwpemulate.so

clean:
	rm -rf $(B)

# The simulator itself, where Valgrind's core can be linked.
-include lib/sim/tool/tool.mk
# The emulator of LWP instructions.
-include lib/lwp/emulator/emulator.mk
# Archives and packages.
-include dist/dist.mk

-include $(LIBOBJ:.o=.d) $(SYMBOLSOBJ:.o=.d) $(SUITEOBJ:.o=.d) $(SIMOBJ:.o=.d) $(CMDOBJ:.o=.d) $(COMMONOBJ:.o=.d) $(UNIT:=.d) $(FUZZOBJ:.o=.d) $(FUZZ:=.d)
.PHONY: all no-lwprec no-bpf check coverage covered mutants tests check-pmu guest later guest-programs lint fuzz faults stress bench demo demo/workload install install-commands install-library uninstall clean
.SECONDARY: $(GEN)
.DELETE_ON_ERROR:
