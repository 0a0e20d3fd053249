#!/usr/bin/env python3
"""Draws the pictures of the documentation. Run it after a change: python3 docs/pictures/draw.py

The admissions of the algorithms are computed by their rules, as in dev.ratelimit.algorithm: integers, in milliseconds.
The sizes of leases are computed as in META-INF/ratelimit/lua/lease.lua.
"""

import os

HERE = os.path.dirname(os.path.abspath(__file__))

STYLE = """
text { font: 13px system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; fill: #1f2328; }
.small { font-size: 11px; fill: #59636e; }
.title { font-weight: 600; }
.mono { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
.box { fill: #f6f8fa; stroke: #818b98; stroke-width: 1; }
.ours { fill: #ddf4ff; stroke: #0969da; }
.stop { fill: #fff1e5; stroke: #bc4c00; }
.zone { fill: none; stroke: #818b98; stroke-dasharray: 4 3; }
.line { fill: none; stroke: #59636e; stroke-width: 1.3; }
.head { fill: #59636e; }
.grid { stroke: #d1d9e0; stroke-width: 1; }
.edge { stroke: #818b98; stroke-width: 1; stroke-dasharray: 3 3; }
.offered { fill: #d1d9e0; }
.allowed { fill: #0969da; }
.a { stroke: #0969da; } .b { stroke: #bc4c00; } .c { stroke: #1a7f37; }
.curve { fill: none; stroke-width: 2; }
text.a { fill: #0969da; stroke: none; } text.b { fill: #bc4c00; stroke: none; } text.c { fill: #1a7f37; stroke: none; }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc; }
  .small { fill: #9198a1; }
  .box { fill: #151b23; stroke: #656c76; }
  .ours { fill: #0c2d5b; stroke: #4493f8; }
  .stop { fill: #43210a; stroke: #db6d28; }
  .zone { stroke: #656c76; }
  .line { stroke: #9198a1; }
  .head { fill: #9198a1; }
  .grid { stroke: #3d444d; }
  .edge { stroke: #656c76; }
  .offered { fill: #3d444d; }
  .allowed { fill: #4493f8; }
  .a { stroke: #4493f8; } .b { stroke: #db6d28; } .c { stroke: #3fb950; }
  text.a { fill: #4493f8; } text.b { fill: #db6d28; } text.c { fill: #3fb950; }
}
"""


class Svg:

    def __init__(self, width, height, title, description):
        self.parts = [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" '
            f'height="{height}" role="img" aria-labelledby="title description">',
            f'<title id="title">{escape(title)}</title>',
            f'<desc id="description">{escape(description)}</desc>',
            f'<style>{STYLE}</style>']

    def rect(self, x, y, width, height, kind, radius=0):
        self.parts.append(f'<rect x="{num(x)}" y="{num(y)}" width="{num(width)}" height="{num(height)}" '
                          f'rx="{radius}" class="{kind}"/>')

    def text(self, x, y, text, kind='', anchor='start'):
        self.parts.append(f'<text x="{num(x)}" y="{num(y)}" class="{kind}" text-anchor="{anchor}">{escape(text)}</text>')

    def line(self, x1, y1, x2, y2, kind='line'):
        self.parts.append(f'<path d="M{num(x1)} {num(y1)}L{num(x2)} {num(y2)}" class="{kind}"/>')

    def curve(self, points, kind):
        path = 'L'.join(f'{num(x)} {num(y)}' for x, y in points)
        self.parts.append(f'<path d="M{path}" class="curve {kind}"/>')

    def arrow(self, *points):
        """A line through points, of horizontal and vertical pieces, with a head at its end."""
        self.curve_as(points, 'line')
        (x1, y1), (x2, y2) = points[-2:]
        dx, dy = (x2 > x1) - (x2 < x1), (y2 > y1) - (y2 < y1)
        back_x, back_y, side_x, side_y = x2 - 8 * dx, y2 - 8 * dy, 4 * dy, 4 * dx
        self.parts.append(f'<path d="M{num(x2)} {num(y2)}L{num(back_x + side_x)} {num(back_y + side_y)}'
                          f'L{num(back_x - side_x)} {num(back_y - side_y)}Z" class="head"/>')

    def curve_as(self, points, kind):
        path = 'L'.join(f'{num(x)} {num(y)}' for x, y in points)
        self.parts.append(f'<path d="M{path}" class="{kind}"/>')

    def box(self, x, y, width, height, lines, kind='box'):
        self.rect(x, y, width, height, kind, 6)
        top = y + height / 2 - 8 * (len(lines) - 1) + 4.5
        for i, line in enumerate(lines):
            self.text(x + width / 2, top + 16 * i, line, 'title' if i == 0 else 'small', 'middle')

    def save(self, name):
        with open(os.path.join(HERE, name), 'w', encoding='utf-8', newline='\n') as file:
            file.write('\n'.join(self.parts + ['</svg>']) + '\n')


