package io.knabla.runtime.generation.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.GenerationFailure.Kind;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.Sampling;
import io.knabla.runtime.generation.Submission;
import io.knabla.runtime.generation.Submission.QueueFull;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What happens to texts beside each other: queue, cancellation, failures. */
class TextGeneratorTest {
    private static GenerationRequest request(int tokens) {
        return new GenerationRequest(new int[] {1}, tokens, Sampling.GREEDY, List.of(), -1, true);
    }

    private static FakeDecoder stepped() {
        return new FakeDecoder(_ -> FakeModels.only(10));
    }

    @Test
    void cancelledTextFreesItsSlotForTheNext() throws InterruptedException {
        FakeDecoder decoder = stepped();
        try (var generator = FakeGenerators.one().open(() -> decoder)) {
            Generation first = Texts.submit(generator, request(90));
            Generation second = Texts.submit(generator, request(2));
            decoder.permits.release(2);
            assertThat(first.next()).isInstanceOf(GenerationEvent.Piece.class);
            first.cancel();
            decoder.permits.release(5);
            assertThat(Texts.read(first).reason()).isEqualTo(FinishReason.CANCELLED);
            assertThat(Texts.read(second).reason()).isEqualTo(FinishReason.LENGTH);
            assertThat(generator.running()).isZero();
            assertThat(generator.waiting()).isZero();
            decoder.permits.release(9);
        }
    }

    @Test
    void cancelledRequestThatWaitsEnds() throws InterruptedException {
        FakeDecoder decoder = stepped();
        try (var generator = FakeGenerators.one().open(() -> decoder)) {
            Generation first = Texts.submit(generator, request(20));
            Generation second = Texts.submit(generator, request(20));
            second.cancel();
            decoder.permits.release(40);
            assertThat(Texts.read(second).reason()).isEqualTo(FinishReason.CANCELLED);
            assertThat(Texts.read(first).ids()).hasSize(20);
        }
    }

    @Test
    void fullQueueRefusesUntilATextEnds() throws InterruptedException {
        FakeDecoder decoder = stepped();
        try (var generator = FakeGenerators.of(1, 1).open(() -> decoder)) {
            Generation first = Texts.submit(generator, request(2));
            Generation second = Texts.submit(generator, request(2));
            assertThat(generator.submit(request(2))).isEqualTo(new QueueFull(Duration.ofSeconds(1)));
            decoder.permits.release(2);
            Texts.read(first);
            assertThat(generator.submit(request(2))).isInstanceOf(Submission.Accepted.class);
            decoder.permits.release(4);
            assertThat(Texts.read(second).ids()).hasSize(2);
        }
    }

    @Test
    void utilizationCountsWhatWaits() throws InterruptedException {
        FakeDecoder decoder = stepped();
        try (var generator = FakeGenerators.of(1, 1).open(() -> decoder)) {
            Generation first = Texts.submit(generator, request(90));
            Generation second = Texts.submit(generator, request(2));
            await().until(() -> {
                decoder.permits.release();
                return generator.utilization() == 2;
            });
            decoder.permits.release(100);
            Texts.read(first);
            Texts.read(second);
            await().until(() -> generator.utilization() == 0);
        }
    }

    @Test
    void requestThatWaitsTooLongFails() throws InterruptedException {
        FakeDecoder decoder = stepped();
        FakeGenerators generators = FakeGenerators.one();
        try (var generator = generators.open(() -> decoder)) {
            Generation first = Texts.submit(generator, request(20));
            Generation second = Texts.submit(generator, request(20));
            generators.clock().addAndGet(FakeGenerators.MAX_WAIT.toNanos() + 1);
            decoder.permits.release(30);
            assertThat(Texts.read(second).failure().failure().kind()).isEqualTo(Kind.WAITED_TOO_LONG);
            assertThat(Texts.read(first).ids()).hasSize(20);
            assertThat(generator.statistics().latencies().objectives().missedFirstToken())
                    .isEqualTo(2);
        }
    }

    @Test
    void textsThatNobodyReadsDelayNoOthers() throws InterruptedException {
        try (var generator = FakeGenerators.of(2, 10).open(() -> FakeDecoder.running(_ -> FakeModels.only(10)))) {
            Generation unread = Texts.submit(generator, request(90));
            for (int i = 0; i < 5; i++) {
                assertThat(Texts.generate(generator, request(90)).ids()).hasSize(90);
            }
            assertThat(Texts.read(unread).ids()).hasSize(90);
        }
    }

    @Test
    void failedEngineIsOpenedAgainOnce() throws InterruptedException {
        FakeDecoder first = stepped();
        FakeDecoder second = FakeDecoder.running(_ -> FakeModels.only(10));
        Iterator<FakeDecoder> decoders = List.of(first, second).iterator();
        FakeGenerators generators = FakeGenerators.one();
        try (var generator = generators.open(decoders::next)) {
            Generation running = Texts.submit(generator, request(90));
            Generation waiting = Texts.submit(generator, request(3));
            first.permits.release(2);
            running.next();
            first.fail();
            first.permits.release(1);
            assertThat(Texts.read(running).failure().failure().kind()).isEqualTo(Kind.ENGINE);
            assertThat(Texts.read(waiting).ids()).hasSize(3);
            assertThat(generator.overdue()).isZero();
            second.fail();
            assertThat(Texts.generate(generator, request(3)).failure().failure().kind())
                    .isEqualTo(Kind.ENGINE);
            generators.clock().addAndGet(1000);
            assertThat(generator.submit(request(3))).isEqualTo(new Submission.Closed());
            assertThat(generator.overdue()).isPositive();
        }
    }

    @Test
    @Timeout(60)
    void whoseThreadHasEndedAcceptsNothing() throws InterruptedException {
        FakeDecoder decoder = stepped();
        FakeGenerators generators = FakeGenerators.one();
        try (var generator = generators.open(() -> decoder)) {
            Generation running = Texts.submit(generator, request(90));
            Generation waiting = Texts.submit(generator, request(3));
            decoder.permits.release(2);
            running.next();
            decoder.fail();
            decoder.failToClose();
            decoder.permits.release(1);
            assertThat(Texts.read(running).failure().failure().kind()).isEqualTo(Kind.ENGINE);
            assertThat(Texts.read(waiting).failure().failure().kind()).isEqualTo(Kind.ENGINE);
            generators.clock().addAndGet(1000);
            assertThat(generator.submit(request(3))).isEqualTo(new Submission.Closed());
            assertThat(generator.overdue()).isPositive();
        }
    }

    @Test
    void closingFailsWhatIsUnfinished() throws InterruptedException {
        FakeDecoder decoder = stepped();
        var generator = FakeGenerators.one().open(() -> decoder);
        Generation running = Texts.submit(generator, request(90));
        Generation waiting = Texts.submit(generator, request(90));
        decoder.permits.release(2);
        running.next();
        Thread closer = Thread.ofVirtual().start(generator::close);
        while (!(generator.submit(request(1)) instanceof Submission.Closed)) {
            Thread.onSpinWait();
        }
        decoder.permits.release(1);
        assertThat(Texts.read(running).failure().failure().kind()).isEqualTo(Kind.CLOSED);
        assertThat(Texts.read(waiting).failure().failure().kind()).isEqualTo(Kind.CLOSED);
        closer.join();
    }
}
