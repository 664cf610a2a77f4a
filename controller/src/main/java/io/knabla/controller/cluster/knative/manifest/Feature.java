package io.knabla.controller.cluster.knative.manifest;

/**
 * A part of a pod that Knative lets through only where a key of its ConfigMap {@code config-features}
 * says so.
 */
public enum Feature {
    Affinity("kubernetes.podspec-affinity", false, "keeps pods on the capacity that was asked for"),
    Tolerations(
            "kubernetes.podspec-tolerations", false, "lets pods onto tainted spot and GPU nodes"),
    EmptyDir(
            "kubernetes.podspec-volumes-emptydir",
            true,
            "gives a read-only container its cache and /tmp"),
    TopologySpread(
            "kubernetes.podspec-topologyspreadconstraints", false, "spreads replicas over zones"),
    PriorityClass(
            "kubernetes.podspec-priorityclassname",
            false,
            "lets replicas give way to what is more important");

    public static final String CONFIG_MAP = "config-features";

    private final String key;
    private final boolean defaultOn;
    private final String use;

    Feature(String key, boolean defaultOn, String use) {
        this.key = key;
        this.defaultOn = defaultOn;
        this.use = use;
    }

    public String key() {
        return key;
    }

    /** As Knative has it where the ConfigMap says nothing. */
    public boolean isDefault() {
        return defaultOn;
    }

    /** What for, as in "Affinity …". */
    public String use() {
        return use;
    }

    /** The command that switches it on. */
    public String cure() {
        return Cure.set(CONFIG_MAP, key, "enabled");
    }
}
