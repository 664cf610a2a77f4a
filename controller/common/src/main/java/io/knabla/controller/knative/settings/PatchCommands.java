package io.knabla.controller.knative.settings;

/** Writes the kubectl commands that correct Knative's settings. */
public final class PatchCommands {
    public static final String NAMESPACE = "knative-serving";

    private PatchCommands() {}

    /** Command that sets one key of one of Knative's ConfigMaps. */
    public static String set(String configMap, String key, String value) {
        return "kubectl patch configmap %s -n %s --type merge -p '{\"data\":{\"%s\":\"%s\"}}'"
                .formatted(configMap, NAMESPACE, key, value);
    }
}
