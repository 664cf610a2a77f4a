package io.knabla.bench;

/** Tells whoever waits what goes on; never on standard output, which belongs to the report. */
public interface Progress {
    void say(String what);
}
