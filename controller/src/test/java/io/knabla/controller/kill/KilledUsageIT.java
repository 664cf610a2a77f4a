package io.knabla.controller.kill;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.billing.Period;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.price.DeclaredPrice;
import io.knabla.controller.cost.price.DeclaredPrices;
import io.knabla.controller.cost.price.PriceRow;
import io.knabla.controller.cost.price.RowBook;
import io.knabla.controller.cost.scenario.Scenario;
import io.knabla.controller.cost.scenario.ScenarioOptions;
import io.knabla.controller.cost.scenario.ScenarioResult;
import io.knabla.controller.cost.scenario.Scenarios;
import io.knabla.controller.cost.scenario.UsageRows;
import io.knabla.controller.cost.usage.Interval;
import io.knabla.controller.cost.usage.NodeInterval;
import io.knabla.controller.cost.usage.ReplicaInterval;
import io.knabla.controller.cost.usage.Work;
import io.knabla.storage.thorough.Thorough;
import java.io.IOException;
import java.math.BigDecimal;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Kills the controller repeatedly with {@code kill -9} while functions are called: no interval is lost, doubled or
 * overlaps another, and of the counters at most the requests of the last {@link #LOST} are missing.
 */
class KilledUsageIT {
    /**
     * A replica tells its totals every 4 s, and what it tells is durable soon after; the file that tells until when a
     * platform lived is touched each second. So the suite {@code kill} asks for 5 s. Beside other tests, processes of a
     * busy machine wait for seconds.
     */
    private static final Duration LOST = Duration.ofSeconds(Integer.getInteger("knabla.usage.lostSeconds", 10));

    private static final Duration MAX_LIFE = Duration.ofSeconds(18);
    private static final int WORKERS = 4;
    private static final long SEED = Long.getLong("knabla.seed", System.nanoTime());
    private static final List<String> FUNCTIONS = List.of("function-0", "function-1");

    @TempDir
    Path home;

    private final List<Life> lives = new ArrayList<>();
    private final Set<String> started = new HashSet<>();
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

    @Test
    void losesNoIntervalAndFewCounts() throws Exception {
        int kills = Thorough.count("knabla.usage.kills", 3, 200);
        System.out.printf("kill test: %d kills while usage is recorded, seed %d (-Dknabla.seed)%n", kills, SEED);
        var random = new Random(SEED);
        try (var platform = PlatformProcess.start(home)) {
            deploy(new Client(platform.address()));
        }
        for (int kill = 0; kill < kills; kill++) {
            killOnce(Duration.ofMillis(random.nextLong(MAX_LIFE.toMillis())));
        }
        PlatformProcess.start(home).close();

        Usage usage = UsageOf.home(home);
        assertThat(usage.damages()).isEmpty();
        intervalsAreWhole(usage);
        costsAddUp(usage);
        countersAreWithinTheirBound(usage);
    }

    private void deploy(Client client) throws IOException {
        var model = new Models(home.resolve("models")).documented("usage");
        client.upload(model.digest(), model.file());
        for (String function : FUNCTIONS) {
            client.deploy(function, model.digest(), 60);
        }
    }

    private void killOnce(Duration life) throws Exception {
        Instant start = Instant.now();
        var platform = PlatformProcess.start(home);
        var client = new Client(platform.address());
        Queue<Instant> answers = new ConcurrentLinkedQueue<>();
        try (ExecutorService workers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int worker = 0; worker < WORKERS; worker++) {
                String function = FUNCTIONS.get(worker % FUNCTIONS.size());
                workers.execute(() -> callUntilKilled(client, function, answers));
            }
            // The time of the kill is random on purpose, so nothing is awaited here.
            Thread.sleep(life);
            platform.kill();
        }
        Instant killed = Instant.now();
        await("replicas end with their controller")
                .until(() -> PlatformProcess.replicasOf(home).isEmpty());
        lives.add(new Life(start, killed, List.copyOf(answers)));
        started.addAll(logged());
    }

    private static void callUntilKilled(Client client, String function, Queue<Instant> answers) {
        try {
            while (true) {
                if (client.infer(function, Models.REQUEST).statusCode() == 200) {
                    answers.add(Instant.now());
                }
            }
        } catch (IOException killed) {
            // As intended.
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

    /** Fails if a node's bill is not the sum of its parts. */
    private static void costsAddUp(Usage usage) {
        List<DeclaredPrice> prices = Stream.of(
                        new DeclaredPrice.Instance("local", PriceRow.ANY, new BigDecimal("0.0421")),
                        new DeclaredPrice.SpotInstance("local", PriceRow.ANY, PriceRow.ANY, new BigDecimal("0.0137")))
                .map(DeclaredPrice::always)
                .toList();
        Instant from = usage.nodes().getFirst().time().start();
        ScenarioResult cost = Scenarios.one(
                Scenario.AS_IT_RAN,
                new UsageRows(usage.nodes(), usage.replicas()),
                Period.past(from, from.plus(Duration.ofDays(1))),
                new RowBook(DeclaredPrices.rows(prices, "this test", from)),
                ScenarioOptions.DEFAULT);
        assertThat(cost.faults()).isEmpty();
        assertThat(cost.unpriced()).isEmpty();
        assertThat(cost.total()).isPositive();
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
                    .hasSize(4)
                    .allSatisfy(node ->
                            assertThat(end(node.time())).isBetween(life.killed().minus(LOST), life.killed()));
        }
    }

    private static Instant end(Interval time) {
        return time.end().orElseThrow();
    }

    /** One platform before the kills, and one after them. */
    private void doNotOverlap(List<NodeInterval> nodes) {
        assertThat(nodes).hasSize(lives.size() + 2);
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
        for (Life life : lives) {
            List<ReplicaInterval> replicas = usage.replicas().stream()
                    .filter(replica -> life.has(replica.time()))
                    .toList();
            long counted =
                    replicas.stream().mapToLong(one -> one.work().succeeded()).sum();
            assertThat(counted)
                    .as("of %d answers until %s", life.answers().size(), life.killed())
                    .isBetween(life.certain(), (long) life.answers().size() + WORKERS);
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
    }
}
