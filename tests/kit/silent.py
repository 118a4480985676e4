#!/usr/bin/env python3
"""A file system that tells nobody about changes: FOLDER, read-only, at MOUNT, while CMD runs.

    unshare -Urm tests/kit/silent.py FOLDER MOUNT CMD …

It speaks the kernel's FUSE protocol by itself, so that nothing has to be installed; what is written into FOLDER appears at
MOUNT without an event. Exit status: that of CMD; 77 where it cannot be mounted.
"""
import ctypes
import os
import struct
import subprocess
import sys
import threading

LOOKUP, FORGET, GETATTR, OPEN, READ, STATFS, RELEASE = 1, 2, 3, 14, 15, 17, 18
FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, INTERRUPT, DESTROY, BATCH_FORGET = 25, 26, 27, 28, 29, 36, 38, 42
ENOSYS = 38


def attributes(path):
    s = os.lstat(path)
    times = [s.st_atime_ns, s.st_mtime_ns, s.st_ctime_ns]
    whole = [t // 10**9 for t in times]
    rest = [t % 10**9 for t in times]
    return struct.pack("<6Q10I", s.st_ino, s.st_size, s.st_blocks, *whole, *rest, s.st_mode, s.st_nlink, 0, 0, 0, 4096, 0)


class Server:
    def __init__(self, fd, root):
        self.fd, self.paths, self.nodes, self.lists = fd, {1: root}, {root: 1}, {}

    def node(self, path):
        if path not in self.nodes:
            self.nodes[path] = len(self.nodes) + 1
            self.paths[self.nodes[path]] = path
        return self.nodes[path]

    def answer(self, opcode, node, body):
        path = self.paths.get(node, "")
        if opcode == INIT:
            return struct.pack("<4I2H2I2H8I", 7, 31, 1 << 17, 0, 12, 9, 1 << 17, 1, 32, 0, *[0] * 8)
        if opcode == LOOKUP:
            child = os.path.join(path, os.fsdecode(body.rstrip(b"\0")))
            found = attributes(child)
            return struct.pack("<4Q2I", self.node(child), 0, 0, 0, 0, 0) + found
        if opcode == GETATTR:
            return struct.pack("<Q2I", 0, 0, 0) + attributes(path)
        if opcode == OPEN:
            return struct.pack("<Q2I", os.open(path, os.O_RDONLY), 0, 0)
        if opcode == OPENDIR:
            key = len(self.lists) + 1
            self.lists[key] = [(e.name, e.inode(), e.is_dir()) for e in os.scandir(path)]
            return struct.pack("<Q2I", key, 0, 0)
        if opcode == READ:
            handle, offset, size = struct.unpack_from("<2QI", body)
            return os.pread(handle, size, offset)
        if opcode == READDIR:
            handle, offset, size = struct.unpack_from("<2QI", body)
            out = b""
            for at, (name, inode, folder) in list(enumerate(self.lists[handle], 1))[offset:]:
                name = os.fsencode(name)
                entry = struct.pack("<2Q2I", inode, at, len(name), 4 if folder else 8) + name
                entry += b"\0" * (-len(entry) % 8)
                if len(out) + len(entry) > size:
                    break
                out += entry
            return out
        if opcode == STATFS:
            return struct.pack("<5Q4I6I", 0, 0, 0, 0, 0, 4096, 255, 4096, 0, *[0] * 6)
        if opcode == RELEASE:
            os.close(struct.unpack_from("<Q", body)[0])
            return b""
        if opcode in (RELEASEDIR, FLUSH, DESTROY):
            return b""
        raise OSError(ENOSYS, "not done")

    def serve(self):
        while True:
            try:
                request = os.read(self.fd, 1 << 20)
            except OSError:
                return
            _, opcode, unique, node = struct.unpack_from("<2I2Q", request)
            if opcode in (FORGET, BATCH_FORGET, INTERRUPT):
                continue
            try:
                error, out = 0, self.answer(opcode, node, request[40:])
            except OSError as refused:
                error, out = -(refused.errno or ENOSYS), b""
            try:
                os.write(self.fd, struct.pack("<IiQ", 16 + len(out), error, unique) + out)
            except OSError:
                pass  # Nobody waits for it any more.


def main():
    folder, mount, command = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3:]
    try:
        fd = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return 77
    options = f"fd={fd},rootmode=40000,user_id=0,group_id=0".encode()
    if ctypes.CDLL(None, use_errno=True).mount(b"silent", os.fsencode(mount), b"fuse", 6, options) != 0:
        return 77
    threading.Thread(target=Server(fd, folder).serve, daemon=True).start()
    return subprocess.run(command, check=False).returncode


status = main()
sys.stdout.flush()
os._exit(status)
