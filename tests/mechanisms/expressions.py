"""Writes expressions.xml: random expressions in laws, drivers, numbers and outputs.

    python3 tests/mechanisms/expressions.py > tests/mechanisms/expressions.xml

The same seed gives the same file; test_equality.cpp compares its mechanism compiled and as programs.
"""

import random

random.seed(20)


def number() -> str:
    return f"{random.uniform(0.1, 3):.3g}"


def expression(depth: int, names: list[str]) -> str:
    if depth == 0 or random.random() < 0.1:
        return random.choice(names) if random.random() < 0.8 else number()

    def part() -> str:
        return expression(depth - 1, names)

    forms = {
        20: lambda: f"({part()} {random.choice('+-*')} {part()})",
        4: lambda: f"{part()}/(2 + ({part()})^2)",
        3: lambda: f"({part()})^{random.choice('23')}",
        6: lambda: f"{random.choice(['sin', 'cos', 'tanh', 'atan'])}({part()})",
        2: lambda: f"exp(-({part()})^2)",
        2.1: lambda: f"sqrt(1 + ({part()})^2)",
        2.2: lambda: f"(1.5 + {random.choice(['sin', 'cos'])}({part()}))^({number()})",
        1: lambda: f"if({part()} &lt; {part()}, {part()}, {part()})",
        1.1: lambda: f"if({part()} >= 0 and not ({part()} &lt; 1), {part()}, {part()})",
        1.2: lambda: f"max({part()}, {part()}, 0.5)",
        1.3: lambda: f"atan2({part()}, 2 + ({part()})^2)",
        1.4: lambda: f"step({part()}, 0, -1, 0.8, {part()})",
        1.5: lambda: f"smooth_max({part()}, {part()}, 0.1)",
        1.6: lambda: f"norm([{part()}, {part()}, 1])",
        1.7: lambda: f"dot(cross([{part()}, 1, 2], direction), [1, {part()}, 0.5])",
        1.8: lambda: f"table(curve, {part()})",
    }
    return random.choices(list(forms.values()), weights=list(forms))[0]()


lines = [
    "<!-- Random expressions, written by expressions.py. -->",
    '<mechanism name="Expressions" gravity="0 0 -9.81">',
    '  <parameter name="k" value="1.3"/>',
    '  <parameter name="c" value="0.7"/>',
    '  <parameter name="l" value="0.9" unit="m"/>',
    '  <input name="u" start="0.4"/>',
    '  <input name="w" start="-0.8"/>',
    '  <table name="curve" x="-2 -0.5 0.3 1 4" y="1 0.2 0.4 -1 2"/>',
    '  <variable name="direction" value="[k, sin(c), 1 - k*c]"/>',
]
bodies = 6
for i in range(bodies):
    lines += [
        f'  <body name="b{i}" at="{i} 0 0" mass="1kg + 0.1kg*tanh({expression(3, ["k", "c"])})" inertia="0.1 0.2 0.3"/>',
        f'  <joint name="J{i}" type="revolute" between="ground b{i}" at="{i} 0.1*l 0" axis="0 0 1"/>',
        f'  <variable name="a{i}" value="J{i}.angle/1rad"/>',
        f'  <variable name="r{i}" value="J{i}.rate/1rad*1s"/>',
        f'  <state name="x{i}" start="0.{i}" rate="({expression(4, ["k", "u", f"a{i}", f"r{i}", f"x{i}", "time/1s"])})/1s"/>',
    ]
for i in range(bodies - 1):
    names = ["k", "c", "u", "w", "time/1s", f"a{i}", f"r{i}", f"a{i + 1}", f"x{i}", f"x{i + 1}"]
    for j in range(6):
        lines.append(f'  <torque name="t{i}_{j}" joint="J{i}" value="({expression(5, names)})*1N.m"/>')
    names += [f"b{i}.position.x/1m", f"b{i}.velocity.y/1m*1s", f"J{i}.force.x/1N"]
    lines.append(f'  <output name="o{i}" value="{expression(5, names)}"/>')
lines += [
    f'  <driver name="d" joint="J{bodies - 1}" value="({expression(5, ["k", "c", "time/1s"])})*1rad"/>',
    f'  <constraint name="g" value="a0 - 0.1*sin({expression(4, ["k", "a1", "time/1s"])})"/>',
    "</mechanism>",
]
print("\n".join(lines))
