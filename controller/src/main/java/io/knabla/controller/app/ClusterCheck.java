package io.knabla.controller.app;

import io.knabla.controller.config.ClusterSettingsFormat;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.storage.settings.SettingsReader;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Checks, before the start, the settings that a platform on Knative requires. */
final class ClusterCheck {
    /** The API server's address, in every pod's environment. */
    private static final String IN_CLUSTER = "KUBERNETES_SERVICE_HOST";

    private static final String KIND = "KNABLA_CLUSTER_KIND";

    private ClusterCheck() {}

    /**
     * Reports the faults to the settings.
     *
     * @param environment variables of this process
     */
    static void check(SettingsReader settings, Map<String, String> environment) {
        String text = settings.text(KIND).orElse(ClusterKind.Local.name());
        Optional<ClusterKind> known = kind(text);
        if (known.isEmpty()) {
            settings.report("%s is '%s'; allowed are %s%s".formatted(KIND, text, kinds(), meant(text)));
        }
        known.filter(kind -> kind == ClusterKind.Knative).ifPresent(_ -> knative(settings, environment));
    }

    private static Optional<ClusterKind> kind(String text) {
        return Arrays.stream(ClusterKind.values())
                .filter(kind -> kind.name().equals(text))
                .findFirst();
    }

    /** Suggests the value that was probably meant, such as Knative for "kubernetes". */
    private static String meant(String text) {
        return text.equalsIgnoreCase("Kubernetes")
                ? ". Write Knative, which is how Knabla runs functions on Kubernetes."
                : Arrays.stream(ClusterKind.values())
                        .filter(kind -> kind.name().equalsIgnoreCase(text.strip()))
                        .findFirst()
                        .map(". Write %s."::formatted)
                        .orElse(". Write one of them, or leave it out for Local.");
    }

    private static String kinds() {
        return Arrays.stream(ClusterKind.values()).map(ClusterKind::name).collect(Collectors.joining(" and "));
    }

    private static void knative(SettingsReader settings, Map<String, String> environment) {
        if (settings.text("KNABLA_CLUSTER_IMAGE").isEmpty()) {
            settings.report(
                    "KNABLA_CLUSTER_IMAGE is not set: on a cluster replicas are pods of an image. ./knabla images --push REPOSITORY makes one and prints its name.");
        }
        Optional<String> store = settings.text("KNABLA_STORE");
        if (store.filter(location -> location.startsWith("s3://")).isEmpty()) {
            settings.report(
                    "KNABLA_STORE is %s: pods cannot read files of this machine. Set it to s3://bucket/prefix (KNABLA_S3_ENDPOINT for any S3-compatible server)."
                            .formatted(store.map("'%s'"::formatted).orElse("not set")));
        }
        ClusterSettingsFormat.check(settings);
        cluster(environment).ifPresent(settings::report);
    }

    /** Checks only that a cluster is configured; readiness reports whether it answers. */
    private static Optional<String> cluster(Map<String, String> environment) {
        String files = environment.getOrDefault("KUBECONFIG", "");
        if (!files.isBlank()) {
            List<String> absent = Arrays.stream(files.split(File.pathSeparator))
                    .filter(file -> !file.isBlank() && Files.notExists(Path.of(file)))
                    .toList();
            return absent.isEmpty()
                    ? Optional.empty()
                    : Optional.of("KUBECONFIG names %s, which is not there; correct it or unset it"
                            .formatted(String.join(" and ", absent)));
        }
        Path standard = Path.of(System.getProperty("user.home"), ".kube", "config");
        return Files.exists(standard) || environment.containsKey(IN_CLUSTER)
                ? Optional.empty()
                : Optional.of(
                        "there is no cluster to reach: this is no pod (%s is not set), KUBECONFIG is not set and %s is not there. Set KUBECONFIG to a kubeconfig, or start without KNABLA_CLUSTER_KIND."
                                .formatted(IN_CLUSTER, standard));
    }
}
