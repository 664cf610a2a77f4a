package io.knabla.runtime.answers;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.answers.Deployed.Form;
import io.knabla.runtime.engine.Engine;
import io.knabla.runtime.units.TestUnit;
import io.knabla.storage.thorough.Thorough;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Random models answer what the interpreter and the engine alone answer: in JSON, in binary and by gRPC, alone and in
 * batches. Among their outputs are inputs, initializers, values that are there twice, empty ones, scalars and texts.
 */
class RandomModelsTest {
    @BeforeAll
    static void start() {
        // Before the engine alone would set other options for the whole process.
        Engine.preload();
    }

    @Test
    void answerAsTheInterpreterAndTheEngine() throws Exception {
        int first = Integer.getInteger("knabla.answers.seed", 0);
        int count = Thorough.count("knabla.answers", 500, 100_000);
        int batched = 0;
        try (var deployed = new Deployed()) {
            for (int seed = first; seed < first + count; seed++) {
                var model = new RandomModel(seed, RandomModel.steps(seed));
                String wrong = wrong(model, deployed);
                if (!wrong.isEmpty()) {
                    throw new AssertionError("-Dknabla.answers.seed=%d -Dknabla.answers=1: %s"
                            .formatted(seed, smallest(seed, model + "\n" + wrong, deployed)));
                }
                batched += model.isBatchable() ? 1 : 0;
            }
        }
        assertThat(batched).as("models in batches").isBetween(count / 2, count);
    }

    /** What goes wrong with the same seed in the fewest steps. */
    private static String smallest(int seed, String wrong, Deployed deployed) {
        for (int steps = 0; steps < RandomModel.steps(seed); steps++) {
            var smaller = new RandomModel(seed, steps);
            String same = wrong(smaller, deployed);
            if (!same.isEmpty()) {
                return smaller + "\n" + same;
            }
        }
        return wrong;
    }

    /** Empty if nothing goes wrong. */
    private static String wrong(RandomModel model, Deployed deployed) {
        try {
            check(model, deployed);
            return "";
        } catch (Exception | AssertionError wrong) {
            return wrong.toString();
        }
    }

    private static void check(RandomModel model, Deployed deployed) throws Exception {
        try (var unit = TestUnit.inMemory(model.model())) {
            List<Request> requests = model.requests(true);
            List<Map<String, Values>> expected =
                    requests.stream().map(model::interpreted).toList();
            compare("alone", model.outputNames(), expected, deployed.alone(unit, requests));
            Map<String, Values> interpreted = expected.getFirst();
            model.engine(requests.getFirst())
                    .forEach((name, values) -> interpreted.get(name).expect("the engine alone: " + name, values));
            if (model.isBatchable()) {
                assertThat(unit.manifest().batchable()).isTrue();
                List<Request> full = model.requests(false);
                expected = full.stream().map(model::interpreted).toList();
                compare("in a batch", model.outputNames(), expected, deployed.together(unit, full));
            }
        }
    }

    private static void compare(
            String how, List<String> names, List<Map<String, Values>> expected, List<List<Values>> found) {
        for (int call = 0; call < expected.size(); call++) {
            assertThat(found.get(call)).hasSameSizeAs(names);
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                expected.get(call)
                        .get(name)
                        .expect(
                                how + ", " + Form.of(call) + ": " + name,
                                found.get(call).get(i));
            }
        }
    }
}
