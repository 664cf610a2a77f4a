package io.knabla.controller.knative.preflight;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Major and minor version of a Knative Serving release. */
public record KnativeVersion(int major, int minor) implements Comparable<KnativeVersion> {
    /**
     * The first release with a revision reconciler that copies changed annotations of a Revision to its PodAutoscaler
     * and nowhere else (knative/serving#16186), according to the source of 1.20 and 1.21. Knabla's tests run on 1.22
     * only.
     */
    public static final KnativeVersion OLDEST = new KnativeVersion(1, 21);

    public static final KnativeVersion TESTED = new KnativeVersion(1, 22);

    private static final Pattern FORM = Pattern.compile("(?:knative-)?v?(\\d{1,6})\\.(\\d{1,6})(?:[.+-].*)?");

    /** Parses a release such as {@code 1.22.0}; empty for one without a number, such as {@code devel}. */
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
