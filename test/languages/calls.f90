! Counts 1000 calls of a subroutine, by bind(C) interfaces of the library.
module libcpc
  use, intrinsic :: iso_c_binding
  implicit none
  integer(c_int), parameter :: cpc_ver_current = 2, cpc_count_user = 2
  interface
    function cpc_open(ver) bind(c)
      import
      integer(c_int), value :: ver
      type(c_ptr) :: cpc_open
    end function
    function cpc_close(cpc) bind(c)
      import
      type(c_ptr), value :: cpc
      integer(c_int) :: cpc_close
    end function
    function cpc_set_create(cpc) bind(c)
      import
      type(c_ptr), value :: cpc
      type(c_ptr) :: cpc_set_create
    end function
    function cpc_set_add_request(cpc, set, event, preset, flags, nattrs, attrs) bind(c)
      import
      type(c_ptr), value :: cpc, set, attrs
      character(kind=c_char), intent(in) :: event(*)
      integer(c_int64_t), value :: preset
      integer(c_int), value :: flags, nattrs
      integer(c_int) :: cpc_set_add_request
    end function
    function cpc_buf_create(cpc, set) bind(c)
      import
      type(c_ptr), value :: cpc, set
      type(c_ptr) :: cpc_buf_create
    end function
    function cpc_bind_curlwp(cpc, set, flags) bind(c)
      import
      type(c_ptr), value :: cpc, set
      integer(c_int), value :: flags
      integer(c_int) :: cpc_bind_curlwp
    end function
    function cpc_set_sample(cpc, set, buf) bind(c)
      import
      type(c_ptr), value :: cpc, set, buf
      integer(c_int) :: cpc_set_sample
    end function
    function cpc_buf_get(cpc, buf, index, val) bind(c)
      import
      type(c_ptr), value :: cpc, buf
      integer(c_int), value :: index
      integer(c_int64_t), intent(out) :: val
      integer(c_int) :: cpc_buf_get
    end function
  end interface
contains
  subroutine step() bind(c)
  end subroutine
end module

program calls
  use libcpc
  implicit none
  type(c_ptr) :: cpc, set, buf
  character(len=40) :: event
  integer(c_int64_t) :: count
  integer :: i

  write (event, '("mem:0x", z0, ":x")') transfer(c_funloc(step), 0_c_intptr_t)
  cpc = cpc_open(cpc_ver_current)
  set = cpc_set_create(cpc)
  if (cpc_set_add_request(cpc, set, trim(event)//c_null_char, 0_c_int64_t, cpc_count_user, 0, c_null_ptr) /= 0) stop 1
  buf = cpc_buf_create(cpc, set)
  if (cpc_bind_curlwp(cpc, set, 0) /= 0) stop 2
  do i = 1, 1000
    call step()
  end do
  if (cpc_set_sample(cpc, set, buf) /= 0) stop 3
  if (cpc_buf_get(cpc, buf, 0, count) /= 0) stop 4
  print '(i0)', count
  if (cpc_close(cpc) /= 0) stop 5
end program
