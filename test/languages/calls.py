"""calls.py LIBRARY: count 1000 calls of a function of the C library, through ctypes."""
import ctypes
import os
import sys
from ctypes import POINTER, byref, c_char_p, c_int, c_uint, c_uint64, c_void_p

CPC_VER_CURRENT, CPC_COUNT_USER = 2, 2

lib = ctypes.CDLL(sys.argv[1], use_errno=True)
for name, result, arguments in [
        ("cpc_open", c_void_p, [c_int]),
        ("cpc_close", c_int, [c_void_p]),
        ("cpc_set_create", c_void_p, [c_void_p]),
        ("cpc_set_add_request", c_int, [c_void_p, c_void_p, c_char_p, c_uint64, c_uint, c_uint, c_void_p]),
        ("cpc_buf_create", c_void_p, [c_void_p, c_void_p]),
        ("cpc_bind_curlwp", c_int, [c_void_p, c_void_p, c_uint]),
        ("cpc_set_sample", c_int, [c_void_p, c_void_p, c_void_p]),
        ("cpc_buf_get", c_int, [c_void_p, c_void_p, c_int, POINTER(c_uint64)])]:
    call = getattr(lib, name)
    call.restype, call.argtypes = result, arguments


def check(result, what):
    """Return a result; raise OSError if it is -1 or NULL."""
    if result in (-1, None):
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()), what)
    return result


step = ctypes.CDLL(None).getppid
address = ctypes.cast(step, c_void_p).value
cpc = check(lib.cpc_open(CPC_VER_CURRENT), "open")
events = check(lib.cpc_set_create(cpc), "set")
check(lib.cpc_set_add_request(cpc, events, b"mem:%#x:x" % address, 0, CPC_COUNT_USER, 0, None), "request")
buf = check(lib.cpc_buf_create(cpc, events), "buf")
check(lib.cpc_bind_curlwp(cpc, events, 0), "bind")
for _ in range(1000):
    step()
check(lib.cpc_set_sample(cpc, events, buf), "sample")
count = c_uint64()
check(lib.cpc_buf_get(cpc, buf, 0, byref(count)), "get")
print(count.value)
check(lib.cpc_close(cpc), "close")
