! Named regions for Fortran: cpc_region_begin(3). Each function returns 0, or -1 if it fails. Blanks at the end of a
! string do not belong to it.
module opencpc
  use, intrinsic :: iso_c_binding, only: c_char, c_int, c_null_char
  implicit none
  private
  public :: cpc_region_begin, cpc_region_end, cpc_region_events

  interface
    function c_begin(name) bind(c, name="cpc_region_begin") result(rc)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: rc
    end function
    function c_end(name) bind(c, name="cpc_region_end") result(rc)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: name(*)
      integer(c_int) :: rc
    end function
    function c_events(spec) bind(c, name="cpc_region_events") result(rc)
      import :: c_char, c_int
      character(kind=c_char), intent(in) :: spec(*)
      integer(c_int) :: rc
    end function
  end interface

contains

  function cpc_region_begin(name) result(rc)
    character(len=*), intent(in) :: name
    integer(c_int) :: rc
    rc = c_begin(trim(name) // c_null_char)
  end function

  function cpc_region_end(name) result(rc)
    character(len=*), intent(in) :: name
    integer(c_int) :: rc
    rc = c_end(trim(name) // c_null_char)
  end function

  function cpc_region_events(spec) result(rc)
    character(len=*), intent(in) :: spec
    integer(c_int) :: rc
    rc = c_events(trim(spec) // c_null_char)
  end function

end module opencpc
