"""Pseudo-random numbers that Java (Weights.java) and this give alike, so that no weights need be kept."""

import numpy as np


def unit(seed, count):
    """In [0, 1), multiples of 2^-24: splitmix64 of a counter."""
    with np.errstate(over="ignore"):
        z = np.arange(1, count + 1, dtype=np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
    return (z >> np.uint64(40)).astype(np.float64) * 2.0**-24


def tensor(recipe, shape):
    """A recipe is 'uniform LOW HIGH SEED' or, for integers in [0, N), 'below N SEED'."""
    kind, *numbers = recipe.split()
    count = int(np.prod(shape))
    if kind == "below":
        return np.floor(unit(int(numbers[1]), count) * int(numbers[0])).astype(np.int64).reshape(shape)
    low, high = float(numbers[0]), float(numbers[1])
    return (low + (high - low) * unit(int(numbers[2]), count)).astype(np.float32).reshape(shape)
