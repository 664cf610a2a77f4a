package io.knabla.bench;

/** Reports progress to the user; never on standard output, which is for the report. */
public interface Progress {
    void say(String what);
}
