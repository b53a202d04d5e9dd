#!/usr/bin/env python3
"""Compares the playhead of a recorded session with one computed here, from the recorded playlists and nothing of adtop's.

Usage: interop-oracle.py ADTOP RECORDING. Exit 1 when any moment differs by more than 250 ms.
The rules are those of the live timeline: join three target durations before the edge, play with the clock up to the edge,
stall there without catching up, stay while paused, jump to the live point when the window has passed the playhead.
"""
import datetime
import json
import re
import subprocess
import sys

LIMIT_MS = 250


def read_playlist(text):
    """Segments as (sequence, duration ms, date ms), target duration ms."""
    sequence = int(re.search(r"#EXT-X-MEDIA-SEQUENCE:(\d+)", text).group(1))
    target = int(re.search(r"#EXT-X-TARGETDURATION:(\d+)", text).group(1)) * 1000
    segments, duration, date = [], None, None
    for line in text.splitlines():
        if line.startswith("#EXTINF:"):
            duration = float(line[8:].split(",")[0]) * 1000
        elif line.startswith("#EXT-X-PROGRAM-DATE-TIME:"):
            date = datetime.datetime.strptime(line[25:], "%Y-%m-%dT%H:%M:%S.%f%z").timestamp() * 1000
        elif line and not line.startswith("#"):
            segments.append((sequence, duration, date))
            sequence, duration, date = sequence + 1, None, None
    return segments, target


class Viewer:
    """The playhead by hand: `position` in ms of stream time, 0 at the first segment ever listed."""

    def __init__(self):
        self.starts, self.window, self.position, self.clock, self.playing = {}, [], None, 0.0, True

    def reload(self, text, now):
        self.run(now)
        segments, self.target = read_playlist(text)
        for sequence, duration, _ in segments:
            if sequence not in self.starts:
                previous = self.starts.get(sequence - 1)
                self.starts[sequence] = (previous[0] + previous[1] if previous else 0.0, duration)
        self.window = segments
        if self.position is None:
            self.position, self.clock = self.latest(), now
        elif self.playing and self.position < self.begin():
            self.position = self.latest()

    def begin(self):
        return self.starts[self.window[0][0]][0]

    def edge(self):
        start, duration = self.starts[self.window[-1][0]]
        return start + duration

    def latest(self):
        return max(self.begin(), self.edge() - 3 * self.target)

    def run(self, now):
        if self.position is not None and self.playing:
            self.position = min(self.edge(), self.position + now - self.clock) if self.position < self.edge() else self.position
        self.clock = now

    def command(self, command, now):
        self.run(now)
        kind = command["kind"]
        if kind == "pause":
            self.playing = False
        elif kind == "play":
            self.playing = True
            if self.position < self.begin():
                self.position = self.latest()
        elif kind == "seekLive":
            self.position = self.latest()
        elif kind == "seekBy":
            self.position = min(max(self.position + command["us"] / 1000, self.begin()), self.edge())

    def date(self):
        for sequence, duration, date in reversed(self.window):
            start = self.starts[sequence][0]
            if start <= self.position:
                return date + self.position - start
        sequence, _, date = self.window[0]
        return date - (self.starts[sequence][0] - self.position)


def main():
    adtop, recording = sys.argv[1:3]
    lines = [json.loads(line) for line in open(recording, encoding="utf-8")][1:]
    start = lines[0]["uptimeUs"]
    viewer, compared, worst, shown = Viewer(), 0, 0.0, []
    for index, line in enumerate(lines):
        now, item = line["uptimeUs"] / 1000, line["input"]
        if item["kind"] == "fetched" and "#EXTINF" in item["exchange"].get("body", ""):
            viewer.reload(item["exchange"]["body"], now)
        elif item["kind"] == "playerCommanded":
            viewer.command(item["command"], now)
            shown.append(f"{(line['uptimeUs'] - start) / 1e6:7.1f} s  {item['command']}")
        if viewer.position is None or index % 3:
            continue
        viewer.run(now)
        offset = f"{(line['uptimeUs'] - start) / 1e6:.6f}s"
        dump = subprocess.run([adtop, "replay", recording, "--at", offset, "--dump", "--format", "json"], capture_output=True, check=True)
        playhead = json.loads(dump.stdout)["playhead"]
        difference = abs(playhead["pdtMs"] - viewer.date())
        compared, worst = compared + 1, max(worst, difference)
        if difference > LIMIT_MS:
            print(f"at {offset}: adtop {playhead['pdtMs']}, by hand {viewer.date():.0f}, state {playhead['state']}")
    length = (lines[-1]["uptimeUs"] - start) / 1e6
    print("\n".join(shown))
    print(f"{compared} moments of {length:.0f} s compared, worst difference {worst:.1f} ms (limit {LIMIT_MS} ms)")
    sys.exit(1 if worst > LIMIT_MS or compared == 0 else 0)


if __name__ == "__main__":
    main()
