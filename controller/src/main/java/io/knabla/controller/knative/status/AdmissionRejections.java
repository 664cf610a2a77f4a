package io.knabla.controller.knative.status;

import io.knabla.controller.knative.resource.Reason;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Explains why the API server rejected a pod, from the error message of its admission control. */
final class AdmissionRejections {
    private static final Pattern EXCEEDED = Pattern.compile(
            "exceeded quota: (?<quota>[^,]+), requested: (?<asked>.+), used: (?<used>.+), limited: (?<most>.+?)\\.?$");
    private static final Pattern UNSAID =
            Pattern.compile("failed quota: (?<quota>[^:]+): must specify (?<what>[^ ]+) for: (?<who>.+?)\\.?$");

    private AdmissionRejections() {}

    static Trouble trouble(String namespace, String said) {
        Matcher exceeded = EXCEEDED.matcher(said);
        if (exceeded.find()) {
            return Trouble.placing(Reason.QuotaExceeded, full(namespace, exceeded));
        }
        Matcher unsaid = UNSAID.matcher(said);
        if (unsaid.find()) {
            return Trouble.placing(Reason.QuotaExceeded, missingRequest(namespace, unsaid));
        }
        return Trouble.placing(
                Reason.PodRefused,
                "the API server refuses the pods: %s. Change what refuses them (a LimitRange, Pod Security or a webhook of namespace %s), or spec.resources."
                        .formatted(said, namespace));
    }

    private static String full(String namespace, Matcher said) {
        return "the quota '%s' of namespace %s is used up: a replica asks for %s, used are %s of %s. Raise it (kubectl edit resourcequota %s -n %s), delete what else runs there, or lower spec.resources or spec.scaling.max."
                .formatted(
                        said.group("quota"),
                        namespace,
                        said.group("asked"),
                        said.group("used"),
                        said.group("most"),
                        said.group("quota"),
                        namespace);
    }

    /** Names the queue-proxy's setting: Knabla always sets the resources of the replica's own container. */
    private static String missingRequest(String namespace, Matcher said) {
        String key = "queue-sidecar-" + kind(said.group("what"));
        return "the quota '%s' of namespace %s wants %s of every container, and %s has none. Set %s in ConfigMap config-deployment of knative-serving, or give the namespace a LimitRange with defaults."
                .formatted(said.group("quota"), namespace, said.group("what"), said.group("who"), key);
    }

    /** Converts {@code limits.memory} to {@code memory-limit}, as in Knative's ConfigMap keys. */
    private static String kind(String resource) {
        return resource.startsWith("limits.")
                ? resource.substring("limits.".length()) + "-limit"
                : resource.replace("requests.", "") + "-request";
    }
}
