package io.knabla.functions.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.spec.FunctionSpec.FunctionType;
import io.knabla.functions.spec.FunctionSpec.KeepWarm;
import io.knabla.functions.spec.FunctionSpec.Resources;
import io.knabla.functions.spec.FunctionSpec.Scaling;
import io.knabla.functions.spec.FunctionSpec.Schedule;
import io.knabla.functions.spec.FunctionSpec.TrafficTarget;
import java.util.List;
import java.util.TreeMap;

/** Writes a resource as canonical JSON with all defaults; equal resources give equal text. */
final class SpecWriter {
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private SpecWriter() {}

    static ObjectNode resource(FunctionResource resource) {
        ObjectNode node = NODES.objectNode();
        node.put("apiVersion", FunctionResource.API_VERSION);
        node.put("kind", FunctionResource.KIND);
        node.putObject("metadata").put("name", resource.name()).put("namespace", resource.namespace());
        node.set("spec", spec(resource.spec()));
        return node;
    }

    static ObjectNode spec(FunctionSpec spec) {
        ObjectNode node = NODES.objectNode();
        node.put("type", spec.type().name());
        node.put("model", spec.model());
        if (!spec.externalData().isEmpty()) {
            ObjectNode files = node.putObject("externalData");
            new TreeMap<>(spec.externalData()).forEach(files::put);
        }
        spec.modelInterface().servedName().ifPresent(name -> node.put("servedName", name));
        if (spec.modelInterface().grpc()) {
            node.put("grpc", true);
        }
        if (!spec.modelInterface().shapes().isEmpty()) {
            ObjectNode shapes = node.putObject("shapes");
            new TreeMap<>(spec.modelInterface().shapes()).forEach((name, shape) -> {
                ArrayNode sizes = shapes.putArray(name);
                shape.forEach(sizes::add);
            });
        }
        if (!spec.modelInterface().optionalInputs().isEmpty()) {
            ArrayNode names = node.putArray("optionalInputs");
            spec.modelInterface().optionalInputs().forEach(names::add);
        }
        spec.gradient().ifPresent(gradient -> node.set("gradient", GradientWriter.gradient(gradient)));
        if (spec.type() == FunctionType.Generation) {
            node.set("generation", GenerationSchema.json(spec.generation()));
        }
        if (!spec.quantize().equals(Quantize.NONE)) {
            node.set("quantize", quantize(spec.quantize()));
        }
        node.set("resources", resources(spec.resources()));
        node.putObject("placement")
                .put("pool", spec.placement().pool().name())
                .put("capacity", spec.placement().capacity().name())
                .put("onDemandBase", spec.placement().onDemandBase())
                .put("policy", spec.placement().policy().name());
        node.set("scaling", scaling(spec.scaling()));
        node.set("keepWarm", keepWarm(spec.keepWarm()));
        node.putObject("batching")
                .put("maxSize", spec.batching().maxSize())
                .put("maxDelay", Durations.format(spec.batching().maxDelay()));
        node.put("timeout", Durations.format(spec.timeout()));
        traffic(spec, node);
        return node;
    }

    private static ObjectNode quantize(Quantize quantize) {
        ObjectNode node = NODES.objectNode().put("type", quantize.type().name());
        quantize.blockSize().ifPresent(size -> node.put("blockSize", size));
        quantize.calibration().ifPresent(file -> node.put("calibration", file));
        return node;
    }

    private static ObjectNode resources(Resources resources) {
        return NODES.objectNode()
                .put("cpu", resources.milliCpu().map(Quantities::formatCpu).orElse("auto"))
                .put(
                        "memory",
                        resources.memoryBytes().map(Quantities::formatBytes).orElse("auto"))
                .set("gpu", gpu(resources.gpu()));
    }

    private static JsonNode gpu(double number) {
        return GpuShare.isShare(number) ? NODES.numberNode(number) : NODES.numberNode(Math.round(number));
    }

    private static ObjectNode scaling(Scaling scaling) {
        return NODES.objectNode()
                .put("min", scaling.min())
                .put("max", scaling.max())
                .put("concurrency", scaling.concurrency())
                .put("targetUtilization", scaling.targetUtilization())
                .put("idleAfter", Durations.format(scaling.idleAfter()));
    }

    private static ObjectNode keepWarm(KeepWarm keepWarm) {
        ObjectNode node = NODES.objectNode();
        node.put("policy", keepWarm.policy().name());
        node.put("idleTimeout", Durations.format(keepWarm.idleTimeout()));
        node.put("coldStartCost", keepWarm.coldStartCost());
        if (!keepWarm.schedule().isEmpty()) {
            ArrayNode schedules = node.putArray("schedule");
            keepWarm.schedule().forEach(schedule -> schedules.add(schedule(schedule)));
        }
        return node;
    }

    private static ObjectNode schedule(Schedule schedule) {
        return NODES.objectNode()
                .put("cron", schedule.cron())
                .put("timezone", schedule.timezone())
                .put("duration", Durations.format(schedule.duration()))
                .put("min", schedule.min());
    }

    private static void traffic(FunctionSpec spec, ObjectNode node) {
        if (!spec.traffic().isEmpty()) {
            node.set("traffic", traffic(spec.traffic()));
        }
    }

    static ArrayNode traffic(List<TrafficTarget> traffic) {
        ArrayNode list = NODES.arrayNode();
        for (TrafficTarget target : traffic) {
            ObjectNode node = list.addObject();
            target.version().ifPresent(number -> node.put("version", number));
            if (target.latest()) {
                node.put("latest", true);
            }
            node.put("percent", target.percent());
            target.tag().ifPresent(tag -> node.put("tag", tag));
        }
        return list;
    }
}
