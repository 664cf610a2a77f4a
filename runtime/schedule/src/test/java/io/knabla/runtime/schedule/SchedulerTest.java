package io.knabla.runtime.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.schedule.Step.Chunk;
import io.knabla.runtime.schedule.Step.Reason;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchedulerTest {
    private static final Scheduler SCHEDULER = new Scheduler(new ScheduleLimits(3, 160, 20));

    private static Step next(List<SequenceLoad> waiting, List<SequenceLoad> running) {
        return SCHEDULER.next(waiting, running, 10);
    }

    private static SequenceLoad arrived(long id, int prompt) {
        return new SequenceLoad(id, prompt, prompt, 0, 100);
    }

    private static SequenceLoad decoding(long id, int prompt, int tokens) {
        return new SequenceLoad(id, prompt, tokens, tokens - 1, 100);
    }

    @Test
    void nothingToDo() {
        assertThat(next(List.of(), List.of()))
                .isEqualTo(new Step(List.of(), List.of(), List.of(), List.of(), Reason.NONE_WAITS));
    }

    @Test
    void decodesAllAndReadsInTheOrderOfArrival() {
        Step step = next(List.of(arrived(7, 9)), List.of(decoding(4, 3, 5), arrived(2, 6)));
        assertThat(step.admit()).containsExactly(7L);
        assertThat(step.chunks()).containsExactly(new Chunk(2, 6), new Chunk(7, 4));
        assertThat(step.decode()).containsExactly(4L);
    }

    @Test
    void admitsOnlyAsManyAsMayRun() {
        Step step = next(List.of(arrived(5, 2), arrived(6, 2)), List.of(decoding(1, 2, 3), decoding(2, 2, 3)));
        assertThat(step.admit()).containsExactly(5L);
        assertThat(step.reason()).isEqualTo(Reason.SEQUENCES_FULL);
    }

    @Test
    void admitsOnlyWhatFitsWithItsForecast() {
        Step step = next(List.of(arrived(5, 60), arrived(6, 2)), List.of(decoding(1, 60, 61)));
        assertThat(step.admit()).isEmpty();
        assertThat(step.reason()).isEqualTo(Reason.MEMORY_FULL);
    }

    @Test
    void admitsAlwaysOneIfNoneRuns() {
        Step step = next(List.of(arrived(5, 159)), List.of());
        assertThat(step.admit()).containsExactly(5L);
    }

    @Test
    void interruptsTheNewestUntilTheOthersFit() {
        Step step = next(List.of(arrived(9, 2)), List.of(decoding(3, 2, 64), decoding(1, 2, 65), decoding(2, 2, 81)));
        assertThat(step.preempt()).containsExactly(3L, 2L);
        assertThat(step.admit()).isEmpty();
        assertThat(step.decode()).containsExactly(1L);
        assertThat(step.reason()).isEqualTo(Reason.PREEMPTED);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            # scenario                           | left | chunk
            prompt of one token                  | 1    | 1
            whole rest                           | 10   | 10
            a rest of one token would remain     | 11   | 9
            rest of two tokens                   | 12   | 10
            """)
    void neverLeavesASingleToken(String scenario, int left, int chunk) {
        Step step = next(List.of(), List.of(arrived(1, left)));
        assertThat(step.chunks()).containsExactly(new Chunk(1, chunk));
    }

    @Test
    void roomForOneTokenIsNotUsedForAPartOfAPrompt() {
        Step step = next(List.of(), List.of(arrived(1, 9), arrived(2, 5)));
        assertThat(step.chunks()).containsExactly(new Chunk(1, 9));
    }

    @Test
    void allPromptsEndInPartsOfSeveralTokens() {
        var random = new Random(3);
        for (int trial = 0; trial < 300; trial++) {
            var scheduler = new Scheduler(new ScheduleLimits(4, 1 << 20, 0));
            int most = Scheduler.LEAST_CHUNK + random.nextInt(9);
            List<SequenceLoad> running = new ArrayList<>();
            for (int id = 0; id < 4; id++) {
                running.add(arrived(id, 2 + random.nextInt(40)));
            }
            while (running.stream().anyMatch(SequenceLoad::isReading)) {
                List<Chunk> chunks = scheduler.next(List.of(), running, most).chunks();
                assertThat(chunks).isNotEmpty().allMatch(chunk -> chunk.tokens() > 1);
                running.replaceAll(one -> read(one, chunks));
            }
        }
    }

    private static SequenceLoad read(SequenceLoad one, List<Chunk> chunks) {
        int tokens = chunks.stream()
                .filter(chunk -> chunk.id() == one.id())
                .mapToInt(Chunk::tokens)
                .sum();
        return new SequenceLoad(one.id(), one.prompt(), one.tokens(), one.kept() + tokens, one.remaining());
    }
}
