package io.knabla.controller.cli.print;

/** What {@code -o} takes; spelled as users type it. */
public enum Format {
    table,
    wide,
    json,
    yaml,
    name
}
