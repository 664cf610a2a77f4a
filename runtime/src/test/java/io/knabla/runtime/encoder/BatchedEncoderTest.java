package io.knabla.runtime.encoder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.functions.tokenizer.Encoding;
import io.knabla.runtime.engine.TokenBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class BatchedEncoderTest {
    private static final int BATCH_TOKENS = 100;

    /** Waits at its first run until it is let go, so that texts gather. */
    private static final class FakeRunner implements BatchRunner {
        final BlockingQueue<TokenBatch> runs = new LinkedBlockingQueue<>();
        final CountDownLatch go = new CountDownLatch(1);
        final CountDownLatch closed = new CountDownLatch(1);
        private final Function<TokenBatch, float[]> function;

        FakeRunner(Function<TokenBatch, float[]> function) {
            this.function = function;
        }

        @Override
        public float[] run(TokenBatch batch) {
            runs.add(batch);
            try {
                go.await();
            } catch (InterruptedException stopped) {
                throw new IllegalStateException(stopped);
            }
            return function.apply(batch);
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }

    /** A row of a text: its first token, its length, and the tokens that are left out. */
    private static float[] rows(TokenBatch batch) {
        int longest = batch.ids().length / batch.lengths().length;
        float[] rows = new float[3 * batch.lengths().length];
        for (int i = 0; i < batch.lengths().length; i++) {
            rows[3 * i] = batch.ids()[i * longest];
            rows[3 * i + 1] = batch.lengths()[i];
            rows[3 * i + 2] = batch.leftOut()[i];
        }
        return rows;
    }

    private static EncodedText text(int first, int length) {
        int[] ids = new int[length];
        ids[0] = first;
        return new EncodedText(new Encoding(ids, new int[length]), 2 * first);
    }

    private static EncodeJob accepted(Admission admission) {
        assertThat(admission).isInstanceOf(Admission.Accepted.class);
        return ((Admission.Accepted) admission).job();
    }

    private static float[][] values(List<EncodedText> texts) {
        return texts.stream()
                .map(it -> new float[] {it.tokens().ids()[0], it.length(), it.leftOut()})
                .toArray(float[][]::new);
    }

    @Test
    void textsOfSeveralCallersShareRunsOfAboutOneLength() throws Exception {
        var runner = new FakeRunner(BatchedEncoderTest::rows);
        try (var encoder = new BatchedEncoder(runner, 9, BATCH_TOKENS)) {
            EncodeJob first = accepted(encoder.submit(List.of(text(1, 3))));
            runner.runs.take();
            List<EncodedText> mixed = List.of(text(2, 5), text(3, 90), text(4, 6), text(5, 300));
            List<EncodedText> others = List.of(text(6, 7), text(7, 80));
            EncodeJob second = accepted(encoder.submit(mixed));
            EncodeJob third = accepted(encoder.submit(others));
            assertThat(encoder.running()).isEqualTo(1);
            assertThat(encoder.waiting()).isEqualTo(2);
            runner.go.countDown();

            assertThat(first.await()).isDeepEqualTo(values(List.of(text(1, 3))));
            assertThat(second.await()).isDeepEqualTo(values(mixed));
            assertThat(third.await()).isDeepEqualTo(values(others));
            List<TokenBatch> runs = new ArrayList<>(runner.runs);
            assertThat(runs).first().satisfies(it -> {
                assertThat(it.lengths()).containsExactlyInAnyOrder(5, 6, 7);
                // The shortest is filled up with the padding token.
                assertThat(it.ids()).contains(9);
            });
            assertThat(runs)
                    .allSatisfy(it -> assertThat(it.lengths().length == 1 || it.ids().length <= BATCH_TOKENS)
                            .isTrue());
            assertThat(encoder.runs()).isEqualTo(1 + runs.size());
        }
        assertThat(runner.closed.getCount()).isZero();
    }

    @Test
    void whatNobodyWaitsForIsNotComputed() throws Exception {
        var runner = new FakeRunner(BatchedEncoderTest::rows);
        try (var encoder = new BatchedEncoder(runner, 0, BATCH_TOKENS)) {
            EncodeJob first = accepted(encoder.submit(List.of(text(1, 3))));
            runner.runs.take();
            EncodeJob gone = accepted(encoder.submit(List.of(text(2, 3))));
            EncodeJob last = accepted(encoder.submit(List.of(text(3, 3))));
            gone.cancel();
            runner.go.countDown();

            first.await();
            last.await();
            assertThatThrownBy(gone::await).isInstanceOf(CancellationException.class);
            assertThat(runner.runs)
                    .singleElement()
                    .satisfies(it -> assertThat(it.ids()[0]).isEqualTo(3));
        }
    }

    @Test
    void aFailureEndsItsTextsOnly() throws Exception {
        var runner = new FakeRunner(batch -> {
            if (batch.ids()[0] == 1) {
                throw new IllegalStateException("no");
            }
            return batch.ids()[0] == 2 ? new float[] {Float.NaN} : new float[] {7};
        });
        runner.go.countDown();
        try (var encoder = new BatchedEncoder(runner, 0, BATCH_TOKENS)) {
            assertThatThrownBy(accepted(encoder.submit(List.of(text(1, 3))))::await)
                    .hasMessage("no");
            assertThatThrownBy(accepted(encoder.submit(List.of(text(2, 3))))::await)
                    .isInstanceOf(NotFiniteException.class)
                    .hasMessageContaining("the text at 0");
            assertThat(accepted(encoder.submit(List.of(text(3, 3)))).await()).isDeepEqualTo(new float[][] {{7}});
        }
    }

    @Test
    void anErrorEndsItsTextsOnly() throws Exception {
        var runner = new FakeRunner(batch -> {
            if (batch.ids()[0] == 1) {
                throw new StackOverflowError("no");
            }
            return new float[] {7};
        });
        runner.go.countDown();
        try (var encoder = new BatchedEncoder(runner, 0, BATCH_TOKENS)) {
            assertThatThrownBy(accepted(encoder.submit(List.of(text(1, 3))))::await)
                    .isInstanceOf(StackOverflowError.class);
            assertThat(accepted(encoder.submit(List.of(text(3, 3)))).await()).isDeepEqualTo(new float[][] {{7}});
            assertThat(encoder.overdue()).isZero();
        }
    }

    @Test
    void acceptsNothingOnceItsThreadHasEnded() throws Exception {
        var runner = new FakeRunner(batch -> {
            Thread.currentThread().interrupt();
            return rows(batch);
        });
        runner.go.countDown();
        try (var encoder = new BatchedEncoder(runner, 0, BATCH_TOKENS)) {
            accepted(encoder.submit(List.of(text(1, 3)))).await();
            runner.closed.await();

            assertThat(encoder.submit(List.of(text(2, 3)))).isInstanceOf(Admission.Closed.class);
            assertThat(encoder.overdue()).isPositive();
        }
    }

    @Test
    void refusesWhatWouldWaitTooLong() throws Exception {
        var runner = new FakeRunner(BatchedEncoderTest::rows);
        List<EncodedText> many =
                IntStream.range(0, 2_000).mapToObj(i -> text(1, 100)).toList();
        var encoder = new BatchedEncoder(runner, 0, BATCH_TOKENS);
        accepted(encoder.submit(List.of(text(1, 1))));
        runner.runs.take();
        List<EncodeJob> jobs = new ArrayList<>();
        Admission admission = encoder.submit(many);
        while (admission instanceof Admission.Accepted(EncodeJob job) && jobs.size() < 100) {
            jobs.add(job);
            admission = encoder.submit(many);
        }
        assertThat(admission).isInstanceOf(Admission.QueueFull.class);
        assertThat(jobs).hasSize(5);
        runner.go.countDown();
        encoder.close();

        assertThat(encoder.submit(many)).isInstanceOf(Admission.Closed.class);
        assertThatThrownBy(jobs.getLast()::await).isInstanceOf(CancellationException.class);
    }
}
