// Counts 1000 calls of a function, by declarations of the library's calls.
use std::ffi::{c_void, CString};
use std::io::Error;
use std::os::raw::{c_char, c_int, c_uint};
use std::ptr::null;

#[link(name = "opencpc")]
extern "C" {
    fn cpc_open(ver: c_int) -> *mut c_void;
    fn cpc_close(cpc: *mut c_void) -> c_int;
    fn cpc_set_create(cpc: *mut c_void) -> *mut c_void;
    fn cpc_set_add_request(cpc: *mut c_void, set: *mut c_void, event: *const c_char, preset: u64,
                           flags: c_uint, nattrs: c_uint, attrs: *const c_void) -> c_int;
    fn cpc_buf_create(cpc: *mut c_void, set: *mut c_void) -> *mut c_void;
    fn cpc_bind_curlwp(cpc: *mut c_void, set: *mut c_void, flags: c_uint) -> c_int;
    fn cpc_set_sample(cpc: *mut c_void, set: *mut c_void, buf: *mut c_void) -> c_int;
    fn cpc_buf_get(cpc: *mut c_void, buf: *mut c_void, index: c_int, val: *mut u64) -> c_int;
}

const CPC_VER_CURRENT: c_int = 2;
const CPC_COUNT_USER: c_uint = 2;

static mut STEPS: u64 = 0;

#[inline(never)]
extern "C" fn step() {
    unsafe { STEPS += 1 }
}

/// Returns an error if the result of a call is -1.
fn check(result: c_int) -> Result<(), Error> {
    if result == -1 { Err(Error::last_os_error()) } else { Ok(()) }
}

fn main() -> Result<(), Error> {
    let event = CString::new(format!("mem:{:#x}:x", step as *const () as usize)).unwrap();
    let mut count = 0;
    unsafe {
        let cpc = cpc_open(CPC_VER_CURRENT);
        let set = cpc_set_create(cpc);
        check(cpc_set_add_request(cpc, set, event.as_ptr(), 0, CPC_COUNT_USER, 0, null()))?;
        let buf = cpc_buf_create(cpc, set);
        check(cpc_bind_curlwp(cpc, set, 0))?;
        for _ in 0..1000 {
            step();
        }
        check(cpc_set_sample(cpc, set, buf))?;
        check(cpc_buf_get(cpc, buf, 0, &mut count))?;
        check(cpc_close(cpc))?;
    }
    println!("{}", count);
    Ok(())
}
