"""Leaves in the CUDA provider only the code for one architecture: cut.py 90 libonnxruntime_providers_cuda.so

The code of all others in the section .nv_fatbin becomes zeros, which compress to nothing; sizes and addresses stay. ONNX
Runtime's licence (MIT) allows it. The layout is that of NVIDIA's fatbinary as tools for it describe it; a file with another
one is refused. That a device takes the rest was shown nowhere yet: pack.sh --whole leaves all of it.
"""
import mmap
import struct
import sys

MAGIC = 0xBA55ED50
ELF_KIND = 2


def section(data, wanted):
    """Offset and size of a section of a 64-bit ELF file."""
    table, entry, count, names = struct.unpack_from("<Q", data, 40)[0], *struct.unpack_from("<HHH", data, 58)
    headers = [struct.unpack_from("<IIQQQQ", data, table + i * entry) for i in range(count)]
    strings = headers[names][4]
    for name, _, _, _, offset, size in headers:
        end = data.find(b"\0", strings + name)
        if data[strings + name : end] == wanted:
            return offset, size
    sys.exit("cut.py: there is no section " + wanted.decode())


def cut(data, arch):
    """Zeroes the code of all other architectures; returns how many bytes of code stay and go."""
    offset, size = section(data, b".nv_fatbin")
    at, end, kept, gone = offset, offset + size, 0, 0
    while at + 16 <= end:
        magic, version, header, length = struct.unpack_from("<IHHQ", data, at)
        if magic != MAGIC:
            # Binaries begin at multiples of 8.
            at += 8
            continue
        if version != 1:
            sys.exit("cut.py: this is a fatbinary of version %d, and only 1 is known" % version)
        part, stop = at + header, at + header + length
        while part < stop:
            kind, _, part_header, part_size = struct.unpack_from("<HHIQ", data, part)
            part_arch = struct.unpack_from("<I", data, part + 28)[0]
            if kind == ELF_KIND and part_arch != arch:
                data[part + part_header : part + part_header + part_size] = bytes(part_size)
                gone += part_size
            else:
                kept += part_size
            part += part_header + part_size
        at = stop
    if kept == 0:
        sys.exit("cut.py: there is no code for architecture %d" % arch)
    return kept, gone


def main():
    arch, file = int(sys.argv[1]), sys.argv[2]
    with open(file, "r+b") as opened, mmap.mmap(opened.fileno(), 0) as data:
        kept, gone = cut(data, arch)
    print("cut to sm_%d: %d MB of code stay, %d MB are zeros" % (arch, kept // 10**6, gone // 10**6))


main()
