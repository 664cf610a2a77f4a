package io.knabla.runtime.generation.loop;

import io.knabla.functions.decoder.TestModel;
import io.knabla.functions.decoder.config.DecoderConfig;
import io.knabla.functions.decoder.folder.ModelFolder;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.decoder.graph.PackagedGraph;
import io.knabla.functions.decoder.graph.Precision;
import io.knabla.functions.unit.generation.CacheType;
import io.knabla.functions.unit.generation.DecoderShape;
import io.knabla.functions.unit.generation.GenerationLimits;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.functions.unit.generation.LatencyObjectives;
import io.knabla.functions.unit.generation.SamplingDefaults;
import io.knabla.functions.unit.generation.Speculation;
import io.knabla.runtime.generation.calibrate.CacheScales;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Units of small models that transformers has answers of. */
public final class TestUnits {
    public static final int CONTEXT = 96;

    private TestUnits() {}

    /** Writes a unit whose memory holds so many tokens. */
    public static Path write(Path folder, String model, Precision precision, int sequences, int kvTokens)
            throws IOException {
        return write(folder, model, precision, CacheType.FLOAT32, sequences, kvTokens);
    }

    /** Writes a unit with keys and values of a type. */
    public static Path write(
            Path folder, String model, Precision precision, CacheType cache, int sequences, int kvTokens)
            throws IOException {
        var limits = new Limits(CONTEXT, sequences, kvTokens, cache);
        return write(folder, model, precision, limits, TestTokenizer.table());
    }

    /** Sizes of a unit, in tokens, and what its keys and values are kept in. */
    public record Limits(int context, int sequences, int kvTokens, CacheType cache) {
        public Limits(int context, int sequences, int kvTokens) {
            this(context, sequences, kvTokens, CacheType.FLOAT32);
        }
    }

    /** Writes a unit with another tokenizer of as many tokens. */
    public static Path write(Path folder, String model, Precision precision, Limits limits, byte[] tokenizer)
            throws IOException {
        ModelFolder opened = open(TestModel.of(model).write(folder.resolve("model")));
        Path unit = Files.createDirectory(folder.resolve("unit"));
        DecoderGraph.of(opened, precision, limits.cache(), limits.context(), PackagedGraph.WEIGHTS)
                .write(unit.resolve(GenerationSettings.GRAPH));
        Files.write(unit.resolve(GenerationSettings.TOKENIZER), tokenizer);
        var settings = settings(shape(opened.config()).with(limits.cache()), limits);
        Files.write(unit.resolve(GenerationSettings.FILE), settings.toJson());
        if (limits.cache() == CacheType.INT8) {
            DecoderGraph.of(opened, precision, limits.context())
                    .write(unit.resolve(GenerationSettings.CALIBRATION_GRAPH));
            Files.write(unit.resolve(GenerationSettings.CACHE_SCALES), CacheScales.measure(unit));
        }
        return unit;
    }

    private static ModelFolder open(Path folder) throws IOException {
        return switch (ModelFolder.open(folder)) {
            case ModelFolder.Opened.Model(var opened) -> opened;
            case ModelFolder.Opened.Refused(var faults) -> throw new AssertionError(faults);
        };
    }

    private static DecoderShape shape(DecoderConfig config) {
        var attention = config.attention();
        return new DecoderShape(
                config.layers().size(), attention.keyValueHeads(), attention.headWidth(), config.vocabulary());
    }

    private static GenerationSettings settings(DecoderShape shape, Limits limits) {
        return new GenerationSettings(
                new GenerationLimits(
                        limits.context(), limits.sequences(), limits.kvTokens() * shape.bytesPerToken(), 1000, 600_000),
                shape,
                List.of(TestTokenizer.END),
                Optional.empty(),
                Map.of(),
                SamplingDefaults.NEUTRAL,
                LatencyObjectives.NONE,
                new Speculation.None());
    }
}
