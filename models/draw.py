#!/usr/bin/env python3
"""Draws the pictures of the models: models/<name>/<name>.png.

A sketch has drawing units of 100 pixels and is 9 units wide; each figure scales the mechanism with `at`.
"""

import argparse
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
import numpy as np

HERE = Path(__file__).resolve().parent
INK, BODY, FILL, FORCE, MEASURE = "#1a1a1a", "#2b5d8c", "#d6e4f0", "#b3261e", "#5f6b76"
WIDTH = 9

plt.rcParams.update({"font.size": 14, "mathtext.fontset": "stix", "font.family": "STIXGeneral"})


# ---------------------------------------------------------------------------- helpers


def sheet(height):
    """A white sheet of 9 × height drawing units without axes, its origin at the lower left."""
    figure = plt.figure(figsize=(WIDTH, height), dpi=100)
    ax = figure.add_axes((0, 0, 1, 1), xlim=(0, WIDTH), ylim=(0, height))
    ax.axis("off")
    return ax


def scaled(origin, scale):
    """The map from the coordinates of a mechanism to the sheet."""
    return lambda p: np.asarray(origin) + scale * np.asarray(p, dtype=float)


def spatial(origin, scale, azimuth, elevation):
    """The map from points in space to the sheet, in parallel projection."""
    view = np.array([*np.cos(elevation) * direction(azimuth), np.sin(elevation)])
    right = np.array([*turned(direction(azimuth)), 0])
    up = np.cross(view, right)
    return lambda p: np.asarray(origin) + scale * np.array([right @ p, up @ p])


def direction(a):
    return np.array([np.cos(a), np.sin(a)])


def turned(v):
    """v turned by a quarter, counter-clockwise."""
    return np.array([-v[1], v[0]])


def unit(v):
    return v / np.linalg.norm(v)


def line(ax, *points, color=INK, width=1.5, **style):
    ax.plot(*np.transpose(points), color=color, lw=width, solid_capstyle="round", **style)


def reference(ax, *points):
    """A thin dashed line to measure from."""
    line(ax, *points, color=MEASURE, width=0.9, dashes=(5, 3), zorder=1)


def extension(ax, *points):
    """A thin line from a body to a dimension line."""
    line(ax, *points, color=MEASURE, width=0.8)


def text(ax, p, words, color=INK, size=17, **style):
    ax.text(*p, words, color=color, fontsize=size, **{"ha": "center", "va": "center", "zorder": 10, **style})


def arrow(ax, p, q, words="", shift=(0, 0), color=FORCE, style="-|>", width=2.0):
    """From p to q, the words beside the tip."""
    ax.annotate("", xy=q, xytext=p, zorder=6,
                arrowprops={"arrowstyle": f"{style},head_width=0.22,head_length=0.5", "color": color,
                            "lw": width, "shrinkA": 0, "shrinkB": 0, "mutation_scale": 16})
    text(ax, np.add(q, shift), words, color)


def dimension(ax, p, q, words, shift=(0, 0)):
    """A measured length between p and q."""
    arrow(ax, p, q, color=MEASURE, style="<|-|>", width=1.0)
    text(ax, np.add(p, q) / 2 + shift, words, MEASURE)


def curve_arrow(ax, points, words="", at=None, color=MEASURE, width=1.2):
    """A curve with an arrow head at its end."""
    points = np.asarray(points)
    line(ax, *points[:-1], color=color, width=width, zorder=6)
    arrow(ax, points[-3], points[-1], color=color, width=width)
    if words:
        text(ax, at, words, color)


def angle(ax, centre, radius, start, end, words, shift=0.27, color=MEASURE, width=1.2):
    """An angle from start to end, in radians; the words stand outside the middle of its arc."""
    arc = [centre + radius * direction(a) for a in np.linspace(start, end, 40)]
    middle = centre + (radius + shift) * direction((start + end) / 2)
    curve_arrow(ax, arc, words, middle, color, width)


def ground(ax, p, width=1.0, normal=(0, 1)):
    """A hatched surface through p."""
    normal = unit(np.asarray(normal, dtype=float))
    along = -turned(normal)
    p = np.asarray(p, dtype=float)
    line(ax, p - width / 2 * along, p + width / 2 * along, zorder=2)
    for s in np.arange(-width / 2 + 0.1, width / 2 + 0.01, 0.14):
        line(ax, p + s * along, p + (s - 0.13) * along - 0.15 * normal, width=0.9, zorder=2)


def pin(ax, p, radius=0.09):
    ax.add_patch(plt.Circle(p, radius, fc="white", ec=INK, lw=1.6, zorder=8))


def fixed_pin(ax, p, normal=(0, 1)):
    """A joint on the ground."""
    normal = unit(np.asarray(normal, dtype=float))
    foot = np.asarray(p) - 0.36 * normal
    ax.add_patch(plt.Polygon([p, foot + 0.22 * turned(normal), foot - 0.22 * turned(normal)],
                             fc="white", ec=INK, lw=1.5, zorder=2))
    ground(ax, foot, 0.75, normal)
    pin(ax, p)


def bar(ax, p, q, width=0.24, zorder=4):
    """A rigid link with round ends."""
    p, q = np.asarray(p), np.asarray(q)
    heading = np.arctan2(*(q - p)[::-1])
    ends = [(q, -np.pi / 2), (p, np.pi / 2)]
    outline = [c + width / 2 * direction(heading + a) for c, first in ends
               for a in first + np.linspace(0, np.pi, 20)]
    ax.add_patch(plt.Polygon(outline, fc=FILL, ec=BODY, lw=1.6, zorder=zorder))


def block(ax, centre, width, height):
    ax.add_patch(plt.Rectangle(np.subtract(centre, (width / 2, height / 2)), width, height,
                               fc=FILL, ec=BODY, lw=1.6, zorder=4))


def mass(ax, p, radius=0.2):
    ax.add_patch(plt.Circle(p, radius, fc=FILL, ec=BODY, lw=1.8, zorder=5))


def centre_mark(ax, p):
    """The centre of mass of a body."""
    ax.plot(*p, marker="o", ms=5, color=BODY, zorder=9)


def spring(ax, p, q, turns=6, width=0.16):
    p, q = np.asarray(p, dtype=float), np.asarray(q, dtype=float)
    along = q - p
    across = width * turned(unit(along))
    zigzag = [p + (0.2 + 0.6 * (i + 0.5) / (2 * turns)) * along + (-1) ** i * across for i in range(2 * turns)]
    line(ax, p, p + 0.2 * along, *zigzag, q - 0.2 * along, q, zorder=3)


def axes_cross(ax, origin, x="$x$", y="$y$", size=0.8):
    origin = np.asarray(origin, dtype=float)
    arrow(ax, origin, origin + (size, 0), x, (0.2, 0), INK, width=1.2)
    arrow(ax, origin, origin + (0, size), y, (0, 0.2), INK, width=1.2)


def gravity(ax, p, words="$g$"):
    arrow(ax, p, np.subtract(p, (0, 0.75)), words, (0.25, 0.1))


# ---------------------------------------------------------------------------- mechanisms


def pendulum():
    ax = sheet(5.2)
    at = scaled((4.7, 4.3), 3.4)
    where = np.radians(-58)
    origin, bob, start = at((0, 0)), at(direction(where)), at((-1, 0))
    reference(ax, origin, *[at(direction(a)) for a in np.linspace(-np.pi, where, 60)])
    ax.add_patch(plt.Circle(start, 0.2, fc="white", ec=MEASURE, lw=1.2, ls="--", zorder=5))
    text(ax, start + (-0.1, 0.42), "start", MEASURE, 15)

    fixed_pin(ax, origin, normal=(0, -1))
    text(ax, origin + (0.5, 0), "$(0, 0)$")
    axes_cross(ax, (0.5, 0.5))
    line(ax, origin, bob, color=BODY, width=3, zorder=3)
    mass(ax, bob, 0.24)
    text(ax, bob, "$m$")
    beside = 0.35 * turned(direction(where))
    text(ax, (origin + bob) / 2 + beside, "$l$", MEASURE)
    arrow(ax, bob - 0.24 * direction(where), bob - 1.2 * direction(where))
    text(ax, bob - 0.9 * direction(where) - 0.95 * beside, r"$\lambda$", FORCE)
    arrow(ax, bob + (0.24, 0), bob + (1.2, 0), "$F$", (0.25, 0))
    arrow(ax, bob - (0, 0.24), bob - (0, 1.0), "$m g$", (0.42, 0.05))
    text(ax, bob + (0.62, 0.38), "$(x, y)$")


