package io.knabla.controller.cost.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.Compactor;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.UsageReader;
import io.knabla.controller.cost.ledger.segment.ObjectSegments;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.RequestMinute;
import io.knabla.controller.usage.Work;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.s3.S3Server;
import io.knabla.storage.setup.Stores;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * Runs two processes that record one {@link TimedPlatform} in one bucket, and kills one of them at random moments while
 * both write and merge. Its clock passes hours, so that all is merged and read several times.
 */
final class KilledRecorders {
    /** Shorter than {@link RecordedUsage#REPEAT}, as in the platform. */
    private static final Duration TICK = Duration.ofSeconds(30);

    /** After an hour, as {@link LedgerMaintenance} waits. */
    private static final int TICKS_BEFORE_COMPACTION = 3;

    private static final int MOST_TICKS = 12;

    private static final int MOST_MILLIS_TO_KILL = 1200;
    private static final Duration MOST_PAUSE = Duration.ofMinutes(100);

    /** A Lease expires long after the last write of the one that held it arrived. */
    private static final Duration LEASE = Duration.ofSeconds(1);

    private final Path folder;
    private final S3Server server;
    private final String location;
    private final Random random;
    private final List<Recorder> recorders = new ArrayList<>();
    private final Set<String> certain = new HashSet<>();
    private Instant now = TimedPlatform.BEGIN;
    private Recorder leader;
    private int leadersKilled;
    private int hoursMerged;

    private record Recorder(Process process, BufferedReader answers) {
        /** A process that is killed reads no more. */
        void send(String command) {
            try {
                process.getOutputStream().write((command + '\n').getBytes(StandardCharsets.US_ASCII));
                process.getOutputStream().flush();
            } catch (IOException killed) {
                throw new UncheckedIOException(killed);
            }
        }

        String answer() throws IOException {
            String line = answers.readLine();
            assertThat(line).as("the process's answer; see its errors above").isNotNull();
            return line;
        }
    }

    KilledRecorders(Path folder, S3Server server, long seed) {
        this.folder = folder;
        this.server = server;
        this.location = "s3://" + server.newBucket() + "/usage";
        this.random = new Random(seed);
    }

    /** Returns a summary for people. */
    String run(int kills) throws Exception {
        try {
            recorders.add(start());
            recorders.add(start());
            for (int kill = 0; kill < kills; kill++) {
                passAnHour();
                killOne();
            }
            ticks(2);
        } finally {
            recorders.forEach(recorder -> recorder.process().destroyForcibly());
        }
        return check(kills);
    }

    private Recorder start() throws IOException {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx256m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        RecorderProcess.class.getName(),
                        location,
                        folder.resolve("lease").toString(),
                        folder.resolve("temporary").toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment().putAll(server.environment());
        Process process = builder.start();
        return new Recorder(process, process.inputReader());
    }

    private void passAnHour() throws IOException {
        ticks(random.nextInt(MOST_TICKS));
        now = now.truncatedTo(ChronoUnit.HOURS).plus(Duration.ofHours(1));
        ticks(random.nextInt(TICKS_BEFORE_COMPACTION, MOST_TICKS));
    }

    private void ticks(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            tick();
        }
    }

    /** Returns when one of them recorded all that there is. */
    private void tick() throws IOException {
        now = now.plus(TICK);
        recorders.forEach(recorder -> recorder.send(RecorderProcess.TICK + now));
        leader = null;
        for (Recorder recorder : recorders) {
            if (recorder.answer().equals(RecorderProcess.RECORDED)) {
                assertThat(leader).isNull();
                leader = recorder;
            }
        }
        assertThat(leader).isNotNull();
        TimedPlatform.replicas(now).forEach(replica -> certain.add(replica.id()));
    }

    /** While both merge, or one merges and the leader records. */
    private void killOne() throws Exception {
        Recorder victim = recorders.get(random.nextInt(recorders.size()));
        boolean merges = random.nextBoolean();
        now = now.plus(TICK);
        for (Recorder recorder : recorders) {
            recorder.send(recorder == leader && !merges ? RecorderProcess.TICK + now : RecorderProcess.COMPACT);
        }
        // The time of the kill is random on purpose, so nothing is awaited here.
        Thread.sleep(random.nextInt(MOST_MILLIS_TO_KILL));
        victim.process().destroyForcibly().waitFor();
        recorders.remove(victim);
        String answer = recorders.getFirst().answer();
        hoursMerged += answer.equals(RecorderProcess.RECORDED) ? 0 : Integer.parseInt(answer);
        if (victim == leader) {
            leadersKilled++;
            Thread.sleep(LEASE);
            now = now.plusMillis(random.nextLong(MOST_PAUSE.toMillis())).truncatedTo(ChronoUnit.SECONDS);
        }
        recorders.add(start());
    }

    private String check(int kills) throws IOException {
        Clock later = Clock.fixed(now.plus(Duration.ofHours(1)), ZoneOffset.UTC);
        try (ObjectStore store = Stores.open(location, server.environment())) {
            var segments = new ObjectSegments(store, "judge", later);
            var settings = RecorderProcess.settings(folder);
            var compactor = new Compactor(
                    store,
                    segments,
                    RecorderProcess.PARQUET,
                    settings,
                    later,
                    () -> UUID.randomUUID().toString());
            var reader = new UsageReader(store, segments, RecorderProcess.PARQUET, folder);
            Usage before = read(reader);
            compactor.run();
            assertThat(compactor.run().hoursMerged()).isZero();
            assertThat(segments.list().names()).isEmpty();
            Usage usage = read(reader);
            assertThat(usage).isEqualTo(before);
            check(usage);
            return "%d kills, %d of the leader, %d hours merged, %d nodes, %d replicas, %d minutes: all as they were"
                    .formatted(
                            kills,
                            leadersKilled,
                            hoursMerged,
                            usage.nodes().size(),
                            usage.replicas().size(),
                            usage.requests().size());
        }
    }

    private Usage read(UsageReader reader) throws IOException {
        return reader.rows(TimedPlatform.BEGIN.minus(Duration.ofDays(1)), now.plus(Duration.ofDays(1)));
    }

    /** What began and ended while nothing recorded is not known. */
    private void check(Usage usage) {
        assertThat(usage.damages()).isEmpty();
        assertThat(usage.replicas().stream().map(ReplicaInterval::id)).containsAll(certain);
        assertThat(usage.replicas())
                .isEqualTo(usage.replicas().stream()
                        .map(row -> TimedPlatform.replica(row.id(), now))
                        .toList());
        assertThat(usage.nodes())
                .isEqualTo(usage.nodes().stream()
                        .map(row -> TimedPlatform.node(row.id(), now))
                        .toList())
                .containsAll(TimedPlatform.nodes(now));
        Map<String, Work> minutes = usage.requests().stream()
                .collect(Collectors.groupingBy(
                        RequestMinute::replica, Collectors.reducing(Work.NONE, RequestMinute::work, Work::plus)));
        assertThat(usage.replicas())
                .allSatisfy(row ->
                        assertThat(minutes.getOrDefault(row.id(), Work.NONE)).isEqualTo(row.work()));
    }
}
