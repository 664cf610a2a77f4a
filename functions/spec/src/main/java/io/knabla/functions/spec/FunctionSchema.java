package io.knabla.functions.spec;

import static io.knabla.functions.spec.FieldTypes.bool;
import static io.knabla.functions.spec.FieldTypes.choice;
import static io.knabla.functions.spec.FieldTypes.decimal;
import static io.knabla.functions.spec.FieldTypes.duration;
import static io.knabla.functions.spec.FieldTypes.from;
import static io.knabla.functions.spec.FieldTypes.integer;
import static io.knabla.functions.spec.FieldTypes.list;
import static io.knabla.functions.spec.FieldTypes.map;
import static io.knabla.functions.spec.FieldTypes.orAuto;
import static io.knabla.functions.spec.FieldTypes.quantity;
import static io.knabla.functions.spec.FieldTypes.text;
import static io.knabla.functions.spec.FunctionDefaults.BATCHING;
import static io.knabla.functions.spec.FunctionDefaults.KEEP_WARM;
import static io.knabla.functions.spec.FunctionDefaults.PLACEMENT;
import static io.knabla.functions.spec.FunctionDefaults.RESOURCES;

import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.spec.FunctionSpec.Batching;
import io.knabla.functions.spec.FunctionSpec.Capacity;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.KeepWarm;
import io.knabla.functions.spec.FunctionSpec.Placement;
import io.knabla.functions.spec.FunctionSpec.Pool;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.spec.FunctionSpec.Scaling;
import io.knabla.functions.spec.FunctionSpec.Schedule;
import io.knabla.functions.spec.FunctionSpec.SpotPolicyName;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import io.knabla.functions.spec.FunctionSpec.WarmPolicy;
import io.knabla.functions.spec.Quantities.Unit;
import io.knabla.functions.spec.Quantize.QuantizeType;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Schema of function.yaml: one line per key with type, bounds and default. */
final class FunctionSchema {
    private static final Duration ZERO = Duration.ZERO;
    private static final Duration MILLISECOND = Duration.ofMillis(1);
    private static final Duration HOUR = Duration.ofHours(1);
    private static final Duration WEEK = Duration.ofDays(7);

    /** More than any real deployment has, so it catches typing errors. */
    private static final int MOST_REPLICAS = 1_000;

    private static final long MEBIBYTE = 1L << 20;
    private static final long TEBIBYTE = 1L << 40;

    private static final FieldType<Long> CPU =
            quantity(Unit.CPU, "cores from 10m to 1024 such as 500m or 2, or auto", 10, 1_024_000);
    private static final FieldType<Long> MEMORY_SIZE =
            quantity(Unit.BYTES, "bytes from 64Mi to 16Ti such as 512Mi or 1Gi, or auto", 64 * MEBIBYTE, 16 * TEBIBYTE);
    private static final FieldType<Map<String, String>> ANNOTATIONS =
            map(text("a name", 317), FieldTypes.form(() -> StructuralSchema.text(1 << 18), "text", Optional::of), 200);

    private static final FieldType<Map<String, List<Integer>>> SHAPES =
            map(text("a tensor's name", 1_024), list(integer(-1, Integer.MAX_VALUE), 32), 100);

    static final FieldType<FunctionResource> RESOURCE = MappingReader.of(FunctionSchema::resource);
    static final FieldType<FunctionSpec> SPEC = MappingReader.of(FunctionSchema::spec);

    private FunctionSchema() {}

    private record Metadata(String namespace, String name) {}

    private static FunctionResource resource(MappingReader block) {
        block.require("apiVersion", constant(FunctionResource.API_VERSION), "", FunctionResource.API_VERSION);
        block.require("kind", constant(FunctionResource.KIND), "", FunctionResource.KIND);
        Metadata metadata = block.require(
                "metadata",
                MappingReader.of(FunctionSchema::metadata),
                new Metadata(FunctionDefaults.NAMESPACE, ""),
                "metadata with the function's name");
        FunctionSpec spec =
                block.require("spec", SPEC, FunctionDefaults.inference(""), "spec with the function's model");
        block.ignore("status"); // written by the platform; a described function can be applied again
        return new FunctionResource(metadata.namespace(), metadata.name(), spec);
    }

    private static Metadata metadata(MappingReader block) {
        block.find("labels", ANNOTATIONS);
        block.find("annotations", ANNOTATIONS);
        // Fields that the API server adds; allowed so that the output of `kubectl get -o yaml` can be deployed again.
        block.ignore("uid", "resourceVersion", "generation", "creationTimestamp");
        block.ignore("generateName", "managedFields", "ownerReferences", "finalizers", "selfLink");
        block.ignore("deletionTimestamp", "deletionGracePeriodSeconds");
        return new Metadata(
                block.get("namespace", TextFormats.dnsLabel(), FunctionDefaults.NAMESPACE),
                block.require("name", TextFormats.dnsLabel(), "", "the function's name, a DNS label"));
    }

