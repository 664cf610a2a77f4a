package io.knabla.controller.cost.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.cost.ledger.row.UsageRecord;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import io.knabla.functions.unit.usage.Counters;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import net.jqwik.api.lifecycle.BeforeTry;

/** Compares recorded usage with what a platform did, across failed appends, restarts and a clock that is set back. */
class RecordedUsageTest {
    private static final Instant START = Instant.parse("2026-11-23T09:00:30Z");
    private static final Work ONE = new Work(1, 1, 1, 10, 5, new Counters(Map.of("toy_tokens", 3L)));

    private final Map<String, UsageRecord> durable = new HashMap<>();
    private Instant now;
    private FakePlatform platform;
    private RecordedUsage recorded;

    @BeforeTry
    void begin() {
        durable.clear();
        now = START;
        platform = new FakePlatform(START);
        recorded = RecordedUsage.of(List.of());
    }

    /** What happens to one of three replicas, or to the recorder. */
    enum Act {
        START,
        WORK,
        WORK_LATER,
        END,
        RECORD,
        RECORD_IN_VAIN,
        RESTART,
        RESTART_WITHOUT_WORK,
        KILL,
        SET_CLOCK_BACK
    }

    @Property(tries = 500)
    void minutesAddUpToIntervalsAndEndsStay(
            @ForAll @Size(max = 60) List<Act> acts, @ForAll @Size(60) List<@IntRange(max = 2) Integer> which) {
        Map<String, Work> did = new HashMap<>();
        int life = 0;
        for (int i = 0; i < acts.size(); i++) {
            now = now.plusSeconds(1);
            String id = "r%d-%d".formatted(which.get(i), life);
            life += act(acts.get(i), id, did) ? 1 : 0;
            minutesAddUp();
        }
        record();
        minutesAddUp();
        platform.replicas.forEach(
                (id, last) -> assertThat(recordedReplica(id).time()).isEqualTo(last.time()));
        platform.replicas
                .keySet()
                .forEach(id -> assertThat(recordedReplica(id).work()).isEqualTo(did.getOrDefault(id, Work.NONE)));
        assertThat(replicas())
                .filteredOn(one -> !platform.replicas.containsKey(one.id()))
                .allSatisfy(one -> assertThat(one.end()).isNotEqualTo(ReplicaEnd.RUNNING));
    }

    /** Returns whether the next start of a replica needs another id. */
    private boolean act(Act act, String id, Map<String, Work> did) {
        switch (act) {
            case START -> {
                if (!platform.replicas.containsKey(id)) {
                    platform.start(id, now);
                }
            }
            case WORK -> work(id, did);
            case WORK_LATER -> {
                now = now.plusSeconds(50);
                work(id, did);
            }
            case END -> platform.end(id, now);
            case RECORD -> record();
            case RECORD_IN_VAIN -> recorded.observe(platform, now);
            case RESTART -> recorded = RecordedUsage.of(durable.values());
            case RESTART_WITHOUT_WORK -> {
                FakePlatform known = platform;
                List<ReplicaInterval> before = known.replicas();
                known.forgetWork();
                recorded = RecordedUsage.of(durable.values());
                record();
                before.forEach(one -> known.replicas.put(one.id(), one));
            }
            case KILL -> {
                platform = new FakePlatform(now);
                recorded = RecordedUsage.of(durable.values());
            }
            case SET_CLOCK_BACK -> now = now.minus(Duration.ofMinutes(3));
        }
        return act == Act.KILL;
    }

    private void work(String id, Map<String, Work> did) {
        boolean runs =
                platform.replicas.containsKey(id) && platform.replicas.get(id).end() == ReplicaEnd.RUNNING;
        if (runs) {
            platform.work(id, ONE);
            did.merge(id, ONE, Work::plus);
        }
    }

    private void record() {
        recorded.observe(platform, now);
        List<UsageRecord> rows = recorded.pending();
        for (UsageRecord row : rows) {
            UsageRecord before = durable.put(row.kind() + row.id(), row);
            if (before != null) {
                assertThat(row.revision()).isGreaterThan(before.revision());
                assertThat(row.start()).isEqualTo(before.start());
                assertThat(before.end().isEmpty() || row.end().equals(before.end()))
                        .isTrue();
            }
        }
        recorded.written(rows);
        assertThat(recorded.pending()).isEmpty();
    }

    private void minutesAddUp() {
        for (ReplicaInterval replica : replicas()) {
            Work sum = durable.values().stream()
                    .flatMap(row -> row instanceof UsageRecord.Requests requests ? Stream.of(requests.minute()) : null)
                    .filter(minute -> minute.replica().equals(replica.id()))
                    .reduce(Work.NONE, (work, minute) -> work.plus(minute.work()), Work::plus);
            assertThat(sum).as(replica.id()).isEqualTo(replica.work());
        }
    }

    private List<ReplicaInterval> replicas() {
        return durable.values().stream()
                .flatMap(row -> row instanceof UsageRecord.Replica replica ? Stream.of(replica.interval()) : null)
                .toList();
    }

    private ReplicaInterval recordedReplica(String id) {
        return replicas().stream()
                .filter(one -> one.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Example
    void workGoesToTheMinuteOfItsObservation() {
        platform.start("r", now);
        platform.work("r", ONE);
        record();
        now = Instant.parse("2026-11-23T09:02:10Z");
        platform.work("r", ONE);
        platform.work("r", ONE);
        record();

        assertThat(durable).containsKeys("REQUESTSr@2026-11-23T09:00:00Z", "REQUESTSr@2026-11-23T09:02:00Z");
        assertThat(durable.get("REQUESTSr@2026-11-23T09:02:00Z"))
                .isInstanceOfSatisfying(
                        UsageRecord.Requests.class,
                        row -> assertThat(row.minute().work().succeeded()).isEqualTo(2));
    }

    @Example
    void repeatsWhatLastsOnceAMinuteAndWhatEndedNever() {
        platform.start("lasting", now);
        platform.start("ended", now);
        platform.end("ended", now.plusSeconds(1));
        record();
        List<List<String>> rows = new ArrayList<>();
        for (int second = 1; second <= 120; second++) {
            now = now.plusSeconds(1);
            recorded.observe(platform, now);
            rows.add(recorded.pending().stream().map(UsageRecord::id).sorted().toList());
            recorded.written(recorded.pending());
        }

        assertThat(rows).filteredOn(ids -> !ids.isEmpty()).hasSize(2).containsOnly(List.of("lasting", "node@" + START));
    }

    @Example
    void anOutageNeedsBoundedMemoryAndLosesNoWork() {
        platform.start("r", now);
        int minutes = RecordedUsage.MAX_MINUTES + 100;
        for (int minute = 0; minute < minutes; minute++) {
            now = now.plusSeconds(60);
            platform.work("r", ONE);
            recorded.observe(platform, now);
        }
        assertThat(recorded.pending()).hasSize(RecordedUsage.MAX_MINUTES);
        record();
        minutesAddUp();
        assertThat(recordedReplica("r").work().succeeded()).isEqualTo(minutes);
    }

    /** An end counts also if the clock says that the open row was written later. */
    @Example
    void anEndBeatsALaterOpenRow() {
        long ended = Revisions.next(Optional.empty(), true, START);
        long open = Revisions.next(Optional.empty(), false, START.plusSeconds(86_400 * 365));

        assertThat(ended).isGreaterThan(open);
        assertThat(Revisions.time(ended)).isEqualTo(START);
    }
}
