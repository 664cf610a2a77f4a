package io.knabla.bench.generation;

import io.knabla.bench.cold.InterleavedStarts;
import io.knabla.bench.cold.PooledStart;
import io.knabla.bench.cold.StartDetails;
import io.knabla.bench.machine.Cooldown;
import io.knabla.bench.machine.DisturbancePolicy;
import io.knabla.bench.machine.Folders;
import io.knabla.bench.model.BenchModel;
import io.knabla.bench.model.Mlp;
import io.knabla.bench.report.Progress;
import io.knabla.bench.report.Row;
import io.knabla.bench.run.Bench;
import io.knabla.bench.run.Measurement;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.PackagedModel;
import io.knabla.bench.server.ReplicaServer;
import io.knabla.bench.server.RunningServer;
import io.knabla.bench.server.TextServer;
import io.knabla.bench.statistics.PairedSamples;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** {@code bench generation}: tokens per second, and time to the first token. */
public final class GenerationBench implements Bench {
    private static final Batch ONE = new Batch(1, 8, 64);
    private static final Batch SIXTEEN = new Batch(16, 8, 64);
    private static final Batch REPEATED = new Batch(1, 8, 256);
    private static final int SHARED = 1024;
    private static final int OWN = 40;

    /** A new process has compiled its methods after so many batches; one that ran rows before has already. */
    private static final int WARM_UPS = 6;

    private final Distribution distribution;
    private final int rounds;
    private final Progress progress;
    private final PeerPrograms peers;
    private final SplittableRandom random = new SplittableRandom();
    private final Map<TextUnit.Precision, TextUnit> units = new EnumMap<>(TextUnit.Precision.class);
    private Path folder;
    private Path model;
    private int served;

    public GenerationBench(Distribution distribution, int rounds, Progress progress) {
        this.distribution = distribution;
        this.rounds = rounds;
        this.progress = progress;
        this.peers = new PeerPrograms(distribution.root().resolve("runtime/bench/src/main/python"), progress);
    }

    /** A row that compares tokens per second with a peer's. */
    private record Decoding(String name, String goal, TextUnit.Precision precision, Batch batch, Peer peer) {}

    private static List<Decoding> decoding() {
        TextUnit.Precision fp32 = TextUnit.Precision.Fp32;
        TextUnit.Precision int4 = TextUnit.Precision.Int4;
        return List.of(
                new Decoding("decode-1-int4-llamacpp", "at least 0.7", int4, ONE, Peer.LlamaCpp),
                new Decoding(
                        "decode-1-int4-default-llamacpp",
                        "at least 0.7",
                        TextUnit.Precision.Int4DefaultBlocks,
                        ONE,
                        Peer.LlamaCpp),
                new Decoding("decode-16-int4-llamacpp", "at least 0.9", int4, SIXTEEN, Peer.LlamaCpp),
                new Decoding("decode-16-fp32-llamacpp", "at least 1.2", fp32, SIXTEEN, Peer.LlamaCpp),
                new Decoding("decode-16-fp32-torch", "at least 1.8", fp32, SIXTEEN, Peer.Torch),
                new Decoding("decode-1-fp32-genai", "at least 0.95", fp32, ONE, Peer.Genai));
    }

    @Override
    public List<Measurement> measurements() {
        var decoding = decoding().stream().map(row -> Measurement.of(row.name(), () -> decoding(row)));
        var others = List.of(
                Measurement.of("http-16", this::http),
                Measurement.of("prefix-ttft", this::prefix),
                Measurement.of("wake-first-token", this::wake),
                Measurement.of("speculation-1", this::speculation));
        var scheduling = new SchedulingRows(distribution, rounds, progress, this::served);
        var split = new SplitPrefillRows(distribution, rounds, progress, this::served);
        return Stream.of(decoding, others.stream(), scheduling.measurements().stream(), split.measurements().stream())
                .flatMap(rows -> rows)
                .toList();
    }

    private Row decoding(Decoding row) throws Exception {
        var title = new Row.Title(row.name(), "tokens/s", row.goal());
        try {
            peers.python(row.peer());
        } catch (IOException missing) {
            return Row.skipped(title, row.peer().title, missing.getMessage());
        }
        progress.report("%s, %d rounds".formatted(row.name(), rounds));
        try (var engine = Engine.open(unit(row.precision()), row.batch());
                var peer = PeerProcess.start(peers, row.peer(), model(), row.precision(), row.batch())) {
            boolean equal = engine.firstTokens(peer.firstTokens().size()).equals(peer.firstTokens());
            if (!equal && row.precision() == TextUnit.Precision.Fp32) {
                throw new IllegalStateException("%s begins its text with other tokens".formatted(row.peer().title));
            }
            return compare(title, engine, peer, row.batch());
        }
    }

