"""Shows a number of the events of a subscription as they come: python3 live.py HOST PORT KEY

Each event is {"KEY": number, ...}, is taken, and is drawn by matplotlib, or where that is not
installed as a bar of text.
"""

import sys
from collections import deque
from typing import Iterator

import takt

SHOWN = 200
WIDTH = 60


def values(space: takt.Space, key: str) -> Iterator[float]:
    with space.subscribe({key: takt.ANY}) as subscription:
        for event in subscription.events():
            yield float(event[key])


def show_text(numbers: Iterator[float]) -> None:
    seen = deque(maxlen=SHOWN)
    for number in numbers:
        seen.append(number)
        low, high = min(seen), max(seen)
        bar = round(WIDTH * (number - low) / (high - low)) if high > low else 0
        print(f"{number:>14g} {'#' * bar}", flush=True)


def show_plot(numbers: Iterator[float], title: str) -> None:
    from matplotlib import pyplot

    seen = deque(maxlen=SHOWN)
    pyplot.ion()
    figure, axes = pyplot.subplots()
    (curve,) = axes.plot([])
    axes.set_title(title)
    for number in numbers:
        seen.append(number)
        curve.set_data(range(len(seen)), seen)
        axes.relim()
        axes.autoscale_view()
        pyplot.pause(0.001)
        if not pyplot.fignum_exists(figure.number):
            return


def main() -> None:
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    host, port, key = sys.argv[1:]
    with takt.connect(host, int(port)) as space:
        try:
            import matplotlib  # noqa: F401
        except ImportError:
            show_text(values(space, key))
        else:
            show_plot(values(space, key), key)


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        pass
