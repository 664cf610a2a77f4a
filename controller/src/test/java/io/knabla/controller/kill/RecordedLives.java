package io.knabla.controller.kill;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.standin.Pace;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.NodeInterval;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.function.Executable;

/** Starts and kills the platform of one home while its functions are called, and checks what was recorded of it. */
final class RecordedLives {
    /**
     * A replica tells its totals every 4 s, and what it tells is durable soon after; the file that tells until when a
     * platform lived is touched each second. So the suite {@code kill} asks for 5 s. Beside other tests, processes of a
     * busy machine wait for seconds.
     */
    private static final Duration LOST = Duration.ofSeconds(Integer.getInteger("knabla.usage.lostSeconds", 10));

    private static final Duration MAX_LIFE = Duration.ofSeconds(12);
    private static final int NODES = 4;
    private static final int WORKERS = 4;
    private static final List<String> FUNCTIONS = List.of("function-0", "function-1");

    private final Path home;
    private final Map<String, String> settings;
    private final List<Life> lives = new ArrayList<>();
    private final Set<String> started = new HashSet<>();
    private int ended;
    private Current current;
    private long earliness;

    /** One platform, from its start to its kill. */
    private record Life(Instant start, Instant killed, List<Instant> answers) {
        /** Answers that must be recorded. */
        long certain() {
            return answers.stream()
                    .filter(answer -> answer.isBefore(killed.minus(LOST)))
                    .count();
        }

        boolean has(Interval time) {
            return !time.start().isBefore(start) && !time.start().isAfter(killed);
        }
    }

    private record Current(PlatformProcess platform, Instant start, Queue<Instant> answers, ExecutorService workers) {}

    /** @param settings of the platform besides its home */
    RecordedLives(Path home, Map<String, String> settings) {
        this.home = home;
        this.settings = settings;
    }

    /** Waits for a random time before a kill; before the first until some answers must be recorded. */
    void awaitKill(int kill, Random random) throws InterruptedException {
        if (kill == 0) {
            await("an answer that must be recorded").until(this::hasCertainAnswer);
        } else {
            // The time of the kill is random on purpose, so nothing is awaited here.
            Thread.sleep(Duration.ofMillis(random.nextLong(MAX_LIFE.toMillis())));
        }
    }

    private boolean hasCertainAnswer() {
        Instant first = current.answers().peek();
        return first != null && first.isBefore(Instant.now().minus(LOST));
    }

    void deploy() throws IOException {
        try (var platform = PlatformProcess.start(home, settings)) {
            var client = new Client(platform.address());
            var model = new Models(home.resolve("models")).documented("usage");
            client.upload(model.digest(), model.file());
            for (String function : FUNCTIONS) {
                client.deploy(function, model.digest(), 60);
            }
        }
        ended++;
    }

    /** Starts it, and calls its functions from now on. */
    void start() throws IOException {
        Instant start = Instant.now();
        var platform = PlatformProcess.start(home, settings);
        var client = new Client(platform.address());
        Queue<Instant> answers = new ConcurrentLinkedQueue<>();
        ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor();
        for (int worker = 0; worker < WORKERS; worker++) {
            String function = FUNCTIONS.get(worker % FUNCTIONS.size());
            workers.execute(() -> callUntilKilled(client, function, answers));
        }
        current = new Current(platform, start, answers, workers);
    }

    private static void callUntilKilled(Client client, String function, Queue<Instant> answers) {
        try {
            while (true) {
                Pace.pause();
                if (client.infer(function, Models.REQUEST).statusCode() == 200) {
                    answers.add(Instant.now());
                }
            }
        } catch (IOException killed) {
            // As intended.
        }
    }

    void kill() throws IOException {
        current.platform().kill();
        current.workers().close();
        Instant killed = Instant.now();
        PlatformProcess.awaitEndOfReplicas(home);
        lives.add(new Life(current.start(), killed, List.copyOf(current.answers())));
        started.addAll(logged());
        current = null;
    }

