"""Contents of a library for macOS: load commands, exported symbols, signature.

They are read by the layout of <mach-o/loader.h>, <mach-o/nlist.h> and <kern/cs_blobs.h>: nothing here can run it.
"""

import hashlib
import struct
from pathlib import Path

CPU = {0x01000007: "x86_64", 0x0100000C: "arm64"}
SYMTAB, LOAD_DYLIB, ID_DYLIB, CODE_SIGNATURE, BUILD_VERSION, VERSION_MIN = 0x2, 0xC, 0xD, 0x1D, 0x32, 0x24


class MachO:
    def __init__(self, file: Path):
        self.bytes = file.read_bytes()
        magic, cpu, _, self.kind, count, _, _, _ = struct.unpack_from("<8I", self.bytes)
        assert magic == 0xFEEDFACF, "not a Mach-O file of 64 bits"
        self.processor = CPU[cpu]
        self.commands = []
        at = 32
        for _ in range(count):
            command, size = struct.unpack_from("<2I", self.bytes, at)
            self.commands.append((command & 0x7FFFFFFF, at))
            at += size

    def places(self, command: int) -> list[int]:
        return [at for found, at in self.commands if found == command]

    def needed(self) -> set[str]:
        """The libraries that it loads."""
        return {self._text(at + struct.unpack_from("<I", self.bytes, at + 8)[0]) for at in self.places(LOAD_DYLIB)}

    def oldest_system(self) -> tuple[int, int]:
        """The version of macOS that it needs."""
        [at] = self.places(BUILD_VERSION) or self.places(VERSION_MIN)
        version = struct.unpack_from("<I", self.bytes, at + (12 if self.places(BUILD_VERSION) else 8))[0]
        return version >> 16, version >> 8 & 0xFF

    def exported(self) -> set[str]:
        """Visible symbols that the library defines, without the underscore of C."""
        [at] = self.places(SYMTAB)
        symbols, count, strings, _ = struct.unpack_from("<4I", self.bytes, at + 8)
        names = set()
        for i in range(count):
            name, kind, _, _, _ = struct.unpack_from("<IBBHQ", self.bytes, symbols + 16 * i)
            if kind & 0x01 and kind & 0x0E and not kind & 0xF0:  # external, defined, neither private nor for debuggers
                names.add(self._text(strings + name).removeprefix("_"))
        return names

    def signature(self) -> str | None:
        """"ad hoc" if the hashes of all pages are right, which arm64 requires of every library."""
        places = self.places(CODE_SIGNATURE)
        if not places:
            return None
        offset, _ = struct.unpack_from("<2I", self.bytes, places[0] + 8)
        magic, _, count = struct.unpack_from(">3I", self.bytes, offset)
        assert magic == 0xFADE0CC0, "not an embedded signature"
        [directory] = [
            offset + place
            for kind, place in (struct.unpack_from(">2I", self.bytes, offset + 12 + 8 * i) for i in range(count))
            if kind == 0
        ]
        magic, _, _, flags, hashes, _, _, slots, limit = struct.unpack_from(">9I", self.bytes, directory)
        size, kind, _, page = struct.unpack_from(">4B", self.bytes, directory + 36)
        assert magic == 0xFADE0C02 and kind == 2 and size == 32, "not a directory of SHA-256"
        for i in range(slots):
            content = self.bytes[i << page : min((i + 1) << page, limit)]
            begin = directory + hashes + size * i
            assert hashlib.sha256(content).digest() == self.bytes[begin : begin + size], f"page {i} is not the signed one"
        return "ad hoc" if flags & 2 else "signed"

    def _text(self, at: int) -> str:
        return self.bytes[at : self.bytes.index(b"\0", at)].decode()
