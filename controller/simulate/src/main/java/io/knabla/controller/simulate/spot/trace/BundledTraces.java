package io.knabla.controller.simulate.spot.trace;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The recorded traces of spot capacity that this module ships; their sources and licences are in the README beside
 * them.
 */
public final class BundledTraces {
    /** Nine zones of p3.2xlarge for 45 days: the one of the published comparisons. */
    public static final String NINE_ZONES = "aws-p3.2xlarge-9zones-2023-02-16";

    private static final List<String> FILES = List.of(
            NINE_ZONES + ".csv",
            "bamboo-aws-g4dn-nodes-events.csv",
            "bamboo-aws-g4dn.xlarge-us-east-1c-2020-11-20-counts.csv",
            "bamboo-aws-g4dn.xlarge-us-east-1d-2020-11-23-counts.csv",
            "bamboo-aws-p3-nodes-events.csv",
            "spotserve-aws-t4x4-As.jsonl",
            "spotserve-aws-t4x4-As+o.jsonl");

    private BundledTraces() {}

    public static List<String> names() {
        return FILES.stream().map(BundledTraces::nameOf).toList();
    }

    /** Empty if no trace has this name. */
    public static Optional<AvailabilityTrace> find(String name) {
        return FILES.stream()
                .filter(file -> nameOf(file).equals(name))
                .map(file -> TraceReader.read(name, text(file)))
                .findFirst();
    }

    private static String nameOf(String file) {
        return file.substring(0, file.lastIndexOf('.'));
    }

    private static String text(String file) {
        try (InputStream bytes = BundledTraces.class.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException(
                        "the bundled trace %s is not on the class path; build the module controller-simulate again"
                                .formatted(file));
            }
            return new String(bytes.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the bundled trace " + file, e);
        }
    }
}
