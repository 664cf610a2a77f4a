package io.knabla.controller.config;

import io.knabla.controller.home.StoreAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
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

    private final Function<String, Optional<String>> setting;
    private final List<String> faults = new ArrayList<>();

    private ClusterSettingsFormat(Function<String, Optional<String>> setting) {
        this.setting = setting;
    }

    /** @param setting by name without {@code knabla.} */
    public static List<String> faults(Function<String, Optional<String>> setting) {
        var values = new ClusterSettingsFormat(setting);
        values.image("cluster.image");
        values.image("cluster.gpu-image");
        values.namespaces();
        values.name("cluster.priority-class");
        values.name("cluster.check-account");
        values.annotations("cluster.service-account-annotations");
        return values.faults;
    }

    private void image(String name) {
        setting.apply(name)
                .flatMap(ClusterSettingsFormat::fault)
                .ifPresent(
                        why -> add(
                                name,
                                why
                                        + ". Write REPOSITORY/replica:TAG or REPOSITORY/replica@sha256:…, as ./knabla images --push REPOSITORY prints it."));
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
        String name = "cluster.namespaces";
        Stream<String> listed = Stream.iterate(0, i -> i + 1)
                .map(i -> setting.apply("%s[%d]".formatted(name, i)))
                .takeWhile(Optional::isPresent)
                .map(Optional::get);
        Stream<String> joined = setting.apply(name).stream().flatMap(text -> Stream.of(text.split(",", -1)));
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
        setting.apply(name)
                .filter(text -> !SUBDOMAIN.matcher(text).matches())
                .ifPresent(text -> add(
                        name,
                        "is '%s'; allowed is the name of a Kubernetes object: a-z, 0-9, - and ., starting and ending with a letter or digit"
                                .formatted(text)));
    }

    private void annotations(String name) {
        try {
            setting.apply(name).ifPresent(Settings.Pairs::parse);
        } catch (IllegalArgumentException notPairs) {
            add(name, "is wrong: " + notPairs.getMessage());
        }
    }

    private void add(String name, String why) {
        faults.add(StoreAccess.variable(name) + " " + why);
    }
}
