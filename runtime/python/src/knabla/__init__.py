"""Calls functions of Knabla with numpy arrays, synchronously or with asyncio."""

from ._calls import Signature
from ._function import AsyncFunction, Function
from ._wire import Error

__all__ = ["AsyncFunction", "Error", "Function", "Signature"]