def slider_crank():
    l1, l2 = 0.3, 0.6
    relaxed, stretch = 0.36, 0.05  # the spring in the picture: the model does not need its length
    ax = sheet(4.9)
    at = scaled((1.35, 1.8), 6.1)
    theta1 = np.radians(62)
    theta2 = -np.arcsin(l1 / l2 * np.sin(theta1))
    hinge = l1 * direction(theta1)
    slider = hinge + l2 * direction(theta2)
    O, H, S, W = map(at, ((0, 0), hinge, slider, slider + (relaxed + stretch, 0)))

    fixed_pin(ax, O)
    block(ax, S, 0.9, 0.56)
    block(ax, W, 0.9, 0.56)
    ground(ax, (S + W) / 2 - (0, 0.28), W[0] - S[0] + 1.5)
    spring(ax, S + (0.45, 0), W - (0.45, 0), turns=5)
    for p, q in ((O, H), (H, S)):
        bar(ax, p, q)
        centre_mark(ax, (p + q) / 2)
    pin(ax, H)
    pin(ax, S)

    text(ax, (O + H) / 2 + (-0.65, 0.18), "$(x_1, y_1)$")
    text(ax, O + 0.8 * (H - O) + (-0.52, 0.2), "$m_1, l_1$", MEASURE)
    text(ax, H + (0.9, 0.36), "$(x_5, y_5)$ hinge point")
    text(ax, (H + S) / 2 + (-0.55, -0.33), "$(x_2, y_2)$")
    text(ax, H + 0.7 * (S - H) + (0.45, 0.3), "$m_2, l_2$", MEASURE)
    text(ax, S + (0.28, -0.13), "$m_3$", BODY)
    text(ax, W, "$m_4$", BODY)
    text(ax, (S + W) / 2 + (0, 0.42), "stiffness", MEASURE, 15)

    reference(ax, O, S - (0.45, 0))
    angle(ax, O, 0.75, 0, theta1, r"$\theta_1$")
    reference(ax, H, H + (1.7, 0))
    angle(ax, H, 1.4, 0, theta2, r"$\theta_2 < 0$", 0.55)
    angle(ax, O, 0.5, np.radians(95), np.radians(200), "", color=FORCE, width=2.0)
    text(ax, O + (-0.83, 0.1), "torque", FORCE, 15)
    axes_cross(ax, (7.6, 3.7))

    # x₃ from the ground pin; x₄ from the place of the mass with the slider at 0 and the spring
    # relaxed
    upper, lower = 0.85, 0.4
    zero = at((relaxed, 0))[0]
    for x, top, bottom in ((O[0], O[1] - 0.55, upper), (S[0], S[1] - 0.47, upper), (W[0], W[1] - 0.47, lower),
                           (zero, upper, lower)):
        extension(ax, (x, top), (x, bottom - 0.12))
    dimension(ax, (O[0], upper), (S[0], upper), "$x_3$", (0, 0.22))
    dimension(ax, (zero, lower), (W[0], lower), "$x_4$", (1.2, 0.22))
    text(ax, (zero - 0.12, lower), "mass 4 is here when $x_3 = 0$\nand the spring is relaxed", MEASURE, 13, ha="right")


def flexible_slider_crank():
    l1, l2 = 0.15, 0.30
    ax = sheet(4.4)
    at = scaled((1.5, 1.7), 14.0)
    phi1 = np.radians(65)
    phi2 = -np.arcsin(l1 / l2 * np.sin(phi1))
    hinge = l1 * direction(phi1)
    slider = hinge + l2 * direction(phi2)
    O, H, S = map(at, ((0, 0), hinge, slider))
    # the rod with its bending, much enlarged
    s = np.linspace(0, 1, 60)[:, None]
    middle = H + s * (S - H) + (0.5 * np.sin(np.pi * s) + 0.1 * np.sin(2 * np.pi * s)) * -turned(unit(S - H))
    normal = np.gradient(middle, axis=0)
    normal = np.array([turned(unit(n)) for n in normal])
    outline = np.vstack([middle + 0.09 * normal, (middle - 0.09 * normal)[::-1]])
    ax.add_patch(plt.Polygon(outline, fc=FILL, ec=BODY, lw=1.6, zorder=6))
    reference(ax, H, S)

    fixed_pin(ax, O)
    block(ax, S, 0.9, 0.56)
    ground(ax, S - (0, 0.28), 2.4)
    bar(ax, O, H)
    pin(ax, H)
    pin(ax, S)
    text(ax, O + 0.6 * (H - O) + (-0.35, 0.15), "$l_1$", MEASURE)
    text(ax, H + 0.72 * (S - H) + (0.45, 0.2), "$l_2 + q_4$", MEASURE)
    k = len(s) // 2
    dimension(ax, H + 0.5 * (S - H), middle[k], "$q_1 < 0$", (-0.75, -0.3))
    text(ax, S + (0, 0.5), "$m_3$", BODY)
    angle(ax, O, 0.75, 0, phi1, r"$\varphi_1 = \Omega t$", 0.5)
    reference(ax, H, H + (1.7, 0))
    angle(ax, H, 1.45, 0, phi2, r"$\varphi_2$", 0.3)
    low = 0.75
    for x, top in ((O[0], O[1] - 0.55), (S[0], S[1] - 0.45)):
        extension(ax, (x, top), (x, low - 0.12))
    dimension(ax, (O[0], low), (S[0], low), "$x_3$", (0, 0.22))
    axes_cross(ax, (7.4, 3.0))


def crank_and_coupler(ax, O, F, P):
    """Bodies 1 and 2 of the squeezing mechanism."""
    fixed_pin(ax, O)
    bar(ax, O, F, 0.36)
    bar(ax, F, P, zorder=5)
    text(ax, (O + F) / 2 + 0.38 * turned(unit(F - O)), "1", BODY, 15)
    text(ax, 0.25 * F + 0.75 * P, "2", BODY, 13)
    for p, shift, name in ((O, (0.55, -0.38), "O"), (F, (0.32, 0.0), "F"), (P, (0.28, 0.25), "P")):
        pin(ax, p)
        text(ax, p + shift, f"${name}$")


def squeezing_points():
    """Initial angles β Θ γ Φ δ Ω ε and the points O A B C D E F H P of Andrews' mechanism."""
    angles = beta, theta, gamma, phi, delta, omega, epsilon = (
        -0.0617138900142764, 0, 0.455279819163070, 0.222668390165886, 0.487364979543843, -0.222668390165886,
        1.23054744454982)
    d, e, rr, ss, sc, sd, u, zf, zt = 0.028, 0.02, 0.007, 0.035, 0.018, 0.02, 0.04, 0.02, 0.04
    down = -np.pi / 2
    O, A, B, C = np.array(((0, 0), (-0.06934, -0.00227), (-0.03635, 0.03273), (0.014, 0.072)))
    F = rr * direction(beta)
    P = F - d * direction(beta + theta)
    D = B + sd * direction(gamma) + sc * direction(gamma + down)
    E = A + zt * direction(delta)
    H = A + u * direction(epsilon + down)
    ends = (B + ss * direction(gamma + down), E + e * direction(phi + delta + down),
            H + zf * direction(omega + epsilon))
    assert np.allclose(ends, P, atol=1e-12), "the three loops do not close"
    return angles, (O, A, B, C, D, E, F, H, P)


