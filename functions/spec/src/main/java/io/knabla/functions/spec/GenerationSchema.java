package io.knabla.functions.spec;

import static io.knabla.functions.spec.FieldTypes.choice;
import static io.knabla.functions.spec.FieldTypes.duration;
import static io.knabla.functions.spec.FieldTypes.integer;
import static io.knabla.functions.spec.FieldTypes.quantity;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.spec.Generation.KvCache;
import io.knabla.functions.spec.Generation.KvCacheType;
import io.knabla.functions.spec.Generation.Objectives;
import io.knabla.functions.spec.Generation.Prefill;
import io.knabla.functions.spec.Generation.Queue;
import io.knabla.functions.spec.Generation.Speculation;
import io.knabla.functions.spec.Generation.SpeculationType;
import io.knabla.functions.spec.Quantities.Unit;
import java.time.Duration;

/** Schema of the block {@code generation} of function.yaml. */
final class GenerationSchema {
    private static final int MOST_TOKENS = 1 << 20;
    private static final int MOST_SEQUENCES = 256;
    private static final int MOST_WAITING = 100_000;
    private static final int MOST_DRAFTED = 16;
    private static final Duration MILLISECOND = Duration.ofMillis(1);

    private static final FieldType<Long> KEY_VALUE_BYTES =
            quantity(Unit.BYTES, "bytes from 64Ki to 16Ti such as 512Mi or 2Gi", 64L << 10, 16L << 40);

    private GenerationSchema() {}

    static Generation generation(MappingReader block) {
        return new Generation(
                block.find("contextLength", integer(2, MOST_TOKENS)),
                block.get("maxSequences", integer(1, MOST_SEQUENCES), Generation.DEFAULT.maxSequences()),
                block.get("kvCache", MappingReader.of(GenerationSchema::kvCache), KvCache.DEFAULT),
                block.get("queue", MappingReader.of(GenerationSchema::queue), Generation.DEFAULT.queue()),
                block.find("streamIdleTimeout", duration(MILLISECOND, Duration.ofHours(1))),
                block.get("objectives", MappingReader.of(GenerationSchema::objectives), Objectives.NONE),
                block.get("speculation", MappingReader.of(GenerationSchema::speculation), Speculation.NONE),
                block.find("prefill", MappingReader.of(GenerationSchema::prefill)));
    }

    private static KvCache kvCache(MappingReader block) {
        return new KvCache(
                block.find("maxBytes", KEY_VALUE_BYTES),
                block.get("type", choice(KvCacheType.class), KvCache.DEFAULT.type()));
    }

    private static Queue queue(MappingReader block) {
        Queue defaults = Generation.DEFAULT.queue();
        return new Queue(
                block.get("max", integer(0, MOST_WAITING), defaults.max()),
                block.get("maxWait", duration(Duration.ZERO, Duration.ofHours(1)), defaults.maxWait()));
    }

    private static Objectives objectives(MappingReader block) {
        return new Objectives(
                block.find("timeToFirstToken", duration(MILLISECOND, Duration.ofHours(1))),
                block.find("timePerOutputToken", duration(MILLISECOND, Duration.ofMinutes(1))));
    }

    private static Speculation speculation(MappingReader block) {
        return new Speculation(
                block.get("type", choice(SpeculationType.class), Speculation.NONE.type()),
                block.find("maxTokens", integer(1, MOST_DRAFTED)),
                block.find("model", TextFormats.folder()));
    }

    private static Prefill prefill(MappingReader block) {
        return new Prefill(
                block.require("function", TextFormats.dnsLabel(), "", "the name of a function with the same model"));
    }

    static ObjectNode json(Generation generation) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        generation.contextLength().ifPresent(tokens -> node.put("contextLength", tokens));
        node.put("maxSequences", generation.maxSequences());
        json(generation.kvCache(), node);
        node.putObject("queue")
                .put("max", generation.queue().max())
                .put("maxWait", Durations.format(generation.queue().maxWait()));
        generation.streamIdleTimeout().ifPresent(time -> node.put("streamIdleTimeout", Durations.format(time)));
        json(generation.objectives(), node);
        json(generation.speculation(), node);
        generation.prefill().ifPresent(prefill -> node.putObject("prefill").put("function", prefill.function()));
        return node;
    }

    private static void json(KvCache cache, ObjectNode into) {
        if (cache.equals(KvCache.DEFAULT)) {
            return;
        }
        ObjectNode node = into.putObject("kvCache");
        cache.maxBytes().ifPresent(bytes -> node.put("maxBytes", Quantities.formatBytes(bytes)));
        if (cache.type() != KvCache.DEFAULT.type()) {
            node.put("type", cache.type().name());
        }
    }

    private static void json(Objectives objectives, ObjectNode into) {
        if (objectives.equals(Objectives.NONE)) {
            return;
        }
        ObjectNode node = into.putObject("objectives");
        objectives.timeToFirstToken().ifPresent(time -> node.put("timeToFirstToken", Durations.format(time)));
        objectives.timePerOutputToken().ifPresent(time -> node.put("timePerOutputToken", Durations.format(time)));
    }

    private static void json(Speculation speculation, ObjectNode into) {
        if (speculation.type() != SpeculationType.None) {
            ObjectNode node =
                    into.putObject("speculation").put("type", speculation.type().name());
            speculation.maxTokens().ifPresent(tokens -> node.put("maxTokens", tokens));
            speculation.model().ifPresent(folder -> node.put("model", folder));
        }
    }
}
