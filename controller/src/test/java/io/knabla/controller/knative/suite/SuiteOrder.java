package io.knabla.controller.knative.suite;

/**
 * Order of the cluster suite's classes, one after another but for {@link InterruptionsOnCluster}, which waits for nodes
 * most of the time: it runs beside the classes without an order and those that compute, before the first class that
 * locks the {@link #PLATFORM}.
 */
public final class SuiteOrder {
    /**
     * JUnit's lock of what all classes share: the installed controller, and which nodes there are. A class that changes
     * one of them has it to itself; a class that runs beside others reads it.
     */
    public static final String PLATFORM = "knabla.platform";

    /** JUnit's lock of the real spot nodes: a test has them to itself. */
    public static final String SPOT_NODES = "knabla.spot-nodes";

    /** Its functions start, package or compute all the time. */
    public static final int COMPUTES = Integer.MAX_VALUE - 3;

    /** Takes back the real nodes that {@link InterruptionsOnCluster} has used. */
    public static final int DRILLS = Integer.MAX_VALUE - 2;

    /** Changes the installed controller's settings, or adds fake nodes. */
    public static final int CHANGES_PLATFORM = Integer.MAX_VALUE - 1;

    /** Uninstalls the platform that the classes before it share. */
    public static final int WITHOUT_PLATFORM = Integer.MAX_VALUE;

    private SuiteOrder() {}
}
