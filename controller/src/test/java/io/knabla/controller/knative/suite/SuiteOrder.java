package io.knabla.controller.knative.suite;

/**
 * Order of the cluster suite's classes. Other suites use the processors during its first two thirds, so classes that
 * wait come before classes that compute; classes without an order stand between them.
 */
public final class SuiteOrder {
    /** Nearly all of its minutes are spent waiting for nodes. */
    public static final int WAITS_FOR_NODES = 1;

    /** Its functions start, package or compute all the time. */
    public static final int COMPUTES = Integer.MAX_VALUE - 1;

    /** Uninstalls the platform that the classes before it share. */
    public static final int WITHOUT_PLATFORM = Integer.MAX_VALUE;

    private SuiteOrder() {}
}
