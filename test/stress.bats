# LWPs that bind, sample, unbind, fork and open the shared library at random, under ThreadSanitizer; with SANITIZE=1
# under AddressSanitizer and UBSan. make stress is the long form.

bats_require_minimum_version 1.5.0
load helper

@test "LWPs that bind, sample, unbind and fork at random leave nothing behind" {
	[ -x "$PROG/stress" ] || skip "$PROG/stress is not built for another processor"
	need_breakpoints
	run bounded "$BATS_TEST_DIRNAME/stress" 1 64 128
	echo "$output"
	[ "$status" -eq 0 ]
	[[ ${lines[-1]} =~ ^[1-9][0-9]*\ binds\ [1-9][0-9]*\ samples\ [1-9][0-9]*\ unbound\ 128\ forks\ [1-9][0-9]*\ reopened$ ]]
}
