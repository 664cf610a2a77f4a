package io.knabla.controller.local.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Threads of a process that starts come and go while their priority is raised. */
class LowPriorityTest {
    private final List<Set<String>> raised = new ArrayList<>();

    @Test
    void threadsThatStartMeanwhileFollow() {
        assertThat(raise(_ -> true, List.of(Set.of("1"), Set.of("1", "2"), Set.of("1", "2"))))
                .isTrue();
        assertThat(raised).containsExactly(Set.of("1"), Set.of("1", "2"));
    }

    @Test
    void aThreadThatHasEndedMeanwhileIsNoFailure() {
        assertThat(raise(threads -> !threads.contains("2"), List.of(Set.of("1", "2"), Set.of("1"), Set.of("1"))))
                .isTrue();
        assertThat(raised).containsExactly(Set.of("1", "2"), Set.of("1"));
    }

    @Test
    void aThreadThatMayNotBeRaisedIsOne() {
        assertThat(raise(_ -> false, List.of(Set.of("1"), Set.of("1", "2")))).isFalse();
    }

    private boolean raise(Predicate<Set<String>> renice, List<Set<String>> threads) {
        Deque<Set<String>> seen = new ArrayDeque<>(threads);
        return LowPriority.raise(seen::remove, asked -> {
            raised.add(asked);
            return renice.test(asked);
        });
    }
}
