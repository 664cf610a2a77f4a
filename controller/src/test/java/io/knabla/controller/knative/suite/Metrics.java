package io.knabla.controller.knative.suite;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a controller says of itself at {@code /q/metrics} at one moment. */
record Metrics(List<String> lines) {
    private static final Pattern BOUND = Pattern.compile("le=\"([^\"]+)\"");

    static Metrics of(URI platform) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(platform.resolve("/q/metrics")).build();
            return new Metrics(
                    http.send(request, BodyHandlers.ofString()).body().lines().toList());
        }
    }

    /** All series of one name, added up. */
    double sum(String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
                .mapToDouble(Metrics::value)
                .sum();
    }

    /** The series of one name by their labels, largest first, such as {@code {verb="get"} 3}. */
    List<String> series(String name) {
        return lines.stream()
                .filter(line -> line.startsWith(name + "{"))
                .sorted(Comparator.comparingDouble(Metrics::value).reversed())
                .map(line -> line.substring(name.length()))
                .toList();
    }

    /** The upper bound of the bucket that the quantile lies in, of a histogram with all its labels. */
    double quantile(String histogram, double quantile) {
        Map<Double, Double> upTo = new TreeMap<>();
        lines.stream()
                .filter(line -> line.startsWith(histogram + "_bucket{"))
                .forEach(line -> upTo.merge(bound(line), value(line), Double::sum));
        double wanted =
                quantile * upTo.values().stream().mapToDouble(n -> n).max().orElse(0);
        return upTo.entrySet().stream()
                .filter(bucket -> bucket.getValue() >= wanted)
                .mapToDouble(Map.Entry::getKey)
                .findFirst()
                .orElse(Double.NaN);
    }

    double heapMebibytes() {
        return lines.stream()
                        .filter(line -> line.startsWith("jvm_memory_used_bytes{"))
                        .filter(line -> line.contains("area=\"heap\""))
                        .mapToDouble(Metrics::value)
                        .sum()
                / (1 << 20);
    }

    private static double bound(String line) {
        Matcher bound = BOUND.matcher(line);
        if (!bound.find()) {
            throw new AssertionError("no bound in " + line);
        }
        return bound.group(1).equals("+Inf") ? Double.POSITIVE_INFINITY : Double.parseDouble(bound.group(1));
    }

    private static double value(String line) {
        return Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
    }
}
