package io.knabla.controller.cli.print;

/** Output formats of {@code -o}, spelled as users type them. */
public enum Format {
    table,
    wide,
    json,
    yaml,
    name
}