    /** Starts it once more, which records how what was killed last ended, and ends it. */
    void end() throws IOException {
        PlatformProcess.start(home, settings).close();
        ended++;
    }

    /** Kills what runs after a failure. */
    void stop() {
        if (current != null) {
            current.platform().kill();
        }
    }

    /** Replicas whose process was started, by their logs. */
    private Set<String> logged() throws IOException {
        Set<String> ids = new HashSet<>();
        try (Stream<Path> files = Files.walk(home.resolve("logs"))) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                if (Files.readString(file).contains("started on node")) {
                    ids.add(file.getFileName().toString().replace(".log", ""));
                }
            }
        }
        return ids;
    }

    /** @param usage of this home only */
    void check(Usage usage) {
        assertThat(usage.damages()).isEmpty();
        intervalsAreWhole(usage);
        countersAreWithinTheirBound(usage);
    }

    private void intervalsAreWhole(Usage usage) {
        assertThat(usage.replicas().stream().map(ReplicaInterval::id))
                .doesNotHaveDuplicates()
                .containsAll(started);
        Map<String, NodeInterval> nodes =
                usage.nodes().stream().collect(Collectors.toMap(NodeInterval::id, Function.identity()));
        for (ReplicaInterval replica : usage.replicas()) {
            NodeInterval node = nodes.get(replica.node());
            assertThat(replica.time().start()).isAfterOrEqualTo(node.time().start());
            assertThat(end(replica.time())).as("%s on %s", replica, node).isBeforeOrEqualTo(end(node.time()));
        }
        usage.nodes().stream()
                .collect(Collectors.groupingBy(NodeInterval::name))
                .values()
                .forEach(this::doNotOverlap);
        for (Life life : lives) {
            List<NodeInterval> ofLife =
                    usage.nodes().stream().filter(node -> life.has(node.time())).toList();
            earliness = Math.max(
                    earliness,
                    Duration.between(end(ofLife.getFirst().time()), life.killed())
                            .toMillis());
            assertThat(ofLife)
                    .hasSize(NODES)
                    .allSatisfy(node ->
                            assertThat(end(node.time())).isBetween(life.killed().minus(LOST), life.killed()));
        }
    }

    private static Instant end(Interval time) {
        return time.end().orElseThrow();
    }

    private void doNotOverlap(List<NodeInterval> nodes) {
        assertThat(nodes).hasSize(lives.size() + ended);
        List<NodeInterval> ordered = nodes.stream()
                .sorted(Comparator.comparing(node -> node.time().start()))
                .toList();
        for (int i = 1; i < ordered.size(); i++) {
            assertThat(end(ordered.get(i - 1).time()))
                    .isBefore(ordered.get(i).time().start());
        }
    }

    private void countersAreWithinTheirBound(Usage usage) {
        long recorded = 0;
        long answered = 0;
        List<Executable> bounds = new ArrayList<>();
        for (Life life : lives) {
            List<ReplicaInterval> replicas = usage.replicas().stream()
                    .filter(replica -> life.has(replica.time()))
                    .toList();
            long counted =
                    replicas.stream().mapToLong(one -> one.work().succeeded()).sum();
            bounds.add(() -> assertThat(counted)
                    .as("of %d answers until %s", life.answers().size(), life.killed())
                    .isBetween(life.certain(), (long) life.answers().size() + WORKERS));
            recorded += counted;
            answered += life.answers().size();
        }
        Map<String, Work> minutes = UsageOf.byReplica(usage);
        assertThat(usage.replicas())
                .allSatisfy(one ->
                        assertThat(minutes.getOrDefault(one.id(), Work.NONE)).isEqualTo(one.work()));
        System.out.printf(
                "kill test: %d of %d answers recorded, %d were certain, %d replicas, %d nodes, ends known %d ms early%n",
                recorded,
                answered,
                lives.stream().mapToLong(Life::certain).sum(),
                usage.replicas().size(),
                usage.nodes().size(),
                earliness);
        assertThat(recorded).isPositive();
        assertAll(bounds);
    }
}