def andrews():
    angles, points = squeezing_points()
    beta, theta, gamma, phi, delta, omega, epsilon = angles
    d, rr = 0.028, 0.007
    down = -np.pi / 2

    ax = sheet(8.0)
    scale = 75
    at = scaled((7.0, 1.85), scale)
    O, A, B, C, D, E, F, H, P = map(at, points)

    fixed_pin(ax, A, normal=(1, 0))
    fixed_pin(ax, B, normal=(0, -1))
    fixed_pin(ax, C, normal=(0, -1))
    ax.add_patch(plt.Polygon([B, P, D], closed=True, fc=FILL, ec=BODY, lw=1.8, joinstyle="round", zorder=3))
    for p, q, number in ((E, P, 4), (A, E, 5), (H, P, 6), (A, H, 7)):
        bar(ax, p, q)
        text(ax, (p + q) / 2, str(number), BODY, 13)
    text(ax, (B + P + D) / 3, "3", BODY, 15)
    crank_and_coupler(ax, O, F, P)
    spring(ax, C, D, turns=7)
    for p in (D, E, H):
        pin(ax, p)
    for p, shift, name in ((A, (-0.02, 0.32), "A"), (B, (-0.3, 0.0), "B"), (C, (0.3, 0.0), "C"), (D, (0.3, -0.08), "D"),
                           (E, (-0.3, 0.2), "E"), (H, (-0.05, -0.35), "H")):
        text(ax, p + shift, f"${name}$")
    text(ax, (C + D) / 2 + (0.7, -0.1), "$c_0, l_0$", MEASURE)
    angle(ax, O, 0.95, np.radians(-50), np.radians(45), "torque", 0.42, FORCE, 2.0)

    # δ from x; γ and ε from −y; Φ and Ω from the right angle to the arm before
    for p, start, turn, radius, words, shift in (
            (A, 0, delta, 1.3, r"$\delta$", (0.2, 0)), (A, down, epsilon, 0.75, r"$\epsilon$", (0.13, -0.2)),
            (B, down, gamma, 0.85, r"$\gamma$", (-0.4, 0.35)), (E, delta + down, phi, 1.0, r"$\Phi$", (-0.3, -0.15)),
            (H, epsilon, omega, 1.0, r"$\Omega$", (-0.25, 0.2))):
        reference(ax, p, p + (radius + 0.12) * direction(start))
        angle(ax, p, radius, start, start + turn, "")
        text(ax, p + radius * direction(start + turn / 2) + shift, words, MEASURE)

    # bodies 1 and 2, which coincide at t = 0, in another position and larger
    beta, theta, scale = np.radians(62), np.radians(-82), 1.5 * scale
    O = np.array((3.0, 5.1))
    F = O + scale * rr * direction(beta)
    crank_and_coupler(ax, O, F, F - scale * d * direction(beta + theta))
    reference(ax, O, O + (0.75, 0))
    angle(ax, O, 0.5, 0, beta, r"$\beta$", 0.2)
    for a in (beta, beta + theta):
        reference(ax, F, F + 1.0 * direction(a))
    angle(ax, F, 0.8, beta, beta + theta, r"$\Theta < 0$", 0.48)
    text(ax, F + (0.3, 1.3), "bodies 1 and 2 turned,\n1.5 times larger", MEASURE, 14)


def car_axis():
    length, r = 1, 0.1
    ax = sheet(5.6)
    at = scaled((1.45, 1.75), 5.6)
    tilt = np.arcsin(r / length)
    along, across = direction(tilt), turned(direction(tilt))
    Q, R = at((0, 0)), at(length * along)
    left, right = at(0.46 * across), at(0.46 * across + length * direction(np.radians(1.5)))

    fixed_pin(ax, Q)
    block(ax, R - (0, 0.27), 0.75, 0.36)
    pin(ax, R)
    spring(ax, Q, left)
    spring(ax, R, right)
    bar(ax, left, right, 0.22)
    mass(ax, left)
    mass(ax, right)

    # the left spring is perpendicular to the line between the two points of the road
    reference(ax, Q, R)
    reference(ax, Q, (7.75, Q[1]))
    extension(ax, Q + 0.3 * along, Q + 0.3 * (along + across), Q + 0.3 * across)
    dimension(ax, (Q[0], Q[1] - 0.8), (R[0], Q[1] - 0.8), "$x_b$", (0, -0.25))
    extension(ax, (Q[0], Q[1] - 0.6), (Q[0], Q[1] - 0.92))
    extension(ax, (R[0], R[1] - 0.5), (R[0], Q[1] - 0.92))
    dimension(ax, (R[0] + 0.55, Q[1]), (R[0] + 0.55, R[1]), "")
    extension(ax, R + (0.12, 0), R + (0.68, 0))
    text(ax, (R[0] + 0.72, (Q[1] + R[1]) / 2), r"$y_b = r\,\sin\,\omega t$", FORCE, ha="left")

    text(ax, left + (0, 0.42), "$(x_l, y_l)$")
    text(ax, right + (0, 0.42), "$(x_r, y_r)$")
    text(ax, left + (-0.55, 0), "$M/2$", BODY)
    text(ax, right + (0.55, 0), "$M/2$", BODY)
    text(ax, (left + right) / 2 + (0, 0.33), "$L$", MEASURE)
    text(ax, (Q + R) / 2 + (0, 0.28), "$L$", MEASURE)
    text(ax, (Q + left) / 2 + (-0.5, 0), "$L_l$", MEASURE)
    text(ax, (R + right) / 2 + (0.5, 0), "$L_r$", MEASURE)
    text(ax, Q + (-0.6, 0), "$(0, 0)$")
    axes_cross(ax, (0.4, 0.4), size=0.6)
    gravity(ax, (4.5, 3.9))


def rolling_disk():
    lean, heading, azimuth, elevation = np.radians((26, 35, -112, 24))
    ax = sheet(6.4)

    at = spatial((4.3, 1.75), 1.9, azimuth, elevation)

    def arc(centre, a, b, radius, start, end):
        """The points at angles from start to end, counted from a towards b."""
        return [at(centre + radius * (np.cos(s) * a + np.sin(s) * b)) for s in np.linspace(start, end, 60)]

    x, y, z = np.eye(3)
    h = np.array([*direction(heading), 0])           # heading
    left = np.array([*turned(h[:2]), 0])
    u = np.sin(lean) * left + np.cos(lean) * z       # from the contact point to the centre
    n = np.cross(h, u)                               # axle: y₅ turns h towards u
    contact, centre = np.zeros(3), u

    corners = (-1.45 * x - 1.0 * y, 2.1 * x - 1.0 * y, 2.1 * x + 2.2 * y, -1.45 * x + 2.2 * y)
    ax.add_patch(plt.Polygon([at(p) for p in corners], fc="#f4f2ec", ec="#bdb8a8", lw=1.0, zorder=0))
    ax.add_patch(plt.Polygon(arc(centre, h, u, 1, 0, 2 * np.pi), fc=FILL, ec=BODY, lw=2.6, alpha=0.85, zorder=3))
    # the trace of the contact point, a curve to the left
    path = arc(2.2 * left, -left, h, 2.2, -0.75, 0)
    line(ax, *path, color=BODY, width=1.4, linestyle=(0, (1, 2)), zorder=1)

    corner = -1.45 * x - 1.0 * y
    for axis, words, shift in ((x, "$x$", (0.2, 0)), (y, "$y$", (0.05, 0.22)), (z, "$z$", (0, 0.22))):
        arrow(ax, at(corner), at(corner + 0.6 * axis), words, shift, INK, width=1.2)
    gravity(ax, (8.2, 5.6))

    for top in (2.35 * z, 2.35 * u):
        reference(ax, at(contact), at(top))
    line(ax, at(contact), at(centre), color=MEASURE, width=1.4, zorder=5)
    text(ax, at(0.5 * u) + (-0.2, -0.1), "$r$", MEASURE)
    curve_arrow(ax, arc(contact, z, left, 2.2, 0, lean), r"$\theta = y_3$", at(2.35 * z) + (0.1, 0.2))
    reference(ax, at(contact), at(1.3 * x))
    arrow(ax, at(contact), at(1.5 * h), "heading", (0.5, 0.12), BODY)
    curve_arrow(ax, arc(contact, x, y, 0.9, 0, heading), r"$\phi = y_4$", at(0.9 * x) + (0.15, -0.25))
    arrow(ax, at(centre), at(centre + 0.95 * n), "axle", (0.35, 0), BODY)
    curve_arrow(ax, arc(centre, h, u, 0.55, -0.2, 2.4), r"$y_5$", at(centre + 0.72 * u) + (-0.3, -0.05), FORCE, 2.0)
    pin(ax, at(centre), 0.07)
    ax.plot(*at(contact), "o", ms=8, color=INK, zorder=9)
    text(ax, at(contact) + (0.35, -0.38), "$(x, y) = (y_1, y_2)$")


