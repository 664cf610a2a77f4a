package io.knabla.controller.cluster.knative.preflight;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A release of Knative Serving. */
public record KnativeVersion(int major, int minor) implements Comparable<KnativeVersion> {
    /**
     * The first release whose revision reconciler carries changed annotations of a Revision to its PodAutoscaler and to
     * nothing else (knative/serving#16186); read in the source of 1.20 and 1.21. Knabla's tests have run on 1.22 alone.
     */
    public static final KnativeVersion OLDEST = new KnativeVersion(1, 21);

    public static final KnativeVersion TESTED = new KnativeVersion(1, 22);

    private static final Pattern FORM = Pattern.compile("(?:knative-)?v?(\\d{1,6})\\.(\\d{1,6})(?:[.+-].*)?");

    /** @param text as in {@code 1.22.0}; empty for one that says no number, such as {@code devel} */
    static Optional<KnativeVersion> parse(String text) {
        Matcher matcher = FORM.matcher(text.strip());
        return matcher.matches()
                ? Optional.of(
                        new KnativeVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2))))
                : Optional.empty();
    }

    @Override
    public int compareTo(KnativeVersion other) {
        return Comparator.comparingInt(KnativeVersion::major)
                .thenComparingInt(KnativeVersion::minor)
                .compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}
