! Calls a subroutine 1000 times in a region.
module steps
contains
  subroutine step() bind(c)
  end subroutine
end module

program regions
  use, intrinsic :: iso_c_binding
  use opencpc
  use steps
  implicit none
  character(len=40) :: event
  integer :: i

  write (event, '("mem:0x", z0, ":x")') transfer(c_funloc(step), 0_c_intptr_t)
  if (cpc_region_events(event) /= 0) stop 1
  if (cpc_region_begin('outer') /= 0) stop 2
  if (cpc_region_begin('steps') /= 0) stop 3
  do i = 1, 1000
    call step()
  end do
  if (cpc_region_end('steps') /= 0) stop 4
  if (cpc_region_end('outer') /= 0) stop 5
end program
