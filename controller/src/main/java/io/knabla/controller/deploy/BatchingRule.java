package io.knabla.controller.deploy;

import io.knabla.controller.platform.engine.RowsVerdict;
import io.knabla.functions.Fault;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.util.List;

/** Decides whether a function may be batched: whether rows of several requests may be joined into one run. Pure. */
final class BatchingRule {
    private static final String PATH = "spec.batching.maxSize";

    /** Result of the rule. */
    sealed interface Batching {
        /** @param warnings what is not known, or not in effect */
        record Allowed(List<String> warnings) implements Batching {}

        record Refused(Fault fault) implements Batching {}
    }

    private BatchingRule() {}

    /** Whether replicas of this function join requests. */
    static boolean joins(FunctionSpec spec) {
        return spec.batching().maxSize() > 1;
    }

    /** @param rows of a function that joins requests */
    static Batching of(FunctionSpec spec, RowsVerdict rows) {
        return switch (rows.finding()) {
            case INDEPENDENT -> new Batching.Allowed(List.of());
            case DEPENDENT ->
                refused(
                        spec,
                        "the rows of one caller change the answers of another: %s. Remove batching, or %s"
                                .formatted(rows.reason(), remedy(spec.quantize().type())));
            case INSEPARABLE ->
                refused(
                        spec,
                        "the answers of joined requests cannot be told apart: %s. Remove batching"
                                .formatted(rows.reason()));
            case NOT_CHECKED ->
                warned(
                        "whether rows of one caller change the answers of another could not be checked: %s. Compare answers alone and in a batch, or remove batching."
                                .formatted(rows.reason()));
            case NOT_JOINED ->
                warned("it has no effect on this model: %s. Export it with one, or remove batching."
                        .formatted(rows.reason()));
        };
    }

    /** A dynamic scale is taken over all rows of a run. */
    private static String remedy(QuantizeType quantize) {
        return switch (quantize) {
            case Dynamic -> "write spec.quantize: {type: Static}, whose scales do not depend on the rows";
            case None, Static, Int8, Int4, Float16 -> "export a model that computes each row by itself";
        };
    }

    private static Batching refused(FunctionSpec spec, String why) {
        return new Batching.Refused(
                new Fault(PATH, "found %d, but %s".formatted(spec.batching().maxSize(), why)));
    }

    private static Batching warned(String what) {
        return new Batching.Allowed(List.of("spec.batching: " + what));
    }
}
