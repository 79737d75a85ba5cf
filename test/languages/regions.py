"""regions.py LIBRARY: call a function of the C library 1000 times in a region, through ctypes."""
import ctypes
import sys

lib = ctypes.CDLL(sys.argv[1])
step = ctypes.CDLL(None).getppid
address = ctypes.cast(step, ctypes.c_void_p).value
failed = lib.cpc_region_events(b"mem:%#x:x" % address) or lib.cpc_region_begin(b"outer") or lib.cpc_region_begin(b"steps")
for _ in range(1000):
    step()
sys.exit(failed or lib.cpc_region_end(b"steps") or lib.cpc_region_end(b"outer"))