    private static FunctionSpec spec(MappingReader block) {
        FunctionType type = block.get("type", choice(FunctionType.class), FunctionType.Inference);
        String model = block.require("model", TextFormats.model(), "", "the path of an ONNX file beside this file");
        Map<String, String> externalData =
                block.get("externalData", map(TextFormats.location(), TextFormats.storedFile(), 4_096), Map.of());
        ModelInterface modelInterface = modelInterface(block);
        Optional<Gradient> gradient = block.find("gradient", MappingReader.of(GradientSchema::gradient));
        Generation generation =
                block.get("generation", MappingReader.of(GenerationSchema::generation), Generation.DEFAULT);
        Scaling scaling = FunctionDefaults.scaling(type, generation);
        return new FunctionSpec(
                type,
                model,
                externalData,
                modelInterface,
                gradient,
                generation,
                block.get("quantize", MappingReader.of(FunctionSchema::quantize), Quantize.NONE),
                block.get("resources", MappingReader.of(FunctionSchema::resources), RESOURCES),
                block.get("placement", MappingReader.of(FunctionSchema::placement), PLACEMENT),
                block.get("scaling", MappingReader.of(inner -> scaling(inner, scaling)), scaling),
                block.get("keepWarm", MappingReader.of(FunctionSchema::keepWarm), KEEP_WARM),
                block.get("batching", MappingReader.of(FunctionSchema::batching), BATCHING),
                block.find("timeout", duration(MILLISECOND, HOUR)).orElse(FunctionDefaults.timeout(type)),
                block.get("traffic", list(MappingReader.of(FunctionSchema::traffic), 20), List.of()));
    }

    private static Quantize quantize(MappingReader block) {
        return new Quantize(
                block.get("type", choice(QuantizeType.class), QuantizeType.None),
                block.find("blockSize", integer(16, 256)),
                block.find("calibration", TextFormats.model()));
    }

    private static ModelInterface modelInterface(MappingReader block) {
        return new ModelInterface(
                block.find("servedName", TextFormats.servedName()),
                block.get("grpc", bool(), false),
                block.get("shapes", SHAPES, Map.of()),
                block.get("optionalInputs", list(text("an initializer's name", 1_024), 100), List.of()));
    }

    private static Resources resources(MappingReader block) {
        return new Resources(
                block.get("cpu", orAuto(CPU), RESOURCES.milliCpu()),
                block.get("memory", orAuto(MEMORY_SIZE), RESOURCES.memoryBytes()),
                block.get("gpu", from(0, 16), RESOURCES.gpu()));
    }

    private static Placement placement(MappingReader block) {
        return new Placement(
                block.get("pool", choice(Pool.class), PLACEMENT.pool()),
                block.get("capacity", choice(Capacity.class), PLACEMENT.capacity()),
                block.get("onDemandBase", integer(0, MOST_REPLICAS), PLACEMENT.onDemandBase()),
                block.get("policy", choice(SpotPolicyName.class), PLACEMENT.policy()));
    }

    private static Scaling scaling(MappingReader block, Scaling defaults) {
        return new Scaling(
                block.get("min", integer(0, MOST_REPLICAS), defaults.min()),
                block.find("max", integer(1, MOST_REPLICAS)).orElse(defaults.max()),
                block.find("concurrency", integer(1, 1_000)).orElse(defaults.concurrency()),
                block.get("targetUtilization", decimal(0, 1), defaults.targetUtilization()),
                block.get("idleAfter", duration(ZERO, WEEK), defaults.idleAfter()));
    }

    private static KeepWarm keepWarm(MappingReader block) {
        return new KeepWarm(
                block.get("policy", choice(WarmPolicy.class), KEEP_WARM.policy()),
                block.find("idleTimeout", duration(MILLISECOND, WEEK)).orElse(KEEP_WARM.idleTimeout()),
                block.get("coldStartCost", from(0, 1_000), KEEP_WARM.coldStartCost()),
                block.get("schedule", list(MappingReader.of(FunctionSchema::schedule), 50), KEEP_WARM.schedule()));
    }

    private static Schedule schedule(MappingReader block) {
        return new Schedule(
                block.require("cron", TextFormats.cron(), "", "five cron fields such as 0 8 * * 1-5"),
                block.get("timezone", TextFormats.timezone(), FunctionDefaults.TIMEZONE),
                block.require(
                        "duration", duration(Duration.ofMinutes(1), WEEK), HOUR, "how long to stay warm, such as 10h"),
                block.get("min", integer(1, MOST_REPLICAS), 1));
    }

    private static Batching batching(MappingReader block) {
        return new Batching(
                block.get("maxSize", integer(1, 1_024), BATCHING.maxSize()),
                block.get("maxDelay", duration(ZERO, Duration.ofSeconds(10)), BATCHING.maxDelay()));
    }

    private static TrafficTarget traffic(MappingReader block) {
        return new TrafficTarget(
                block.find("version", integer(1, Integer.MAX_VALUE)),
                block.get("latest", bool(), false),
                block.require("percent", integer(0, 100), 0, "its share of the requests, 0 to 100"),
                block.find("tag", TextFormats.tag()));
    }

    private static FieldType<String> constant(String only) {
        return FieldTypes.form(
                () -> StructuralSchema.choice(List.of(only)),
                only,
                written -> Optional.of(written).filter(only::equals));
    }
}