def slider_crank_bodies():
    l1, l2, relaxed = 0.3, 0.6, 0.3
    ax = sheet(4.4)
    at = scaled((1.35, 1.2), 6.6)
    theta1 = np.radians(62)
    theta2 = -np.arcsin(l1 / l2 * np.sin(theta1))
    hinge = l1 * direction(theta1)
    slider = hinge + l2 * direction(theta2)
    O, H, S, W = map(at, ((0, 0), hinge, slider, slider + (relaxed, 0)))

    fixed_pin(ax, O)
    block(ax, S, 0.9, 0.56)
    mass(ax, W, 0.26)
    ground(ax, (S + W) / 2 - (0, 0.28), W[0] - S[0] + 1.5)
    spring(ax, S + (0.45, 0), W - (0.26, 0), turns=5)
    for p, q, words, shift in ((O, H, "crank", (-0.5, 0.15)), (H, S, "rod", (0.3, 0.25))):
        bar(ax, p, q)
        centre_mark(ax, (p + q) / 2)
        text(ax, (p + q) / 2 + shift, words, BODY, 15)
    for p, words, shift in ((O, "pin", (0, -0.75)), (H, "hinge", (0.5, 0.25)), (S, "wrist", (0.1, 0.5))):
        pin(ax, p)
        text(ax, p + shift, words, size=15)
    text(ax, S + (0.28, -0.13), "$m_3$", BODY)
    text(ax, W, "$m_4$", BODY)
    text(ax, S - (0, 0.62), "guide", size=15)
    text(ax, W - (0, 0.62), "rail", size=15)
    text(ax, (S + W) / 2 + (0.1, 0.42), "spring", MEASURE, 15)
    reference(ax, O, S - (0.45, 0))
    angle(ax, O, 0.75, 0, theta1, r"$\theta_1$")
    angle(ax, O, 0.5, np.radians(95), np.radians(200), "", color=FORCE, width=2.0)
    text(ax, O + (-0.83, 0.1), "torque", FORCE, 15)
    axes_cross(ax, (7.6, 3.2))


def andrews_bodies():
    """Every body with its name and the place of its centre of mass, every joint with its name."""
    angles, points = squeezing_points()
    beta, theta, gamma, phi, delta, omega, epsilon = angles
    ax = sheet(8.0)
    at = scaled((7.0, 1.85), 75)
    O, A, B, C, D, E, F, H, P = points

    def beyond(p, a, x, y=0):
        return p + x * direction(a) + y * turned(direction(a))

    centres = map(at, (beyond(O, beta, .00092), beyond(F, beta + theta, -.0115), beyond(B, gamma, .01043, -.01874),
                       beyond(E, phi + delta, 0, .01421 - .02), beyond(A, delta, .02308, .00916),
                       beyond(H, omega + epsilon, .02 - .01421), beyond(A, epsilon, -.00449, -.01228)))
    O, A, B, C, D, E, F, H, P = map(at, points)
    fixed_pin(ax, O)
    fixed_pin(ax, A, normal=(1, 0))
    fixed_pin(ax, B, normal=(0, -1))
    fixed_pin(ax, C, normal=(0, -1))
    ax.add_patch(plt.Polygon([B, P, D], closed=True, fc=FILL, ec=BODY, lw=1.8, joinstyle="round", zorder=3))
    for p, q in ((E, P), (A, E), (H, P), (A, H), (F, P)):
        bar(ax, p, q)
    bar(ax, O, F, 0.36, zorder=5)
    spring(ax, C, D, turns=7)
    shifts = ((0.15, 0.4), (-0.1, 0.38), (-0.1, 0.25), (-0.3, -0.2), (-0.3, 0.1), (0.42, -0.12), (-0.35, 0))
    for k, (centre, shift) in enumerate(zip(centres, shifts), 1):
        centre_mark(ax, centre)
        text(ax, centre + shift, f"$K_{k}$", BODY, 15)
    for p, shift, name in ((O, (-0.45, -0.38), "O"), (F, (0.32, 0.0), "F"), (A, (-0.05, 0.36), "A"),
                           (B, (-0.3, 0.0), "B"), (C, (0.3, 0.0), "C"), (D, (0.3, -0.08), "D"), (E, (-0.3, 0.2), "E"),
                           (H, (-0.05, -0.35), "H"), (P, (0.12, -0.32), "P")):
        pin(ax, p)
        text(ax, p + shift, f"${name}$")
    text(ax, (C + D) / 2 + (0.75, -0.1), "spring", MEASURE, 15)
    angle(ax, O, 0.95, np.radians(-50), np.radians(45), "torque", 0.42, FORCE, 2.0)
    axes_cross(ax, (0.6, 6.8))


def pendulum_bodies():
    ax = sheet(4.4)
    for x, words in ((2.4, "point mass, joint of\nconstant distance"),
                     (6.6, "body with its mass at the end,\nrevolute joint")):
        where = np.radians(-62)
        origin = np.array((x - 0.6, 3.6))
        bob = origin + 2.5 * direction(where)
        fixed_pin(ax, origin, normal=(0, -1))
        if x < 4:
            reference(ax, origin, bob)
        else:
            bar(ax, origin, bob, 0.2)
            pin(ax, origin)
        mass(ax, bob, 0.26)
        text(ax, bob, "$m$")
        text(ax, (origin + bob) / 2 + 0.35 * turned(direction(where)), "$l$", MEASURE)
        text(ax, (x - 0.1, 0.55), words, MEASURE, 15)
    gravity(ax, (4.6, 2.9))


def four_bar_chain_bodies():
    ax = sheet(4.2)
    at = scaled((2.3, 1.05), 2.1)
    lean = 0.35 * direction(0)
    feet = [at((k, 0)) for k in range(3)]
    tops = [at((k, 0)) + 2.1 * direction(np.radians(80)) for k in range(3)]
    for k, (foot, top) in enumerate(zip(feet, tops)):
        fixed_pin(ax, foot)
        bar(ax, foot, top)
        pin(ax, foot)
        text(ax, foot - (0, 0.7), f"foot{k}", size=15)
    for p, q in zip(tops, tops[1:]):
        bar(ax, p, q)
    for k, top in enumerate(tops):
        pin(ax, top)
        arrow(ax, top + (0, 0.3), top + (0, 0.3) + 2 * lean, "$v$" if k == 0 else "", (0.2, 0.1))
    text(ax, (feet[0] + tops[0]) / 2 + (-0.65, 0.1), "column0", BODY, 15)
    text(ax, (tops[0] + tops[1]) / 2 - (0, 0.32), "beam0", BODY, 15)
    text(ax, tops[0] + (-0.4, 0), "top", size=15)
    axes_cross(ax, (7.9, 0.5))
    gravity(ax, (8.2, 3.6))


