package io.knabla.controller.cli;

/** A verb whose {@code -o} may also name the file that it writes. */
public interface WritesFile {}