def escape(text):
    return text.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;')


def num(value):
    return f'{value:.1f}'.rstrip('0').rstrip('.')


# --- The algorithms. Each function takes the times of requests that cost 1, and returns for each the time at which the
# --- handler is called, or None if the request is rejected.

def token_bucket(arrivals, quantity, period, burst):
    full, full_at, calls = burst * period, 0, []
    for now in arrivals:
        deficit = max(0, full_at - now * quantity)
        fits = deficit <= full - period
        if fits:
            full_at = now * quantity + deficit + period
        calls.append(now if fits else None)
    return calls


def leaky_bucket(arrivals, quantity, period, burst):
    full, full_at, calls = burst * period, 0, []
    for now in arrivals:
        deficit = max(0, full_at - now * quantity)
        fits = deficit <= full - period
        if fits:
            full_at = now * quantity + deficit + period
        calls.append(now + -(-deficit // quantity) if fits else None)
    return calls


def fixed_window(arrivals, quantity, period):
    window, used, calls = None, 0, []
    for now in arrivals:
        if now // period != window:
            window, used = now // period, 0
        fits = used < quantity
        used += fits
        calls.append(now if fits else None)
    return calls


def sliding_window(arrivals, quantity, period):
    window, previous, current, calls = 0, 0, 0, []
    for now in arrivals:
        if now // period != window:
            previous = current if now // period == window + 1 else 0
            window, current = now // period, 0
        left = period - now % period
        fits = previous * left + current * period <= (quantity - 1) * period
        current += fits
        calls.append(now if fits else None)
    return calls


def sliding_log(arrivals, quantity, period):
    log, calls = [], []
    for now in arrivals:
        log = [taken for taken in log if taken > now - period]
        fits = len(log) < quantity
        if fits:
            log.append(now)
        calls.append(now if fits else None)
    return calls


def concurrency(arrivals, quantity, duration):
    ends, calls = [], []
    for now in arrivals:
        ends = [end for end in ends if end > now]
        fits = len(ends) < quantity
        if fits:
            ends.append(now + duration)
        calls.append(now if fits else None)
    return calls


def most_in(calls, period):
    return max(sum(start <= call < start + period for call in calls) for start in calls)


QUANTITY, PERIOD, END, DURATION = 10, 10_000, 30_000, 2_000

# Twelve requests in one second before the end of a window, twelve after it, then two per second.
ARRIVALS = ([8_000 + 80 * i for i in range(12)] + [10_500 + 80 * i for i in range(12)]
            + list(range(14_250, END, 500)))

ALGORITHMS = [
    ('token-bucket and gcra', 'limit: 10/10s', token_bucket(ARRIVALS, QUANTITY, PERIOD, QUANTITY)),
    ('leaky-bucket', 'limit: 10/10s (bars: calls of the handler)', leaky_bucket(ARRIVALS, QUANTITY, PERIOD, QUANTITY)),
    ('fixed-window', 'limit: 10/10s', fixed_window(ARRIVALS, QUANTITY, PERIOD)),
    ('sliding-window', 'limit: 10/10s', sliding_window(ARRIVALS, QUANTITY, PERIOD)),
    ('sliding-log', 'limit: 10/10s', sliding_log(ARRIVALS, QUANTITY, PERIOD)),
    ('concurrency', 'limit: 3, each request takes 2 s', concurrency(ARRIVALS, 3, DURATION)),
]


def draw_algorithms():
    svg = Svg(860, 664, 'What each algorithm allows',
              'Six charts of the same requests over 30 seconds. Gray bars are the requests of each second, blue bars '
              'are the requests that the algorithm allows.')
    svg.rect(20, 11, 12, 12, 'offered')
    svg.text(38, 21, 'requests per second')
    svg.rect(178, 11, 12, 12, 'allowed')
    svg.text(196, 21, 'allowed requests per second')
    svg.text(840, 21, 'dashed: windows of 10 s', 'small', 'end')
    for i, (name, limit, calls) in enumerate(ALGORITHMS):
        draw_algorithm(svg, 40 + 420 * (i % 2), 44 + 212 * (i // 2), name, limit, calls)
    svg.save('algorithms.svg')


def draw_algorithm(svg, x, y, name, limit, calls):
    width, height, top, most = 380, 120, y + 46, 12
    allowed = [call for call in calls if call is not None]
    svg.text(x, y + 14, name, 'title mono')
    svg.text(x + width, y + 14, limit, 'small', 'end')
    bound = f'{most_in(allowed, PERIOD)} in any 10 s' if name != 'concurrency' else '3 at a time'
    svg.text(x, y + 33, f'{len(allowed)} of {len(calls)} requests allowed, at most {bound}', 'small')
    bottom = top + height
    for count in (0, 4, 8, 12):
        level = bottom - height * count / most
        svg.line(x, level, x + width, level, 'grid')
        svg.text(x - 6, level + 4, str(count), 'small', 'end')
    for second in range(END // 1000):
        left = x + width * second * 1000 / END
        for times, kind in ((ARRIVALS, 'offered'), (allowed, 'allowed')):
            count = sum(second * 1000 <= time < (second + 1) * 1000 for time in times)
            if count:
                level = height * count / most
                svg.rect(left + 1, bottom - level, width * 1000 / END - 2, level, kind)
    for time in range(0, END + 1, PERIOD):
        at = x + width * time / END
        svg.line(at, top, at, bottom, 'edge')
        svg.text(at, bottom + 15, f'{time // 1000} s', 'small', 'middle')


# --- How a request is processed

def draw_request():
    svg = Svg(860, 414, 'How a request is processed',
              'A request passes the early rate limit filter, Spring Security, and the late rate limit filter before its '
              'handler. Each filter matches rules, resolves keys and costs, and makes one decision, which the store '
              'answers: from remembered rejections, from leases, or by one call to Redis behind a circuit breaker and a '
              'deadline. If Redis does not respond, the failure policy of each rule answers.')
    chain = [('Request', (), 'box', 90), ('Early phase', ('key: ip, header, …', 'filter order -101'), 'ours', 150),
             ('Spring Security', ('filter order -100',), 'box', 150),
             ('Late phase', ('key: user, caller, …', 'filter order -99'), 'ours', 150),
             ('Handler', (), 'box', 100)]
    x, centers = 20, {}
    for i, (name, notes, kind, width) in enumerate(chain):
        svg.box(x, 20, width, 64, (name, *notes), kind if kind == 'box' else 'box ours')
        centers[name] = x + width / 2
        if i < len(chain) - 1:
            svg.arrow((x + width, 52), (x + width + 45, 52))
        x += width + 45
    middle = centers['Early phase']
    svg.rect(20, 130, 820, 120, 'zone', 8)
    svg.text(32, 150, 'Each phase', 'title')
    steps = [('Match rules', 'path, method, handler'), ('Resolve', 'key, cost, plan'),
             ('Decide', 'all limits or none'), ('Respond', 'rate limit headers')]
    x = 40
    for i, (name, note) in enumerate(steps):
        svg.box(x, 166, 155, 52, (name, note), 'box ours')
        if i < len(steps) - 1:
            svg.arrow((x + 155, 192), (x + 206, 192))
        centers[name] = x + 77.5
        x += 206
    svg.arrow((middle, 84), (middle, 130))
    svg.arrow((centers['Late phase'], 84), (centers['Late phase'], 130))
    svg.text(centers['Respond'], 238, 'rejected: 429, 503, or 403', 'small', 'middle')
    svg.rect(20, 290, 820, 112, 'zone', 8)
    svg.text(32, 310, 'Store, with Redis', 'title')
    stages = [('Rejections', 'remembered', 'box ours'), ('Leases', 'units held here', 'box ours'),
              ('Guard', 'deadline, breaker', 'box ours'), ('Redis', 'one script call', 'box')]
    x = 40
    for i, (name, note, kind) in enumerate(stages):
        svg.box(x, 324, 125, 48, (name, note), kind)
        if i < len(stages) - 1:
            svg.arrow((x + 125, 348), (x + 155, 348))
        x += 155
    svg.box(690, 324, 135, 48, ('Failure policy', 'open, local, closed'), 'box stop')
    svg.arrow((412.5, 372), (412.5, 390), (757.5, 390), (757.5, 372))
    svg.text(585, 386, 'Redis unavailable or late', 'small', 'middle')
    svg.arrow((centers['Decide'] - 30, 218), (centers['Decide'] - 30, 290))
    svg.arrow((centers['Decide'] + 30, 290), (centers['Decide'] + 30, 218))
    svg.text(centers['Decide'] - 38, 274, 'one call', 'small', 'end')
    svg.text(centers['Decide'] + 38, 274, 'verdicts', 'small')
    svg.save('request.svg')


# --- The two tiers of leases

def lease(want, left, instances, capacity, held=0, total=0):
    """The units that the script leases to an instance; total is what the others hold."""
    pool = capacity // 20
    return max(0, min(want, left // instances, pool // max(instances, 4) - held, pool - total - held))


def draw_leases():
    svg = Svg(860, 372, 'The two tiers of leases',
              'Instances spend units that they hold without a call. They lease units from the bucket in Redis in advance '
              'and return what they do not spend. A chart shows that leases become smaller as the bucket is used up.')
    svg.text(20, 24, 'Tier 1: in each instance', 'title')
    svg.text(20, 42, 'decisions without a call', 'small')
    for i, name in enumerate(('Instance A', 'Instance B', 'Instance C')):
        x = 20 + 130 * i
        svg.box(x, 62, 115, 60, (name, 'holds units', 'spends them'), 'box ours')
        svg.arrow((x + 40, 246), (x + 40, 122))
        svg.arrow((x + 75, 122), (x + 75, 246))
    svg.text(54, 188, 'lease', 'small', 'end')
    svg.text(101, 188, 'return', 'small')
    svg.box(20, 246, 375, 72, ('Bucket', 'leased units are charged at once', 'at most 1/20 of the capacity is leased'))
    svg.text(20, 344, 'Tier 2: in Redis', 'title')
    svg.text(20, 362, 'one bucket for all instances', 'small')

    capacity, widest, most = 10_000, 600, 140
    left, top, width, height = 480, 76, 350, 240
    svg.text(left - 30, 24, 'Largest lease, by the units that are left', 'title')
    svg.text(left - 30, 42, f'capacity {capacity:,}; the instance holds nothing, the pool has room', 'small')
    bottom = top + height
    for units in range(0, most + 1, 20):
        level = bottom - height * units / most
        svg.line(left, level, left + width, level, 'grid')
        svg.text(left - 6, level + 4, str(units), 'small', 'end')
    for units in range(0, widest + 1, 100):
        at = left + width * (widest - units) / widest
        svg.text(at, bottom + 16, str(units), 'small', 'middle')
    svg.text(left + width / 2, bottom + 36, 'units left in the bucket', 'small', 'middle')
    for instances, kind in ((2, 'a'), (10, 'b'), (50, 'c')):
        points = [(left + width * (widest - units) / widest,
                   bottom - height * lease(capacity, units, instances, capacity) / most)
                  for units in range(widest, -1, -5)]
        svg.curve(points, kind)
        svg.text(left + 8, points[0][1] - 6, f'{instances} instances', kind)
    svg.save('leases.svg')


# --- The packages. Those of one row do not use each other; each may use rows below it (ArchitectureTests).

ROOMS = (
    ('stand on live rules', ('api', 'candidate')),
    ('', ('live.edit', 'live.redis', 'telemetry.redis')),
    ('capabilities', ('ban', 'doctor', 'live', 'telemetry')),
    ('', ('web.gateway', 'web.graphql', 'web.grpc', 'envoy', 'connection', 'waiting')),
    ('', ('load', 'client', 'testing', 'actuate')),
    ('adapters of the stacks', ('web.servlet', 'web.reactive')),
    ('wiring', ('autoconfigure',)),
    ('fronts', ('web', 'web.response', 'method', 'observation')),
    ('what fronts and stores share', ('gate', 'store.redis', 'store.lease')),
    ('', ('engine', 'base', 'store.guard', 'store.denial', 'store.hold', 'store.memory')),
    ('', ('store.slot', 'store.route', 'store.region')),
    ('data', ('rule', 'store')),
    ('', ('algorithm', 'queue', 'hash', 'address')),
)


def draw_rooms():
    height, gap, left, width = 34, 12, 190, 680
    svg = Svg(left + width + 20, 30 + len(ROOMS) * (height + gap), 'The packages of the library',
              'Rows of packages. Packages of one row do not use each other, and each may use rows below it. All may use '
              'the public API in the root package.')
    for i, (label, names) in enumerate(ROOMS):
        y = 20 + i * (height + gap)
        if label:
            svg.text(20, y + height / 2 + 4.5, label, 'title')
        each = (width - gap * (len(names) - 1)) / len(names)
        for j, name in enumerate(names):
            kind = 'box ours' if i < 5 and name != 'actuate' else 'box'
            svg.box(left + j * (each + gap), y, each, height, (name,), kind)
    svg.save('rooms.svg')


if __name__ == '__main__':
    draw_rooms()
    draw_algorithms()
    draw_request()
    draw_leases()
