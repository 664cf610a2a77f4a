package io.knabla.controller.cluster.knative.manifest;

/** Commands that put a cluster's settings right. */
public final class Cure {
    public static final String NAMESPACE = "knative-serving";

    private Cure() {}

    /** Sets one key of one of Knative's ConfigMaps. */
    public static String set(String configMap, String key, String value) {
        return "kubectl patch configmap %s -n %s --type merge -p '{\"data\":{\"%s\":\"%s\"}}'"
                .formatted(configMap, NAMESPACE, key, value);
    }
}
