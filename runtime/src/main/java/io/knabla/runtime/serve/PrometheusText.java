package io.knabla.runtime.serve;

import io.knabla.runtime.http.LatencyBuckets;
import java.util.List;

/** Writes metrics in Prometheus' text format. */
public final class PrometheusText {
    private PrometheusText() {}

    /** The two lines before the series of a metric. */
    public static void type(StringBuilder text, String name, String type, String help) {
        text.append("# HELP ").append(name).append(' ').append(help).append('\n');
        text.append("# TYPE ").append(name).append(' ').append(type).append('\n');
    }

    /** @param labels without braces */
    public static void line(StringBuilder text, String name, String labels, long value) {
        text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }

    /** @param labels without braces */
    public static void line(StringBuilder text, String name, String labels, double value) {
        text.append(name).append('{').append(labels).append("} ").append(value).append('\n');
    }

    /**
     * All series of a histogram of durations; none if nothing was recorded.
     *
     * @param labels without braces
     * @param counts of durations, by the first of {@link LatencyBuckets#BOUNDS} that they do not exceed; the last one
     *     of those that exceed all
     * @param nanos sum of the durations
     */
    public static void histogram(StringBuilder text, String name, String labels, List<Long> counts, long nanos) {
        long below = 0;
        var series = new StringBuilder();
        for (int bucket = 0; bucket < counts.size(); bucket++) {
            below += counts.get(bucket);
            line(series, name + "_bucket", labels + ",le=\"" + bound(bucket) + "\"", below);
        }
        if (below > 0) {
            text.append(series);
            text.append(name).append("_sum{").append(labels).append("} ");
            text.append(nanos / 1e9).append('\n');
            line(text, name + "_count", labels, below);
        }
    }

    private static String bound(int bucket) {
        return bucket < LatencyBuckets.BOUNDS.size()
                ? Double.toString(LatencyBuckets.BOUNDS.get(bucket).toNanos() / 1e9)
                : "+Inf";
    }
}