def cart_pole():
    ax = sheet(4.8)
    at = scaled((4.0, 1.5), 2.7)
    where = np.radians(90 - 22)
    hinge, tip = at((0, 0)), at(direction(where))
    ground(ax, hinge - (0, 0.66), 7.6)
    block(ax, hinge - (0, 0.1), 1.7, 0.7)
    for x in (-0.5, 0.5):
        mass(ax, hinge + (x, -0.53), 0.13)
    bar(ax, hinge, tip, 0.2, zorder=5)
    centre_mark(ax, (hinge + tip) / 2)
    pin(ax, hinge)
    reference(ax, hinge, hinge + (0, 2.6))
    angle(ax, hinge, 2.2, np.pi / 2, where, "angle", 0.25)
    arrow(ax, hinge + (-2.6, -0.1), hinge + (-0.85, -0.1))
    text(ax, hinge + (-1.7, 0.15), "force", FORCE, 15)
    text(ax, hinge + (0.5, -0.15), "cart", BODY, 15)
    text(ax, (hinge + tip) / 2 + (0.45, 0), "pole", BODY, 15)
    text(ax, hinge + (-0.5, 0.0), "hinge", size=15)
    text(ax, hinge + (2.6, -0.45), "rail", size=15)
    start = hinge - (2.9, 0)
    extension(ax, start - (0, 0.6), start - (0, 1.25))
    extension(ax, hinge - (0, 0.75), hinge - (0, 1.25))
    dimension(ax, start - (0, 1.13), hinge - (0, 1.13), "position", (0, -0.22))
    axes_cross(ax, (0.5, 3.3))
    gravity(ax, (8.2, 4.2))


def four_bar():
    """The position at t = 0: the crank upright."""
    a, b, c, d = 0.2, 0.5, 0.4, 0.5  # crank, coupler, rocker, base
    ax = sheet(4.9)
    at = scaled((1.6, 1.25), 6.2)
    BD = np.hypot(a, d)
    psi = np.arctan2(a, -d) - np.arccos((BD**2 + c**2 - b**2) / (2 * BD * c))
    A, B, D = np.array(((0, 0), (0, a), (d, 0)))
    C = D + c * direction(psi)
    A, B, C, D, S = map(at, (A, B, C, D, (2 * d, c)))
    line(ax, *[A + 6.2 * a * direction(s) for s in np.linspace(-0.2, 3.1, 60)], color=MEASURE, width=0.9,
         linestyle=(0, (5, 3)))
    fixed_pin(ax, A)
    fixed_pin(ax, D)
    ground(ax, S, 0.8, normal=(-1, 0))
    spring(ax, C, S, turns=8)
    for p, q, words, shift in ((A, B, "crank", (-0.5, 0.1)), (B, C, "coupler", (-0.2, 0.35)),
                               (C, D, "rocker", (0.55, 0))):
        bar(ax, p, q)
        centre_mark(ax, (p + q) / 2)
        text(ax, (p + q) / 2 + shift, words, BODY, 15)
    for p, name, shift in ((A, "$A$", (-0.3, 0)), (B, "$B$", (-0.25, 0.25)), (C, "$C$", (0, 0.32)),
                           (D, "$D$", (-0.3, 0))):
        pin(ax, p)
        text(ax, p + shift, name)
    text(ax, (C + S) / 2 + (0, 0.42), "tie", MEASURE, 15)
    reference(ax, A, D + (1.6, 0))
    angle(ax, A, 0.85, 0, np.pi / 2, "")
    text(ax, A + (0.8, 0.62), r"$\varphi$", MEASURE)
    angle(ax, D, 0.85, 0, psi, r"$\psi$")
    angle(ax, A, 0.45, np.radians(-200), np.radians(-45), "", color=FORCE, width=2.0)
    text(ax, A + (-0.95, -0.4), "torque", FORCE, 15)
    axes_cross(ax, (7.4, 0.5))
    gravity(ax, (8.4, 4.6))


def spatial_axes(ax, at, p, size):
    """The axes of the world, drawn at the point p of space."""
    for axis, words, shift in zip(np.eye(3), ("$x$", "$y$", "$z$"), ((0.2, 0), (0.12, 0.16), (0, 0.22))):
        arrow(ax, at(p), at(p + size * axis), words, shift, INK, width=1.2)


def circle(at, centre, a, b, radius, start=0.0, end=2 * np.pi):
    """The points on the sheet of an arc in space, counted from a towards b."""
    return [at(centre + radius * (np.cos(s) * a + np.sin(s) * b)) for s in np.linspace(start, end, 60)]


def spatial_four_bar():
    ax = sheet(5.6)
    at = spatial((2.0, 1.5), 8.2, np.radians(-62), np.radians(24))
    A, B, C, D, S = np.array(((0, 0, 0), (0, 0.15, 0), (0.5, 0.05, 0.3), (0.5, 0.05, 0), (0.8, 0.05, 0.3)))
    x, y, z = np.eye(3)
    line(ax, *circle(at, A, x, y, 0.15), color=MEASURE, width=0.9, linestyle=(0, (5, 3)))
    line(ax, *circle(at, D, z, x, 0.3, -0.9, 1.3), color=MEASURE, width=0.9, linestyle=(0, (5, 3)))
    reference(ax, at(A - 0.09 * z), at(A + 0.17 * z))
    reference(ax, at(D - 0.12 * y), at(D + 0.16 * y))
    ground(ax, at(A - 0.09 * z), 0.8)
    ground(ax, at(D) - (0, 0.36), 0.8)
    line(ax, at(D), at(D) - (0, 0.36), width=3)
    line(ax, at(A), at(A - 0.09 * z), width=3)
    ground(ax, at(S), 0.8, normal=(-1, 0))
    spring(ax, at(C), at(S), turns=7)
    for p, q, words, shift in ((A, B, "crank", (-0.45, 0.12)), (B, C, "coupler", (-0.3, 0.3)),
                               (C, D, "rocker", (0.5, -0.1))):
        bar(ax, at(p), at(q))
        text(ax, (at(p) + at(q)) / 2 + shift, words, BODY, 15)
    for p, words, shift in ((A, "$A$ revolute", (0.85, -0.3)), (B, "$B$ spherical", (0.35, -0.38)),
                            (C, "$C$ universal", (-0.2, 0.35)), (D, "$D$ revolute", (0.9, 0.08))):
        pin(ax, at(p))
        text(ax, at(p) + shift, words, size=15)
    text(ax, (at(C) + at(S)) / 2 + (0, 0.42), "spring", MEASURE, 15)
    curve_arrow(ax, circle(at, A + 0.14 * z, x, y, 0.05, -2.6, 2.2), "torque, $\\phi$", at(A + 0.14 * z) + (-0.75, 0.2),
                FORCE, 2.0)
    curve_arrow(ax, circle(at, D - 0.1 * y, z, x, 0.05, -2.6, 2.2), "$\\psi$", at(D - 0.1 * y) + (-0.3, -0.45))
    spatial_axes(ax, at, np.array((-0.17, -0.1, 0.38)), 0.1)
    gravity(ax, (8.3, 5.2))


