! Makes the calls of libperfex(3) from Fortran, and checks what they return. The argument is the file of a table
! of costs.
program pair
	implicit none
	integer*4 :: start_counters, read_counters, print_counters, print_costs, load_costs
	external :: start_counters, read_counters, print_counters, print_costs, load_costs
	integer*4, parameter :: loads = 18, cycles = 0
	integer*8 :: c0, c1
	integer*4 :: started
	character(len=4096) :: costs
	real*8, allocatable :: a(:)

	call get_command_argument(1, costs)
	if (load_costs('/nonexistent/table') /= -1) stop 1
	if (load_costs(costs) /= 0) stop 2
	if (start_counters(0, 1) /= -1) stop 3
	started = start_counters(cycles, loads)
	if (started <= 0) stop 4
	allocate(a(51200))
	a = 1.5d0
	if (read_counters(cycles, c0, loads, c1) /= started) stop 5
	if (sum(a) /= 76800d0) stop 6
	print '(i0, 1x, i0)', c0, c1
	flush(6)
	if (print_counters(cycles, c0, loads, c1) /= 0) stop 7
	if (print_costs(cycles, c0, loads, c1) /= 0) stop 8
end program
