package io.knabla.controller.cost.record;

import static io.knabla.controller.standin.AwaitSupport.await;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import io.knabla.controller.cost.ledger.Ledger;
import io.knabla.controller.cost.ledger.Usage;
import io.knabla.controller.cost.ledger.segment.LocalSegments;
import io.knabla.controller.cost.ledger.segment.SegmentContents;
import io.knabla.controller.cost.ledger.segment.SegmentName;
import io.knabla.controller.cost.ledger.segment.Segments;
import io.knabla.controller.usage.NodeEnd;
import io.knabla.controller.usage.ReplicaEnd;
import io.knabla.controller.usage.ReplicaInterval;
import io.knabla.controller.usage.Work;
import io.knabla.storage.StorageException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class UsageRecorderTest {
    private static final Work WORK = new Work(3, 0, 0, 96, 12);

    @TempDir
    Path folder;

    private final Clock clock = Clock.systemUTC();
    private final FakePlatform platform = new FakePlatform(clock.instant());
    private Full disk;

    @BeforeEach
    void open() {
        disk = new Full(LocalSegments.open(folder, "w1", clock, 1 << 20));
    }

    @AfterEach
    void closeLedger() {
        disk.close();
    }

    private UsageRecorder recorder() {
        return new UsageRecorder(
                () -> new Ledger(disk), new MergedReplicas(() -> fail("loads a database")), platform, clock);
    }

    private Usage usage() {
        return new Ledger(disk).unmerged();
    }

    private Optional<ReplicaInterval> replica(String id) {
        return usage().replicas().stream().filter(one -> one.id().equals(id)).findFirst();
    }

    @Test
    void recordsChangesAtOnceAndEndsAtItsClose() {
        UsageRecorder recorder = recorder();
        recorder.start();
        await().until(recorder::isRecording);
        platform.start("r", clock.instant());
        platform.notifyListeners();
        await().until(() -> replica("r").isPresent() && platform.recorded.contains("r"));
        platform.work("r", WORK);
        recorder.close();

        assertThat(replica("r").orElseThrow().work()).isEqualTo(WORK);
        assertThat(replica("r").orElseThrow().end()).isEqualTo(ReplicaEnd.STOPPED);
        assertThat(usage().nodes()).singleElement().matches(node -> node.end() == NodeEnd.RELEASED);
        assertThat(usage().requests())
                .singleElement()
                .matches(minute -> minute.work().equals(WORK));
    }

    @Test
    void losesNothingWhileTheLedgerTakesNothing() {
        UsageRecorder recorder = recorder();
        recorder.start();
        await().until(recorder::isRecording);
        disk.isFull = true;
        platform.start("r", clock.instant());
        platform.work("r", WORK);
        platform.notifyListeners();
        await().until(() -> disk.refused > 0);
        // Recorded or not: an end that came meanwhile is forgotten by the source only when it is durable.
        assertThat(platform.recorded).doesNotContain("r");
        disk.isFull = false;
        recorder.close();

        assertThat(replica("r").orElseThrow().work()).isEqualTo(WORK);
    }

    @Test
    void continuesWhatThePlatformKnowsAndEndsWhatItDoesNot() {
        Instant start = clock.instant();
        platform.start("known", start);
        platform.start("gone", start);
        platform.work("known", WORK);
        RecordedUsage first = RecordedUsage.of(List.of());
        first.observe(platform, clock.instant());
        new Ledger(disk).append(first.pending());

        platform.replicas.remove("gone");
        platform.work("known", WORK);
        UsageRecorder recorder = recorder();
        recorder.start();
        await().until(recorder::isRecording);

        assertThat(platform.resumed).containsEntry("known", WORK);
        assertThat(replica("known").orElseThrow().work()).isEqualTo(WORK.plus(WORK));
        assertThat(usage().requests().stream().map(minute -> minute.work()).reduce(Work.NONE, Work::plus))
                .isEqualTo(WORK.plus(WORK));
        assertThat(replica("gone").orElseThrow().end()).isEqualTo(ReplicaEnd.FAILED);
        recorder.close();
    }

    /** Controllers of different namespaces share a store. */
    @Test
    void leavesReplicasOfOtherNamespacesToTheirController() {
        Instant start = clock.instant();
        var neighbour = new FakePlatform(start);
        neighbour.namespace = "ads";
        neighbour.start("theirs", start);
        neighbour.work("theirs", WORK);
        RecordedUsage other = RecordedUsage.of(List.of());
        other.observe(neighbour, clock.instant());
        new Ledger(disk).append(other.pending());

        UsageRecorder recorder = recorder();
        recorder.start();
        await().until(recorder::isRecording);
        recorder.close();

        assertThat(replica("theirs").orElseThrow().end()).isEqualTo(ReplicaEnd.RUNNING);
    }

    /** A controller that does not lead must not write; when it leads, it reads what the other one wrote. */
    @Test
    void recordsNothingUntilThePlatformIsKnown() {
        platform.synced = false;
        UsageRecorder recorder = recorder();
        recorder.start();
        platform.start("r", clock.instant());
        recorder.close();

        assertThat(recorder.isRecording()).isFalse();
        assertThat(usage().rows()).isEmpty();
    }

    /** As if it were paused until another controller leads. */
    @Test
    void recordsNothingIfItNoLongerLeadsWhenItIsAboutToAppend() {
        platform.start("r", clock.instant());
        platform.whenAsked = () -> platform.synced = false;
        UsageRecorder recorder = recorder();
        recorder.start();
        await().until(() -> !platform.synced);
        recorder.close();

        assertThat(recorder.isRecording()).isFalse();
        assertThat(usage().rows()).isEmpty();
    }

    /** Segments on a disk that is full at times. */
    private static final class Full implements Segments {
        private final Segments segments;
        volatile boolean isFull;
        volatile int refused;

        Full(Segments segments) {
            this.segments = segments;
        }

        @Override
        public void append(byte[] frames) {
            if (isFull) {
                refused++;
                throw new StorageException(StorageException.Kind.UNAVAILABLE, "the disk is full.", "");
            }
            segments.append(frames);
        }

        @Override
        public Listing list() {
            return segments.list();
        }

        @Override
        public Optional<SegmentContents> read(SegmentName name) {
            return segments.read(name);
        }

        @Override
        public List<SegmentName> ended() {
            return segments.ended();
        }

        @Override
        public void delete(SegmentName name) {
            segments.delete(name);
        }

        @Override
        public void close() {
            segments.close();
        }
    }
}
