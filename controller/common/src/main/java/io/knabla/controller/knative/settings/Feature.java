package io.knabla.controller.knative.settings;

/** Pod fields that Knative accepts only if its ConfigMap {@code config-features} enables them. */
public enum Feature {
    Affinity("node affinity", "kubernetes.podspec-affinity", "keeps pods on the capacity that was asked for"),
    Tolerations("tolerations", "kubernetes.podspec-tolerations", "lets pods onto tainted spot and GPU nodes"),
    EmptyDir(
            "emptyDir",
            "kubernetes.podspec-volumes-emptydir",
            "gives a container whose own files are read-only its cache and /tmp"),
    TopologySpread("topology spread", "kubernetes.podspec-topologyspreadconstraints", "spreads replicas over zones"),
    PriorityClass(
            "priority class",
            "kubernetes.podspec-priorityclassname",
            "lets replicas give way to what is more important");

    public static final String CONFIG_MAP = "config-features";

    private final String title;
    private final String key;
    private final String use;

    Feature(String title, String key, String use) {
        this.title = title;
        this.key = key;
        this.use = use;
    }

    /** Name for people. */
    public String title() {
        return title;
    }

    public String key() {
        return key;
    }

    /** Whether Knative 1.22 enables it if the ConfigMap does not set it. */
    public boolean isDefault() {
        return this == EmptyDir;
    }

    /** Whether replicas can run without it; Knabla then omits the field. */
    public boolean isOptional() {
        return this == TopologySpread || this == PriorityClass;
    }

    /** What it does, as the predicate of a sentence. */
    public String use() {
        return use;
    }

    /** Command that enables it. */
    public String enableCommand() {
        return PatchCommands.set(CONFIG_MAP, key, "enabled");
    }
}
