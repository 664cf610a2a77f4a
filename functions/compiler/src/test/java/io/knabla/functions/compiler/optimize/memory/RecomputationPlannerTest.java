package io.knabla.functions.compiler.optimize.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.optimize.EngineProfile;
import io.knabla.functions.compiler.optimize.memory.RecomputationPlanner.Plan;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Checks that recomputation plans save memory and keep the results. */
class RecomputationPlannerTest {
    private static final int LAYERS = 48;
    private final DeepPerceptron chain = new DeepPerceptron(LAYERS);

    @Test
    void halvesMemoryOfADeepChainWithEqualResults() throws Exception {
        Plan plan = RecomputationPlanner.plan(chain.dag, chain.forward(), OptionalLong.empty());

        assertThat(plan.peakAfter()).isLessThan(plan.peakBefore() / 2);
        assertThat(plan.segments()).isGreaterThan(1);
        Map<String, NdArray> expected = OnnxRuntime.run(Exporter.write(chain.dag), chain.feeds());
        Map<String, NdArray> found =
                OnnxRuntime.run(Exporter.write(plan.dag(), plan.order().withBodies(plan.dag())), chain.feeds());
        expected.forEach(
                (name, array) -> assertThat(found.get(name).reals()).as(name).containsExactly(array.reals()));
    }

    /** An engine with common subexpression elimination must not undo the recomputation silently. */
    @Test
    void engineDoesNotUndoRecomputation(@TempDir Path folder) throws Exception {
        Plan plan = RecomputationPlanner.plan(chain.dag, chain.forward(), OptionalLong.empty());

        List<String> ran = EngineProfile.operators(
                Exporter.write(plan.dag(), plan.order().withBodies(plan.dag())), chain.feeds(), folder);

        assertThat(Collections.frequency(ran, "Tanh")).isGreaterThan(LAYERS * 3 / 2);
    }

    @Test
    void changesNothingIfTheLimitIsMet() {
        Plan plan = RecomputationPlanner.plan(chain.dag, chain.forward(), OptionalLong.of(Long.MAX_VALUE));

        assertThat(plan.dag()).isSameAs(chain.dag);
        assertThat(plan.seconds()).isZero();
        assertThat(plan.reason()).contains("within the limit");
    }

    @Test
    void choosesTheCheapestPlanThatFits() {
        Plan least = RecomputationPlanner.plan(chain.dag, chain.forward(), OptionalLong.empty());
        long limit = (least.peakBefore() + least.peakAfter()) / 2;

        Plan plan = RecomputationPlanner.plan(chain.dag, chain.forward(), OptionalLong.of(limit));

        assertThat(plan.peakAfter()).isLessThanOrEqualTo(limit);
        assertThat(plan.seconds()).isLessThanOrEqualTo(least.seconds());
    }
}
