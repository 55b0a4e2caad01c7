"""How far away is the lighthouse? Counts the seconds between the flash and the foghorn."""

SPEED_OF_SOUND = 331.3  # metres per second at 0 degrees Celsius


def distance(seconds: float, temperature: float = 7.0) -> float:
    """Nautical miles between the observer and the foghorn."""
    return seconds * (SPEED_OF_SOUND + 0.606 * temperature) / 1852


if __name__ == "__main__":
    for seconds in (5, 10, 20):
        print(f"{seconds:>3} s  {distance(seconds):.2f} nm")
