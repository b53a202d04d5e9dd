"""Parses the playlist on standard input with PyPI m3u8; prints NAME<TAB>MEDIAN MILLISECONDS. Exit 3: not installed."""
import statistics
import sys
import time

try:
    import m3u8
    import m3u8.parser
except ImportError:
    sys.exit(3)

text = sys.stdin.read()


def measure(name, parse, rounds=11):
    for _ in range(2):
        parse()
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        parse()
        times.append(1000 * (time.perf_counter() - start))
    print(f"{name}\t{statistics.median(times)}")


version = getattr(m3u8, "__version__", "")
measure(f"PyPI m3u8 {version} m3u8.loads".replace("  ", " "), lambda: m3u8.loads(text))
measure(f"PyPI m3u8 {version} parser.parse, dictionary only".replace("  ", " "), lambda: m3u8.parser.parse(text))
