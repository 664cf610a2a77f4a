package io.knabla.controller.config;

import io.knabla.storage.settings.SettingNames;
import io.knabla.storage.settings.SettingsReader;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Checks the format of the Knative settings at the start, before Kubernetes would reject them much later. */
public final class ClusterSettingsFormat {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static final Pattern SUBDOMAIN =
            Pattern.compile("(?=.{1,253}$)[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    /** Optional registry, repository, and a tag, a digest or both. */
    private static final Pattern IMAGE = Pattern.compile(
            "([\\w.-]+(:\\d+)?/)?[a-z0-9]+(([._/]|__|-+)[a-z0-9]+)*(:\\w[\\w.-]{0,127})?(@sha256:[0-9a-f]{64})?");

    private static final Pattern PINNED = Pattern.compile(".*(:\\w[\\w.-]{0,127}|@sha256:\\p{XDigit}+)");

    /** Names under which NVIDIA's device plugin offers GPUs and parts of them, as {@code GpuResource} knows them. */
    private static final Pattern GPU_RESOURCE =
            Pattern.compile("nvidia\\.com/(gpu(\\.shared)?|mig-[1-7]g\\.\\d{1,3}gb)");

    private final SettingsReader settings;

    private ClusterSettingsFormat(SettingsReader settings) {
        this.settings = settings;
    }

    /** Reports the faults to the settings. */
    public static void check(SettingsReader settings) {
        var values = new ClusterSettingsFormat(settings);
        values.image("KNABLA_CLUSTER_IMAGE");
        values.image("KNABLA_CLUSTER_GPU_IMAGE");
        values.gpuShare("KNABLA_CLUSTER_GPU_SHARE_RESOURCE");
        values.namespaces();
        values.name("KNABLA_CLUSTER_PRIORITY_CLASS");
        values.name("KNABLA_CLUSTER_CHECK_ACCOUNT");
        values.annotations("KNABLA_CLUSTER_SERVICE_ACCOUNT_ANNOTATIONS");
    }

    private void image(String name) {
        settings.text(name)
                .flatMap(ClusterSettingsFormat::fault)
                .ifPresent(
                        why -> add(
                                name,
                                why
                                        + ". Write REPOSITORY/replica:TAG or REPOSITORY/replica@sha256:…, as ./knabla images --push REPOSITORY prints it."));
    }

    private void gpuShare(String name) {
        settings.text(name)
                .filter(text -> !GPU_RESOURCE.matcher(text).matches())
                .ifPresent(text -> add(
                        name,
                        "is '%s'; allowed are nvidia.com/gpu, nvidia.com/gpu.shared and the resources of MIG such as nvidia.com/mig-1g.10gb. Claims and device classes of DRA cannot be used, since Knative passes none on: set extendedResourceName: nvidia.com/gpu in the DeviceClass instead"
                                .formatted(text)));
    }

    /** Why this is no valid, pinned image reference; empty when it is one. */
    private static Optional<String> fault(String image) {
        if (!IMAGE.matcher(image).matches()) {
            return Optional.of("is '%s', which is no name of an image".formatted(image));
        }
        return PINNED.matcher(image.substring(image.lastIndexOf('/') + 1)).matches()
                ? Optional.empty()
                : Optional.of("is '%s', without a tag or digest: which image that is may change under a version"
                        .formatted(image));
    }

    /** An environment variable separates namespaces with commas; a file may also hold a list. */
    private void namespaces() {
        String name = "KNABLA_CLUSTER_NAMESPACES";
        Stream<String> listed = Stream.iterate(0, i -> i + 1)
                .map(i -> settings.text(SettingNames.variable("cluster.namespaces[%d]".formatted(i))))
                .takeWhile(Optional::isPresent)
                .map(Optional::get);
        Stream<String> joined = settings.text(name).stream().flatMap(text -> Stream.of(text.split(",", -1)));
        List<String> wrong = Stream.concat(joined, listed)
                .filter(text -> !LABEL.matcher(text).matches())
                .map("'%s'"::formatted)
                .toList();
        if (!wrong.isEmpty()) {
            add(
                    name,
                    "names %s; allowed are names of namespaces, 1 to 63 of a-z, 0-9 and - each, with a comma and no space between. Leave it out for all namespaces."
                            .formatted(String.join(" and ", wrong)));
        }
    }

    private void name(String name) {
        settings.text(name)
                .filter(text -> !SUBDOMAIN.matcher(text).matches())
                .ifPresent(text -> add(
                        name,
                        "is '%s'; allowed is the name of a Kubernetes object: a-z, 0-9, - and ., starting and ending with a letter or digit"
                                .formatted(text)));
    }

    private void annotations(String name) {
        try {
            settings.text(name).ifPresent(Settings.Pairs::parse);
        } catch (IllegalArgumentException notPairs) {
            add(name, "is wrong: " + notPairs.getMessage());
        }
    }

    private void add(String name, String why) {
        settings.report(name + " " + why);
    }
}