def rolling_wheel():
    """The wheel on its steady circle, at t = 0."""
    lean, radius, spin_radius = 0.3, 1.0, 1.14540420442
    ax = sheet(5.6)
    at = spatial((4.5, 1.5), 1.7, np.radians(-142), np.radians(24))
    x, y, z = np.eye(3)
    middle = spin_radius * y
    corners = (-1.5 * x - 0.7 * y, 2.2 * x - 0.7 * y, 2.2 * x + 2.9 * y, -1.5 * x + 2.9 * y)
    ax.add_patch(plt.Polygon([at(p) for p in corners], fc="#f4f2ec", ec="#bdb8a8", lw=1.0, zorder=0))
    line(ax, *circle(at, middle, x, y, spin_radius), color=BODY, width=1.4, linestyle=(0, (1, 2)), zorder=1)
    contact = np.zeros(3)
    heading, left = x, y
    up = np.sin(lean) * left + np.cos(lean) * z
    axle = np.cross(heading, up)
    centre = contact + radius * up
    ax.add_patch(plt.Polygon(circle(at, centre, heading, up, radius), fc=FILL, ec=BODY, lw=2.6, alpha=0.85, zorder=3))
    reference(ax, at(contact), at(2.25 * z))
    reference(ax, at(contact), at(2.25 * up))
    line(ax, at(contact), at(centre), color=MEASURE, width=1.4, zorder=5)
    text(ax, at(0.5 * up) + (0.2, 0), "$r$", MEASURE)
    curve_arrow(ax, circle(at, contact, z, left, 2.15, 0, lean), "lean", at(2.3 * z) + (0.1, 0.25))
    arrow(ax, at(contact), at(1.5 * heading), "heading", (0.55, 0), BODY)
    arrow(ax, at(centre), at(centre + 0.8 * axle), "axle", (0.35, -0.1), BODY)
    curve_arrow(ax, circle(at, centre, heading, up, 0.5, -0.2, 2.4), "", None, FORCE, 2.0)
    text(ax, at(centre + 0.72 * up) + (0.3, 0.0), "torque", FORCE, 15)
    reference(ax, at(middle), at(contact))
    text(ax, at(middle), "radius 1.145 m", MEASURE, 15, ha="right")
    ax.plot(*at(contact), "o", ms=8, color=INK, zorder=9)
    text(ax, at(contact) + (0.65, -0.12), "contact", size=15)
    pin(ax, at(centre), 0.07)
    text(ax, at(centre) + (-0.3, 0.2), "hub", size=15)
    spatial_axes(ax, at, -1.5 * x - 0.7 * y, 0.5)
    gravity(ax, (8.3, 5.1))


def hydraulic_cylinder(ax, foot, head, out=0.4):
    """Tube from the foot, rod from the head; the rod is visible over the part `out` of the
    length."""
    along = np.asarray(head) - foot
    bar(ax, foot + 0.12 * along, head, 0.1, zorder=5)
    bar(ax, foot, head - out * along, 0.24, zorder=6)
    for p in (foot, head):
        pin(ax, p, 0.07)


def crane():
    """The position at t = 0; the post is only in the picture."""
    ax = sheet(6.6)
    at = scaled((1.5, 3.1), 1.45)
    boom, jib = np.radians(40), np.radians(-10)
    bx, by, jx, jy = direction(boom), turned(direction(boom)), direction(jib), turned(direction(jib))
    O, K = np.zeros(2), 3 * bx
    tip = K + 2.5 * jx
    load = tip - (0, 2)
    lift = np.array((0.3, -1)), 1.1 * bx - 0.15 * by
    knee = 1.9 * bx - 0.25 * by, K + 0.35 * jx - 0.3 * jy
    post = [at(p) for p in ((-0.22, 0.2), (0.18, 0.2), (0.45, -1.6), (-0.22, -1.6))]
    ax.add_patch(plt.Polygon(post, fc="#ececec", ec=INK, lw=1.5, zorder=1))
    ground(ax, at((0.115, -1.6)), 2.4)
    arms = ((O, bx, by, 3, (1.1, -0.15), (1.9, -0.25)), (K, jx, jy, 2.5, (0.35, -0.3)))
    for p, along, across, length, *lugs in arms:
        line(ax, at(p), at(p + length * along), color=BODY, width=16, zorder=3)
        line(ax, at(p), at(p + length * along), color=FILL, width=13, zorder=3)
        for x, y in lugs:
            ax.add_patch(plt.Polygon([at(p + (x - 0.14) * along - 0.06 * across), at(p + x * along + (y - 0.04) * across),
                                      at(p + (x + 0.14) * along - 0.06 * across)], fc=FILL, ec=BODY, lw=1.6, zorder=2))
    hydraulic_cylinder(ax, *map(at, lift), 0.35)
    hydraulic_cylinder(ax, *map(at, knee), 0.4)
    line(ax, at(tip), at(load), width=1.6)
    mass(ax, at(load), 0.3)
    for p in (O, K):
        pin(ax, at(p))
    text(ax, at(1.6 * bx + 0.3 * by), "boom", BODY, 15)
    text(ax, at(K + 1.4 * jx + 0.28 * jy), "jib", BODY, 15)
    text(ax, at(np.mean(lift, axis=0)) + (0.65, -0.05), "lift", FORCE, 15)
    text(ax, at(np.mean(knee, axis=0)) + (0.3, -0.4), "knee", FORCE, 15)
    text(ax, at((tip + load) / 2) + (0.4, 0), "rope", MEASURE, 15)
    text(ax, at(load) - (0, 0.55), "load", BODY, 15)
    reference(ax, at(O), at((2.2, 0)))
    angle(ax, at(O), 2.3, 0, boom, "boom.angle", 0.75)
    axes_cross(ax, (6.3, 0.6))
    gravity(ax, (1.0, 6.0))


def gough_stewart():
    ax = sheet(5.6)
    at = spatial((4.4, 1.4), 2.5, np.radians(-68), np.radians(20))
    x, y, z = np.eye(3)
    height, base, top = 1.2, 1.0, 0.6
    ax.add_patch(plt.Polygon(circle(at, 0 * z, x, y, 1.15), fc="#f4f2ec", ec="#bdb8a8", lw=1.0, zorder=0))
    line(ax, *circle(at, 0 * z, x, y, base), color=MEASURE, width=0.9, linestyle=(0, (5, 3)), zorder=1)
    for k in (0, 1):
        ax.add_patch(plt.Polygon(circle(at, (height + 0.05 * k) * z, x, y, 0.7), fc=FILL, ec=BODY, lw=1.8, zorder=7))
    feet = [base * np.array([*direction(np.radians(a)), 0]) for a in (10, 110, 130, 230, 250, 350)]
    heads = [np.array([*top * direction(np.radians(a)), height]) for a in (50, 70, 170, 190, 290, 310)]
    for k, (foot, head) in enumerate(zip(feet, heads), 1):
        behind = foot[1] > 0
        p, q = at(foot), at(head)
        bar(ax, p + 0.5 * (q - p), q, 0.1, zorder=3 if behind else 8)
        bar(ax, p, p + 0.58 * (q - p), 0.22, zorder=4 if behind else 9)
        for end in (p, q):
            ax.add_patch(plt.Circle(end, 0.07, fc="white", ec=INK, lw=1.6, zorder=5 if behind else 10))
        outside = unit(p - at(0 * z)) * (0.42, 0.3) if k != 2 else (0.35, 0)
        text(ax, p + outside, f"$f_{k}$", FORCE)
    front = at(feet[4]), at(heads[4])
    text(ax, front[0] + 0.25 * (front[1] - front[0]) + (0.75, 0.0), "cylinder", BODY, 15)
    text(ax, front[0] + 0.75 * (front[1] - front[0]) + (0.45, 0.0), "rod", BODY, 15)
    text(ax, at(1.25 * z), "platform", BODY, 15, zorder=12)
    text(ax, front[0] + (1.0, -0.42), "universal", size=15)
    extension(ax, front[0] + (0.08, -0.06), front[0] + (0.55, -0.36))
    text(ax, at(heads[3]) + (-1.2, 0.3), "spherical", size=15)
    extension(ax, at(heads[3]) + (-0.08, 0.03), at(heads[3]) + (-0.7, 0.25))
    spatial_axes(ax, at, np.array((-1.35, -0.75, 0.0)), 0.35)
    gravity(ax, (8.3, 5.2))


