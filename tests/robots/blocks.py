"""A block of 2 × 1 × 0.5 m with a corner at the origin, as files of triangles."""

import struct

CORNERS = [(x, y, z) for x in (0, 2) for y in (0, 1) for z in (0, 0.5)]
SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
TRIANGLES = [t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))]


def stl_text() -> bytes:
    facets = (" facet normal 0 0 0\n  outer loop\n" + "".join(f"   vertex {CORNERS[i][0]} {CORNERS[i][1]} {CORNERS[i][2]}\n" for i in t) + "  endloop\n endfacet\n"
              for t in TRIANGLES)  # fmt: skip
    return ("solid block\n" + "".join(facets) + "endsolid block\n").encode()


def stl_binary() -> bytes:
    return b"solid but binary".ljust(80) + struct.pack("<I", len(TRIANGLES)) + b"".join(struct.pack("<12fH", 0, 0, 0, *(x for i in t for x in CORNERS[i]), 0) for t in TRIANGLES)


def obj() -> bytes:
    return ("".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS) + "".join("f " + " ".join(f"{i + 1}//1" for i in side) + "\n" for side in SIDES)).encode()
