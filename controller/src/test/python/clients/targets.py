"""Addresses from the command line: NAME=URL for each function's root, and server=URL for a platform's."""

import sys

TARGETS = dict(argument.split("=", 1) for argument in sys.argv[1:])
# None on a bare replica, which has no platform in front.
SERVER = TARGETS.get("server")