    private Row http() throws Exception {
        var title = new Row.Title("http-16", "tokens/s", "at least 0.9");
        progress.report("http-16, %d rounds".formatted(rounds));
        TextUnit unit = unit(TextUnit.Precision.Int4);
        var server = new TextServer(
                distribution,
                unit.packed(),
                SIXTEEN.prompt(0),
                Runtime.getRuntime().availableProcessors());
        try (var engine = Engine.open(unit, SIXTEEN);
                var served = new StreamingReplica(RunningServer.start(server, random, Duration.ofMillis(2)), SIXTEEN)) {
            return compare(title, served, engine, SIXTEEN);
        }
    }

    private Row compare(Row.Title title, TextPlayer subject, TextPlayer reference, Batch batch) throws Exception {
        for (int i = 0; i < WARM_UPS; i++) {
            subject.seconds();
            reference.seconds();
        }
        var paired = new PairedSamples();
        for (int i = 0; i < rounds; i++) {
            boolean first = random.nextBoolean();
            double before = first ? speed(subject, batch) : 0;
            double other = speed(reference, batch);
            paired.add(first ? before : speed(subject, batch), other);
        }
        Row row = Row.of(title, paired, reference.name(), Map.of("texts", batch.size(), "tokens", batch.tokens()));
        progress.report("%s: ratio %s".formatted(title.name(), row.ratio()));
        return row;
    }

    private static double speed(TextPlayer player, Batch batch) throws Exception {
        Cooldown.DEFAULT.await();
        return batch.allTokens() / player.seconds();
    }

    /** Of texts that repeat themselves, as those of random weights soon do. */
    private Row speculation() throws Exception {
        progress.report("speculation-1, %d rounds".formatted(rounds));
        var title = new Row.Title("speculation-1", "tokens/s", "at least 1");
        TextUnit drafts = served("contextLength: 1280, speculation: {type: PromptLookup, maxTokens: 4}");
        try (var engine = Engine.open(drafts, REPEATED);
                var plain = Engine.open(unit(TextUnit.Precision.Int4), REPEATED)) {
            return compare(title, engine, plain, REPEATED);
        }
    }

    /** Each round has a beginning of its own, so that nobody has read it before. */
    private Row prefix() throws InterruptedException {
        progress.report("prefix-ttft, %d rounds".formatted(rounds));
        var paired = new PairedSamples();
        try (var engine = Engine.open(unit(TextUnit.Precision.Int4), ONE)) {
            engine.secondsToFirstToken(prompt(random.nextInt()));
            for (int i = 0; i < rounds; i++) {
                int beginning = random.nextInt();
                Cooldown.DEFAULT.await();
                double cold = engine.secondsToFirstToken(prompt(beginning));
                paired.add(engine.secondsToFirstToken(prompt(beginning)) * 1000, cold * 1000);
            }
        }
        var title = new Row.Title("prefix-ttft", "ms", "at most 0.1");
        return Row.of(title, paired, "the first prompt with this beginning", Map.of("shared", SHARED, "own", OWN));
    }

    /** @param beginning decides the tokens that prompts share; the others are random */
    private int[] prompt(int beginning) {
        int[] ids = new int[SHARED + OWN];
        var shared = new SplittableRandom(beginning);
        for (int i = 0; i < ids.length; i++) {
            ids[i] = (i < SHARED ? shared : random).nextInt(RandomLlama.FIRST_WORD, RandomLlama.VOCABULARY);
        }
        return ids;
    }

    private Row wake() {
        var title = new Row.Title("wake-first-token", "ms", "at most 2");
        progress.report("wake-first-token, %d rounds".formatted(rounds));
        TextUnit unit = unit(TextUnit.Precision.Int4);
        int threads = Runtime.getRuntime().availableProcessors();
        var writer = new TextServer(distribution, unit.packed(), ONE.prompt(0), threads);
        BenchModel small = BenchModel.write(Mlp.ofOneMegabyte(), folder().resolve("1mb.onnx"));
        var inference = new ReplicaServer(distribution, PackagedModel.pack(small, folder()), Map.of());
        var measured = new InterleavedStarts(
                        new PooledStart(writer, 1, random.split()),
                        new PooledStart(inference, 1, random.split()),
                        Cooldown.DEFAULT,
                        random.split())
                .run(rounds, DisturbancePolicy.DEFAULT);
        var paired = new PairedSamples();
        for (InterleavedStarts.Round round : measured.all()) {
            paired.add(round.subject().millis(), round.reference().millis());
        }
        return Row.of(title, paired, "a pool member that wakes with a 1 MB model", StartDetails.of(measured));
    }

    private TextUnit unit(TextUnit.Precision precision) {
        return units.computeIfAbsent(
                precision, _ -> TextUnit.pack(model(), precision, folder().resolve(precision.name())));
    }

    private TextUnit served(String generation) {
        Path work = folder().resolve("served" + served++);
        return TextUnit.pack(model(), TextUnit.Precision.Int4, generation, work);
    }

    private Path model() {
        try {
            model = model == null ? RandomLlama.write(folder().resolve("model")) : model;
            return model;
        } catch (IOException full) {
            throw new UncheckedIOException(full);
        }
    }

    private Path folder() {
        folder = folder == null ? Folders.temporary() : folder;
        return folder;
    }

    @Override
    public void close() {
        if (folder != null) {
            Folders.delete(folder);
        }
    }
}
