package io.knabla.controller.warm.act;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.platform.KeepWarm.Demand;
import io.knabla.controller.platform.KeepWarm.Warmth;
import io.knabla.controller.standin.MapCatalog;
import io.knabla.controller.standin.Specs;
import io.knabla.controller.usage.Interval;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Resources;
import io.knabla.controller.usage.StartKind;
import io.knabla.controller.usage.Work;
import io.knabla.controller.warm.act.WarmKeeper.Options;
import io.knabla.controller.warm.act.WarmKeeper.UsageNow;
import io.knabla.controller.warm.live.KeepWarmTiming;
import io.knabla.functions.spec.FunctionResource;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed.Valid;
import io.knabla.storage.Content;
import io.knabla.storage.memory.MemoryObjectStore;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class WarmKeeperTest {
    private static final Instant BEGIN = Instant.parse("2026-03-28T06:00:00Z");
    private static final Options LAPTOP = new Options(
            false, new KeepWarmTiming(Duration.ofSeconds(1), Duration.ofSeconds(3), 1, 99), OptionalDouble.empty());
    private static final Options CLUSTER = new Options(
            true, new KeepWarmTiming(Duration.ofSeconds(5), Duration.ofSeconds(3), 1, 1), OptionalDouble.empty());

    /** A start of a second is worth 1,000 s of the memory of a replica. */
    private static final String WORTH = "keepWarm: {policy: Adaptive, coldStartCost: 0.0025}";

    private final MapCatalog catalog = new MapCatalog();
    private final MemoryObjectStore store = new MemoryObjectStore();
    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<ReplicaInterval> replicas = new ArrayList<>();
    private final List<FunctionId> changes = new ArrayList<>();
    private Instant now = BEGIN;
    private boolean leads = true;

    private final class Now implements UsageNow {
        @Override
        public boolean isKnown() {
            return leads;
        }

        @Override
        public List<ReplicaInterval> replicas() {
            return List.copyOf(replicas);
        }

        @Override
        public double usdPerGbSecond() {
            return 0.00001;
        }
    }

    private WarmKeeper keeper(Options options) {
        var keeper = new WarmKeeper(
                catalog, new Now(), store, meters, options, () -> now, Executors.newSingleThreadScheduledExecutor());
        keeper.onChange(changes::add);
        return keeper;
    }

    private FunctionId function(String name, String settings) {
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: %s}
                spec: {model: m.onnx, %s}
                """.formatted(name, settings);
        FunctionResource resource = ((Valid) FunctionYaml.parse(yaml)).resource();
        var version = new Version(1, resource.spec(), Specs.digest(1), Specs.digest(1), BEGIN);
        catalog.put(new FunctionRecord(Specs.id(name), List.of(version), List.of(), ""));
        return Specs.id(name);
    }

    private Warmth after(WarmKeeper keeper, FunctionId function, Duration time) {
        now = now.plus(time);
        keeper.round();
        return keeper.of(function);
    }

    private void serve(WarmKeeper keeper, FunctionId function, int times, Duration period) {
        Demand demand = keeper.demand(function);
        for (int i = 0; i < times; i++) {
            now = now.plus(period);
            demand.requests(1, now.toEpochMilli());
            demand.requests(-1, now.toEpochMilli());
            keeper.round();
        }
    }

    private static ReplicaInterval replica(FunctionId function, String id, long answered, Duration start) {
        return replica(function, id, answered, Map.of("boot", start));
    }

    private static ReplicaInterval replica(
            FunctionId function, String id, long answered, Map<String, Duration> phases) {
        return new ReplicaInterval(
                id,
                function.namespace(),
                function.name(),
                1,
                "node",
                new Resources(BigDecimal.ONE, 500_000_000, 0),
                new Resources(BigDecimal.ONE, 100_000_000, 0),
                new Interval(BEGIN, Optional.empty()),
                StartKind.COLD,
                phases,
                new Work(answered, 0, 0, 0, 0),
                ReplicaEnd.RUNNING);
    }

    @Test
    void startsAheadOfWhatItLearned() {
        FunctionId timer = function("timer", WORTH);
        WarmKeeper keeper = keeper(LAPTOP);
        serve(keeper, timer, 30, Duration.ofHours(1));

        Warmth idle = after(keeper, timer, Duration.ofMinutes(30));
        assertThat(idle.minimum(1)).isZero();
        assertThat(idle.nextStart().orElseThrow()).isBetween(now.plusSeconds(1500), now.plusSeconds(1800));
        assertThat(after(keeper, timer, Duration.ofMinutes(29).plusSeconds(55)).minimum(0))
                .isEqualTo(1);
        assertThat(changes).contains(timer);
        assertThat(after(keeper, timer, Duration.ofHours(1)).minimum(1)).isZero();
    }

    @Test
    void goesOnAfterARestart() {
        FunctionId timer = function("timer", WORTH);
        WarmKeeper keeper = keeper(LAPTOP);
        serve(keeper, timer, 30, Duration.ofHours(1));
        Warmth before = after(keeper, timer, Duration.ofMinutes(30));
        keeper.close();

        assertThat(after(keeper(LAPTOP), timer, Duration.ZERO)).isEqualTo(before);
        assertThat(before.nextStart()).isPresent();
    }

    @Test
    void startsWithoutHistoryIfThatIsDamaged() throws Exception {
        FunctionId timer = function("timer", WORTH);
        store.write(WarmStates.KEY, Content.of("not a document".getBytes()));

        assertThat(after(keeper(LAPTOP), timer, Duration.ZERO).reason()).isEqualTo("TOO_FEW_OBSERVATIONS");
    }

    @Test
    void onlyTheOneThatLeadsDecidesAndStores() {
        FunctionId always = function("always", "keepWarm: {policy: Always}");
        WarmKeeper keeper = keeper(CLUSTER);
        assertThat(after(keeper, always, Duration.ZERO).start()).isEqualTo(1);
        leads = false;
        assertThat(after(keeper, always, Duration.ZERO)).isEqualTo(Warmth.NONE);
        keeper.close();

        assertThat(store.read(WarmStates.KEY)).isEmpty();
    }

    /** A function that is only not read yet keeps what was learned of it. */
    @Test
    void waitsForTheCatalog() {
        FunctionId timer = function("timer", WORTH);
        WarmKeeper keeper = keeper(CLUSTER);
        keeper.round();
        keeper.close();
        byte[] learned = store.read(WarmStates.KEY).orElseThrow().bytes();
        catalog.delete(timer);
        catalog.loaded(false);
        WarmKeeper next = keeper(CLUSTER);
        next.round();
        next.close();

        assertThat(store.read(WarmStates.KEY).orElseThrow().bytes()).isEqualTo(learned);
    }

    @Test
    void policiesThatLearnNothing() {
        FunctionId always = function("always", "keepWarm: {policy: Always}");
        FunctionId never = function("never", "keepWarm: {policy: Never}");
        FunctionId fixed = function("fixed", "keepWarm: {policy: Fixed, idleTimeout: 5m}");
        WarmKeeper keeper = keeper(LAPTOP);
        keeper.round();
        for (FunctionId function : List.of(always, never, fixed)) {
            serve(keeper, function, 1, Duration.ofSeconds(1));
        }

        now = now.plusSeconds(290);
        keeper.round();
        assertThat(List.of(always, never, fixed))
                .extracting(function -> keeper.of(function).minimum(3))
                .containsExactly(1, 0, 1);
        now = now.plusSeconds(10);
        keeper.round();
        assertThat(List.of(always, never, fixed))
                .extracting(function -> keeper.of(function).minimum(3))
                .containsExactly(1, 0, 0);
    }

    /** Clocks go from 2 to 3 on 29 March in Berlin. */
    @Test
    void schedulesSetAMinimum() {
        FunctionId office = function(
                "office",
                "keepWarm: {policy: Never, schedule: [{cron: '0 8 * * *', timezone: Europe/Berlin, duration: 10h, min: 2},"
                        + " {cron: '0 9 * * *', timezone: Europe/Berlin, duration: 1h, min: 3}]}");
        WarmKeeper keeper = keeper(LAPTOP);

        assertThat(after(keeper, office, Duration.ZERO)).isEqualTo(new Warmth(0, 0, "NEVER", at("07:00")));
        assertThat(after(keeper, office, Duration.ofHours(1)).start()).isEqualTo(2);
        assertThat(after(keeper, office, Duration.ofHours(1)).start()).isEqualTo(3);
        assertThat(after(keeper, office, Duration.ofHours(22)).start()).isEqualTo(2);
        assertThat(after(keeper, office, Duration.ofHours(10)).start()).isZero();
    }

    private static Optional<Instant> at(String time) {
        return Optional.of(Instant.parse("2026-03-28T" + time + ":00Z"));
    }

    @Test
    void aBudgetIsDivided() {
        FunctionId one = function("one", "keepWarm: {policy: Always}");
        FunctionId two = function("two", "keepWarm: {policy: Always}");
        replicas.add(replica(one, "a", 0, Duration.ofSeconds(1)));
        replicas.add(replica(two, "b", 0, Duration.ofSeconds(1)));
        WarmKeeper keeper = keeper(new Options(
                false,
                new KeepWarmTiming(Duration.ofSeconds(1), Duration.ofSeconds(3), 1, 99),
                OptionalDouble.of(0.15)));
        serve(keeper, two, 3, Duration.ofSeconds(5));

        assertThat(keeper.of(two).start()).isEqualTo(1);
        assertThat(keeper.of(one)).extracting(Warmth::start, Warmth::reason).containsExactly(0, "OVER_BUDGET");
    }

    @Test
    void onAClusterItReadsTheCountsOfReplicas() {
        FunctionId timer = function("timer", WORTH);
        WarmKeeper keeper = keeper(CLUSTER);
        long answered = 0;
        for (int i = 0; i < 30 * 360; i++) {
            answered += i % 360 == 0 ? 1 : 0;
            replicas.clear();
            replicas.add(replica(timer, "pod", answered, Duration.ofSeconds(2)));
            after(keeper, timer, Duration.ofSeconds(10));
        }

        assertThat(keeper.of(timer).minimum(0)).isEqualTo(1);
    }

    @Test
    void startsOnAClusterAreStaggered() {
        function("one", "keepWarm: {policy: Always}");
        function("two", "keepWarm: {policy: Always}");
        WarmKeeper keeper = keeper(CLUSTER);

        keeper.round();
        assertThat(changes).hasSize(1);
        keeper.round();
        assertThat(changes).hasSize(2);
        keeper.round();
        assertThat(changes).hasSize(2);
    }

    @Test
    void countsWarmMemory() {
        FunctionId function = function("f", "keepWarm: {policy: Never}");
        WarmKeeper keeper = keeper(LAPTOP);
        replicas.add(replica(function, "a", 0, Duration.ofSeconds(1)));
        keeper.round();
        after(keeper, function, Duration.ofSeconds(10));
        keeper.demand(function).requests(1, now.toEpochMilli());
        after(keeper, function, Duration.ofSeconds(5));

        assertThat(held("wasted")).isEqualTo(1, within(1e-6));
        assertThat(held("used")).isEqualTo(0.5, within(1e-6));
        catalog.delete(function);
        keeper.round();
        assertThat(meters.find("knabla.warm.gb.seconds").counters()).isEmpty();
    }

    @Test
    void countsEachStartOnce() {
        FunctionId function = function("f", "keepWarm: {policy: Never}");
        WarmKeeper keeper = keeper(CLUSTER);
        replicas.add(replica(function, "before", 0, Map.of("fetch", Duration.ofSeconds(9))));
        keeper.round();
        replicas.add(replica(function, "unread", 0, Map.of("place", Duration.ofSeconds(9))));
        replicas.add(
                replica(function, "now", 0, Map.of("place", Duration.ofMillis(300), "fetch", Duration.ofMillis(90))));
        after(keeper, function, Duration.ofSeconds(5));
        after(keeper, function, Duration.ofSeconds(5));

        Timer fetch = meters.get("knabla.start.phase")
                .tags("function", "f", "kind", "cold", "phase", "fetch")
                .timer();
        assertThat(fetch.count()).isEqualTo(1);
        assertThat(fetch.takeSnapshot().histogramCounts())
                .anySatisfy(bucket ->
                        assertThat(bucket.bucket(TimeUnit.MILLISECONDS)).isEqualTo(100));
        catalog.delete(function);
        keeper.round();
        assertThat(meters.find("knabla.start.phase").timers()).isEmpty();
    }

    private double held(String kind) {
        return meters.get("knabla.warm.gb.seconds").tag("kind", kind).counter().count();
    }
}
