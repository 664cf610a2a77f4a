package io.knabla.controller.cli;

/** Marks a verb that writes a file: its {@code -o} may also name that file. */
public interface WritesFile {}