def double_wishbone():
    """Seen from the front left, where the wheel is; the wheel is drawn as a ring."""
    ax = sheet(6.8)
    at = spatial((0.6, 1.75), 8.6, np.radians(33), np.radians(22))
    mm = {name: np.array(p) / 1000 for name, p in (
        ("W", (0, 780, 310)), ("LF", (170, 350, 200)), ("LR", (-170, 350, 200)), ("LB", (5, 730, 185)),
        ("UF", (110, 440, 465)), ("UR", (-130, 440, 460)), ("UB", (-15, 690, 480)), ("TI", (-130, 370, 233)),
        ("TO", (-130, 720, 230)), ("SF", (0, 560, 200)), ("ST", (0, 480, 620)))}
    x, y, z = np.eye(3)
    P = {name: at(p) for name, p in mm.items()}
    for ring in (0.31, 0.2):
        line(ax, *circle(at, mm["W"] + 0.03 * y, x, z, ring), color=MEASURE, width=1.6,
             linestyle=(0, (6, 3)), zorder=9)
    for arm, words, shift in ((("LF", "LB", "LR"), "lower arm", (-0.2, -0.4)),
                              (("UF", "UB", "UR"), "upper arm", (0.75, -0.3))):
        front, ball, rear = (P[k] for k in arm)
        reference(ax, front, rear)
        bar(ax, rear, ball, 0.17, zorder=4)
        bar(ax, front, ball, 0.17, zorder=5)
        for p in (front, rear):
            ground(ax, p - (0, 0.12), 0.45)
        text(ax, front + 0.45 * (ball - front) + shift, words, BODY, 15)
    ax.add_patch(plt.Polygon([P["LB"], P["UB"], P["W"], P["TO"]], closed=True, fc=FILL, ec=BODY, lw=2.0, alpha=0.9, zorder=6))
    s = (560 - 350) / (730 - 350)  # the foot of the coil stands on a bar across the lower arm
    bar(ax, *(P[k] + s * (P["LB"] - P[k]) for k in ("LF", "LR")), 0.14, zorder=4)
    bar(ax, P["TI"], P["TO"], 0.1, zorder=4)
    rack = [at(mm["TI"] + s * y) for s in (-0.16, 0.02)]
    bar(ax, *rack, 0.16, zorder=3)
    spring(ax, P["ST"], P["SF"], turns=7, width=0.2)
    ground(ax, P["ST"], 0.8, normal=(0, -1))
    for name in mm:
        if name not in ("ST", "W"):
            pin(ax, P[name], 0.07)
    centre_mark(ax, P["W"])
    text(ax, (P["UB"] + P["W"]) / 2 + (0.55, 0.25), "upright", BODY, 15)
    text(ax, P["ST"] + (0.55, -0.45), "coil", MEASURE, 15)
    text(ax, rack[0] + (-0.1, 0.35), "rack", BODY, 15)
    text(ax, (P["TI"] + P["TO"]) / 2 + (0.15, 0.28), "track rod", BODY, 13)
    road = at(mm["W"] - 0.31 * z)
    spring(ax, at(mm["W"] - 0.13 * z), road, turns=4, width=0.12)
    line(ax, P["W"], at(mm["W"] - 0.13 * z), width=1.5)
    ground(ax, road, 1.6)
    text(ax, road + (1.15, 0.02), "road", FORCE, 15)
    text(ax, road + (0.4, 0.6), "tyre", MEASURE, 15)
    spatial_axes(ax, at, np.array((0.0, 0.06, 0.0)), 0.1)
    gravity(ax, (8.4, 6.4))


def atv():
    """Seen from the front left; the frame is bent in its first mode, enlarged a hundred times."""
    ax = sheet(7.0)
    at = spatial((2.35, 3.6), 3.9, np.radians(-60), np.radians(30))
    z = np.eye(3)[2]

    def sag(p):
        return np.array((p[0], p[1], p[2] + 0.05 * (1.9 * ((p[0] - 0.75) / 0.75) ** 2 - 0.35)))

    lower, upper = (0, 0.375, 0.75, 1.125, 1.5), (0.375, 0.75, 1.125)
    tubes = [((a, s, 0), (b, s, 0)) for s in (-0.15, 0.15) for a, b in zip(lower, lower[1:])]
    tubes += [((a, s, 0.3), (b, s, 0.3)) for s in (-0.15, 0.15) for a, b in zip(upper, upper[1:])]
    tubes += [((x, s, 0), (x, s, 0.3)) for s in (-0.15, 0.15) for x in upper]
    tubes += [((x, -0.15, h), (x, 0.15, h)) for h, all_x in ((0, lower), (0.3, upper)) for x in all_x]
    for a, b in tubes:
        if a[1] == b[1] and a[2] == b[2]:
            line(ax, at(np.array(a, float)), at(np.array(b, float)), color=MEASURE, width=1.0, linestyle=(0, (5, 3)), zorder=3)
        bent = [at(sag(np.array(a) + (np.array(b) - np.array(a)) * k / 8)) for k in range(9)]
        line(ax, *bent, color=BODY, width=3.2, zorder=6)
    for xi, xo in ((0.375, 0.125), (1.125, 1.375)):
        for s in (-1, 1):
            hub = np.array((xo, 0.5 * s, 0.05))
            order = 2 if s > 0 else 8
            for inner, ball in (((xi, 0.15 * s, 0), (xo, 0.42 * s, -0.05)), ((xi, 0.15 * s, 0.3), (xo, 0.4 * s, 0.17))):
                line(ax, at(sag(np.array(inner))), at(np.array(ball)), width=2.4, zorder=order)
                pin(ax, at(np.array(ball)), 0.06)
                pin(ax, at(sag(np.array(inner))), 0.06)
            foot = np.array((xi, 0.15 * s, 0)) + 0.7 * np.array((xo - xi, 0.27 * s, -0.05))
            spring(ax, at(sag(np.array((xi, 0.15 * s, 0.3)))), at(foot), turns=6, width=0.13)
            for radius in (0.28, 0.17):
                line(ax, *circle(at, hub, np.eye(3)[0], z, radius), color=MEASURE, width=1.4, zorder=order)
            post = at(hub - 0.28 * z)
            line(ax, post, post - (0, 0.45), width=4, zorder=1)
            ground(ax, post - (0, 0.45), 0.7)
    labels = (
        ("rider", (0.85, 0, 0.6), (0.6, 0.3)),
        ("engine", (0.75, 0, 0.1), (1.9, 1.9)),
        ("tank", (0.6, 0, 0.42), (-0.95, 1.15)),
    )
    for name, p, shift in labels:
        centre_mark(ax, at(np.array(p)))
        line(ax, at(np.array(p)), at(np.array(p)) + shift, color=BODY, width=0.8, zorder=7)
        text(ax, at(np.array(p)) + shift, name, BODY, 16, ha="left" if shift[0] > 0 else "right", va="bottom")
    text(ax, at(np.array((0.75, -0.15, 0.0))) + (-0.65, -0.55), "frame", BODY, 16)
    spatial_axes(ax, at, np.array((-0.1, -0.75, -0.2)), 0.16)
    gravity(ax, (8.4, 6.6))


