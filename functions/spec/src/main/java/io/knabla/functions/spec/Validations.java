package io.knabla.functions.spec;

import static io.knabla.functions.spec.FunctionDefaults.BATCHING;
import static io.knabla.functions.spec.FunctionDefaults.KEEP_WARM;
import static io.knabla.functions.spec.FunctionDefaults.PLACEMENT;
import static io.knabla.functions.spec.FunctionDefaults.RESOURCES;
import static io.knabla.functions.spec.FunctionDefaults.SCALING;
import static io.knabla.functions.spec.FunctionDefaults.TRAINING_SCALING;
import static io.knabla.functions.spec.Validation.given;
import static io.knabla.functions.spec.Validation.spec;
import static io.knabla.functions.spec.Validation.value;
import static io.knabla.functions.spec.Validation.valueOr;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import java.util.List;
import java.util.stream.Stream;

/** CEL versions of {@link CrossFieldRules} for the API server; a test compares the messages of both. */
final class Validations {
    static final String TYPE = value("type", FunctionType.Inference);
    static final String MAX = valueOr(
            "scaling.max", "%s == 'TrainingStep' ? %d : %d".formatted(TYPE, TRAINING_SCALING.max(), SCALING.max()));
    private static final String MIN = value("scaling.min", SCALING.min());
    private static final String BASE = value("placement.onDemandBase", PLACEMENT.onDemandBase());
    private static final String GPU = value("resources.gpu", RESOURCES.gpu());
    private static final String POLICY = value("keepWarm.policy", KEEP_WARM.policy());
    private static final String SCHEDULE = valueOr("keepWarm.schedule", "[]");
    private static final String DELAY = value("batching.maxDelay", Durations.format(BATCHING.maxDelay()));
    private static final String TIMEOUT = value("timeout", Durations.format(FunctionDefaults.TIMEOUT));
    private static final String TRAFFIC = valueOr("traffic", "[]");

    private Validations() {}

    /** Adds every rule to the schema of Function. */
    static void into(ObjectNode root) {
        all().forEach(validation -> validation.into(root));
        root.withObjectProperty("properties")
                .withObjectProperty("metadata")
                .withObjectProperty("properties")
                .set("name", name());
    }

    private static ObjectNode name() {
        return StructuralSchema.rule(
                TextFormats.dnsLabel().schema(),
                "!self.matches('^[0-9]')",
                "found a digit at the start; a cluster names services after the function, so begin with a letter");
    }

    static List<Validation> all() {
        return Stream.of(together(), warmth(), UnsupportedFeatures.validations(), GradientValidations.all())
                .flatMap(List::stream)
                .toList();
    }

    private static List<Validation> together() {
        return List.of(
                spec(
                        "spec.scaling.min",
                        MIN + " <= " + MAX,
                        "found %s, above spec.scaling.max of %s; lower min or raise max",
                        MIN,
                        MAX),
                spec(
                        "spec.placement.onDemandBase",
                        BASE + " <= " + MAX,
                        "found %s, above spec.scaling.max of %s; lower it or raise max",
                        BASE,
                        MAX),
                spec(
                        "spec.placement.onDemandBase",
                        BASE + " == 0 || " + value("placement.capacity", PLACEMENT.capacity()) + " != 'Spot'",
                        "found %s, but spec.placement.capacity Spot has no on-demand replicas; write capacity: Mixed, or 0",
                        BASE),
                spec(
                        "spec.resources.gpu",
                        GPU + " == 0 || " + value("placement.pool", PLACEMENT.pool()) + " != 'cpu'",
                        "found %s, but spec.placement.pool cpu has none; write pool: gpu or auto, or gpu: 0",
                        GPU),
                spec(
                        "spec.batching.maxDelay",
                        "!isDuration(DELAY) || !isDuration(TIMEOUT) || duration(DELAY) < duration(TIMEOUT)"
                                .replace("isDuration(DELAY)", isDuration(DELAY))
                                .replace("isDuration(TIMEOUT)", isDuration(TIMEOUT))
                                .replace("DELAY", DELAY)
                                .replace("TIMEOUT", TIMEOUT),
                        "found %s, not below spec.timeout of %s, so every batch could time out; lower it or raise timeout",
                        DELAY,
                        TIMEOUT),
                spec(
                        "spec.traffic",
                        TRAFFIC + ".size() == 0 || " + TRAFFIC + ".map(t, t.percent).sum() == 100",
                        "found percentages that add up to %s; make them add up to 100",
                        TRAFFIC + ".map(t, t.percent).sum()"),
                spec(
                        "spec.traffic",
                        TRAFFIC + ".all(t, " + TRAFFIC + ".exists_one(u, u.version == t.version))",
                        "found a version more than once; add its percentages up in one entry"));
    }

    private static String isDuration(String text) {
        return StructuralSchema.matches(text, Durations.STRUCTURAL);
    }

    private static List<Validation> warmth() {
        return List.of(
                spec(
                        "spec.keepWarm.schedule",
                        SCHEDULE + ".all(s, (has(s.min) ? s.min : 1) <= " + MAX + ")",
                        "found a min of %s, above spec.scaling.max of %s; lower it or raise max",
                        SCHEDULE + ".map(s, (has(s.min) ? s.min : 1)).max()",
                        MAX),
                spec(
                        "spec.keepWarm.idleTimeout",
                        POLICY + " != 'Fixed' || " + given("keepWarm.idleTimeout"),
                        "missing; policy Fixed keeps a replica for exactly that long, write idleTimeout: 10m or another duration"));
    }
}
