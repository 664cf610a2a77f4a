package io.knabla.controller.cluster.knative;

/** What Knabla writes on what it makes in a cluster, so that it and people find it again. */
public final class Labels {
    public static final String GROUP = "knabla.dev";
    public static final String MANAGER = "knabla";

    /** The function's name; on Configurations, Revisions, pods and the Route. */
    public static final String FUNCTION = GROUP + "/function";

    /** The version's number; on Revisions and pods. */
    public static final String VERSION = GROUP + "/version";

    /** {@code cpu} or {@code gpu}; on nodes, where their owner says so, and on pods. */
    public static final String POOL = GROUP + "/pool";

    /** {@code spot} or {@code on-demand}; on Configurations and pods. */
    public static final String CAPACITY = GROUP + "/capacity-type";

    private Labels() {}
}
