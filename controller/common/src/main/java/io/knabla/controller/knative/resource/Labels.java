package io.knabla.controller.knative.resource;

/** Names of the labels and annotations of objects in a cluster, and of Knabla's API group and field manager. */
public final class Labels {
    public static final String GROUP = "knabla.dev";
    public static final String MANAGER = "knabla";

    /** The function's name; on Configurations, Revisions, pods and the Route. */
    public static final String FUNCTION = GROUP + "/function";

    /** On pods of other objects than functions: the object's kind, such as {@code Training}. */
    public static final String KIND = GROUP + "/kind";

    /** On pods of other objects than functions: the object's name. */
    public static final String OWNER = GROUP + "/owner";

    /** The version's number, or that of another object's run; on Revisions and on pods of all workloads. */
    public static final String VERSION = GROUP + "/version";

    /** {@code cpu} or {@code gpu}; on nodes, if the administrator sets it, and on pods. */
    public static final String POOL = GROUP + "/pool";

    /** {@code spot} or {@code on-demand}; on Configurations and pods. */
    public static final String CAPACITY = GROUP + "/capacity-type";

    /** Annotation of a Function: a name of its present spec, which the condition {@code Ready-CHANGE} repeats. */
    public static final String CHANGE = GROUP + "/change";

    /** On PodDisruptionBudgets that hold the last spot replica of a Revision until it is replaced. */
    public static final String DRAIN_HOLD = GROUP + "/drain-hold";

    /** On a wake pool and its pods. */
    public static final String WAKE_POOL = GROUP + "/wake-pool";

    private Labels() {}
}
