# Programs whose LWPs count themselves: linked with the library in several ways, and many LWPs at once.

bats_require_minimum_version 1.5.0
load helper

# need_program PROGRAM: skip the test if the program is not built.
need_program() {
	[ -z "${SANITIZE-}" ] || skip "$1 is not built with sanitizers"
	[ -x "$PROG/$1" ] || skip "$PROG/$1 is not built; make tests builds it, but not for another processor"
}

# inherits PROGRAM: checks that each LWP of the program counts its own events.
inherits() {
	need_program "$1"
	need_breakpoints
	# Counts of the coverage of one library in several programs cannot be added to one file.
	[ -z "${LLVM_PROFILE_FILE-}" ] || export LLVM_PROFILE_FILE="${LLVM_PROFILE_FILE%/*}/$1-%4m.profraw"
	run "$PROG/$1"
	diff - <(echo "$output") <<-END
		0 10
		1 20
		2 30
		3 40
	END
	[ "$status" -eq 0 ]
}

@test "LWPs of pthread_create inherit the set" {
	inherits heirs
}

@test "LWPs of a static program inherit the set" {
	inherits heirs-static
}

@test "LWPs of OpenMP inherit the set" {
	inherits heirs-openmp
}

@test "LWPs of a program that is linked with the shared library inherit the set" {
	inherits heirs-shared
}

@test "a shared library that is opened by dlopen says why LWPs cannot inherit the set" {
	need_program heirs-plugin
	need_breakpoints
	run -1 "$PROG/heirs-plugin" "$PROG/heirs.so"
	[[ $output == *"libcpc: cpc_bind_curlwp: CPC_BIND_LWP_INHERIT: this program does not create LWPs by the pthread_create of this library"* ]]
	[[ $output == *"cpc_bind_curlwp: Operation not supported"* ]]
}

# ThreadSanitizer needs fixed addresses, which are free on some kernels only without randomisation (setarch -R).
# LWPS_SECONDS=10 for a longer run.
@test "64 LWPs bind, sample and unbind at random without a race" {
	need_program lwps
	run env TSAN_OPTIONS=halt_on_error=1 setarch -R "$PROG/lwps" "${LWPS_SECONDS:-2}"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output =~ ^[1-9][0-9]*\ binds\ [1-9][0-9]*\ samples\ [1-9][0-9]*\ signals\ [1-9][0-9]*\ heirs ]]
}
