package io.knabla.bench.report;

/** Reports progress to the user; never on standard output, which is for the report. */
public interface Progress {
    void report(String what);
}
