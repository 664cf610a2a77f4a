package io.knabla.controller.knative.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.standin.Specs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ReplacementLimiterTest {
    private final List<FunctionId> nudged = new ArrayList<>();
    private final ReplacementLimiter replacements = new ReplacementLimiter(nudged::add);

    @Test
    void admitsAFewAndThenInOrderOfArrival() {
        IntStream.range(0, ReplacementLimiter.AT_ONCE)
                .forEach(i -> assertThat(replacements.admits(function(i))).isTrue());
        FunctionId first = function(100);
        FunctionId second = function(101);
        assertThat(replacements.admits(first)).isFalse();
        assertThat(replacements.admits(second)).isFalse();
        assertThat(replacements.admits(function(0)))
                .as("an admitted function keeps its place")
                .isTrue();

        replacements.done(function(3));
        assertThat(nudged).containsExactly(first);
        assertThat(replacements.admits(second))
                .as("the free place belongs to the first in line")
                .isFalse();
        assertThat(replacements.admits(first)).isTrue();
    }

    @Test
    void passesAnUnusedPlaceToTheNext() {
        IntStream.range(0, ReplacementLimiter.AT_ONCE).forEach(i -> replacements.admits(function(i)));
        replacements.admits(function(100));
        replacements.admits(function(101));
        replacements.done(function(0));
        nudged.clear();

        replacements.done(function(100));

        assertThat(nudged).containsExactly(function(101));
    }

    /** Functions are reconciled when triggered; some no longer need a replacement by then. */
    @Property(tries = 200)
    void admitsEveryFunctionEventuallyAndNeverTooMany(
            @ForAll @IntRange(min = 1, max = 60) int functions, @ForAll @IntRange(max = 6) int fickle) {
        Queue<FunctionId> looks = new ArrayDeque<>();
        var turns = new ReplacementLimiter(looks::add);
        Set<FunctionId> left = new HashSet<>();
        IntStream.range(0, functions).mapToObj(ReplacementLimiterTest::function).forEach(looks::add);
        left.addAll(looks);
        List<FunctionId> running = new ArrayList<>();
        while (!looks.isEmpty() || !running.isEmpty()) {
            if (looks.isEmpty()) {
                FunctionId ended = running.removeFirst();
                turns.done(ended);
                continue;
            }
            FunctionId looked = looks.remove();
            if (fickle > 0 && looked.hashCode() % fickle == 1) {
                left.remove(looked);
                running.remove(looked);
                turns.done(looked);
            } else if (left.contains(looked) && turns.admits(looked)) {
                left.remove(looked);
                running.add(looked);
            }
            assertThat(running).hasSizeLessThanOrEqualTo(ReplacementLimiter.AT_ONCE);
        }
        assertThat(left).isEmpty();
    }

    private static FunctionId function(int i) {
        return Specs.id("f" + i);
    }
}