def heavy_top():
    ax = sheet(5.6)
    at = spatial((3.6, 2.2), 2.6, np.radians(-35), np.radians(22))
    x, y, z = np.eye(3)
    tilt = 0.45
    axis = np.cos(tilt) * y + np.sin(tilt) * z
    across = -np.sin(tilt) * y + np.cos(tilt) * z
    fixed_pin(ax, at(np.zeros(3)))
    reference(ax, at(np.zeros(3)), at(1.7 * axis))
    line(ax, at(np.zeros(3)), at(axis), color=BODY, width=4, zorder=3)
    rim = [circle(at, s * axis, x, across, 0.42) for s in (0.94, 1.06)]
    for points in rim:
        ax.add_patch(plt.Polygon(points, fc=FILL, ec=BODY, lw=1.8, zorder=4))
    line(ax, at(1.06 * axis), at(1.35 * axis), color=BODY, width=4, zorder=5)
    pin(ax, at(np.zeros(3)))
    centre_mark(ax, at(1.06 * axis))
    text(ax, at(axis) + (0.0, -0.3), "$m, J$", BODY)
    text(ax, at(0.5 * axis) + (-0.1, 0.25), "$l$", MEASURE)
    text(ax, np.array((3.6, 2.2)) + (-0.65, 0.1), "pivot", size=15)
    curve_arrow(ax, circle(at, 1.5 * axis, x, across, 0.16, 2.6, -2.4), "", None, FORCE, 2.0)
    text(ax, at(1.5 * axis) + (0.2, -0.65), "spin, torque", FORCE, 15)
    reference(ax, at(np.zeros(3)), at(1.15 * z))
    curve_arrow(ax, circle(at, 0.95 * z, x, y, 0.2, 2.2, -2.4), "precession", at(1.15 * z) + (-0.9, 0.0))
    spatial_axes(ax, at, np.array((-0.3, -1.0, -0.5)), 0.4)
    gravity(ax, (8.3, 5.1))


def column(model, name):
    """The values of a table of the model, by the number in its first column."""
    return {int(k): value for k, value in np.loadtxt(HERE / model / "data" / f"{name}.csv", delimiter=",")}


def belt():
    """The position at t = 0: every segment, the pulleys and the arm of the tensioner."""
    ax = sheet(8.2)
    at = scaled((6.2, 1.9), 19)
    x, y, angle = (column("belt", name) for name in ("x", "y", "angle"))
    T, pivot = np.array([-0.10569, 0.061646]), np.array([-0.1419, 0.133])
    pulleys = {"C": ((0, 0), 0.0775, 1), "W": ((0.055, 0.225), 0.0625, 1), "A": ((-0.215, 0.185), 0.03, 1), "T": (T, 0.0375, -1)}
    for name, (centre, radius, side) in pulleys.items():
        ax.add_patch(plt.Circle(at(centre), 19 * radius, facecolor=FILL, edgecolor=BODY, lw=1.5))
        shift = (0, 0) if name != "T" else (0.25, -0.1)
        text(ax, at(centre) + shift, f"${name}$")
        a = np.linspace(np.pi / 2, np.pi / 2 + side * 1.2, 30)
        points = [at(centre) + 19 * 0.65 * radius * direction(v) for v in a]
        line(ax, *points, color=FORCE, width=1.2)
        arrow(ax, points[-2], points[-1], width=1.2)
    line(ax, at(pivot), at(T), color=BODY, width=5)
    for point in (pivot, T):
        ax.plot(*at(point), "o", color="white", markeredgecolor=INK, markersize=8, zorder=8)
    text(ax, at(pivot) + (0.1, 0.4), "arm, torsion spring", size=14)
    for i in range(1, 101):
        half = 0.0052 * direction(angle[i])
        line(ax, at((x[i], y[i]) - half), at((x[i], y[i]) + half), width=4)
    text(ax, at((x[1], y[1])) + (0.45, -0.1), "1", size=13)
    text(ax, at((x[26], y[26])) + (0.1, 0.35), "26", size=13)
    axes_cross(ax, (0.6, 0.6))


def track():
    """The position at t = 0: shoes, sprocket with teeth, idler and rollers; the hull is a line
    between them."""
    ax = sheet(3.2)
    at = scaled((8.0, 1.35), 2.02)
    x, z = column("track", "pin_x"), column("track", "pin_z")
    line(ax, (0, 0.68), (9, 0.68), color=MEASURE, width=1.2)
    R = 0.154 / (2 * np.sin(np.pi / 10))
    circles = {"sprocket": ((0, 0), R - 0.02), "idler": ((-3.313471, 0.046041), 0.255)}
    circles |= {f"roller {k + 1}": ((place, 0.23 - R), 0.2) for k, place in enumerate((-0.66, -1.33, -1.99, -2.66))}
    for centre, radius in circles.values():
        ax.add_patch(plt.Circle(at(centre), 2.02 * radius, facecolor=FILL, edgecolor=BODY, lw=1.5))
    for k in range(10):
        ax.add_patch(plt.Circle(at(R * direction((k + 0.5) * np.pi / 5)), 2.02 * 0.055, facecolor=FILL, edgecolor=BODY, lw=1))
    for i in range(1, 55):
        line(ax, at((x[i], z[i])), at((x[i + 1], z[i + 1])), width=4)
        ax.plot(*at((x[i], z[i])), "o", color="white", markeredgecolor=INK, markersize=3.5, zorder=8)
    text(ax, at((0, 0)), "sprocket", size=11)
    text(ax, at((-3.313471, 0.046041)), "idler", size=11)
    arrow(ax, at((-2.85, 0.16)), at((-3.2, 0.16)), width=1.6)
    text(ax, at((-2.95, 0.45)), "tensioner", color=FORCE, size=13)
    axes_cross(ax, (0.35, 2.35), y="$z$", size=0.5)
    gravity(ax, (4.3, 3.0))


def exact_solution(*panels):
    """A panel over 0 ≤ t ≤ 1 per (title, curves); a curve is (label, function, shift of the
    label, style)."""
    t = np.linspace(0, 1, 101)
    _, axes = plt.subplots(1, len(panels), figsize=(WIDTH, 3.9), dpi=100, layout="constrained")
    for ax, (title, curves) in zip(axes, panels):
        for label, function, shift, style in curves:
            (curve,) = ax.plot(t, function(t), lw=2, **style)
            text(ax, (0.6, function(0.6) + shift), label, curve.get_color(), 16)
        ax.set_title(title, fontsize=15)
        ax.set_xlabel("$t$")
        ax.set_xlim(0, 1)
        ax.grid(color="#e3e3e3")
        ax.spines[["top", "right"]].set_visible(False)


def decay(rate, factor=1):
    return lambda t: factor * np.exp(-rate * t)


COORDINATES = ("coordinates and velocities",
               [("$y_1 = z_1 = e^t$", decay(-1), 0.5, {"color": BODY}),
                ("$y_2 = e^{-2t}$", decay(2), 0.35, {"color": FORCE}),
                ("$z_2 = -2e^{-2t}$", decay(2, -2), -0.4, {"color": FORCE, "ls": "--"})])


def soi2_problem():
    exact_solution(COORDINATES, ("multipliers", [(r"$\psi = e^t$", decay(-1), 0.3, {"color": BODY}),
                                                 (r"$\lambda = e^{-t}$", decay(1), 0.22, {"color": FORCE})]))


def nonholonomic_problem():
    exact_solution(COORDINATES, ("multiplier", [(r"$\psi = e^{-t}$", decay(1), 0.1, {"color": BODY})]))


FIGURES = {figure.__name__: figure for figure in (
    andrews, andrews_bodies, atv, belt, car_axis, cart_pole, crane, double_wishbone, flexible_slider_crank, four_bar, four_bar_chain_bodies,
    gough_stewart, heavy_top, nonholonomic_problem, pendulum, pendulum_bodies, rolling_disk, rolling_wheel, slider_crank,
    slider_crank_bodies, soi2_problem, spatial_four_bar, track)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", metavar="NAME", nargs="*", help=f"one of {', '.join(FIGURES)}; all without it")
    names = parser.parse_args().names or list(FIGURES)
    for name in names:
        if name not in FIGURES:
            parser.error(f"there is no picture of '{name}'; there are: {', '.join(FIGURES)}")
    for name in names:
        FIGURES[name]()
        picture = HERE / name / f"{name}.png"
        plt.savefig(picture, facecolor="white", metadata={"Software": None})
        plt.close()
        print(picture)


if __name__ == "__main__":
    main()
