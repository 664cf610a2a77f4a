package io.knabla.runtime.train;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.data.Offset.offset;

import io.knabla.runtime.engine.Checkpoints;
import io.knabla.runtime.engine.EngineSettings;
import io.knabla.runtime.engine.Tensor;
import io.knabla.runtime.train.Regression.Batch;
import io.knabla.runtime.units.AnalyticModels;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import io.knabla.storage.Content;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Compares training steps over HTTP with the same steps computed in Java. */
@Timeout(300)
class TrainingStepTest {
    private final Regression expected = new Regression();
    private TestUnit unit;

    @BeforeEach
    void write() throws IOException {
        unit = AnalyticModels.regression();
    }

    @AfterEach
    void delete() throws IOException {
        unit.close();
    }

    private static float value(HttpResponse<String> answer, String output) {
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        Matcher found = Pattern.compile("\"" + output + "\"[^}]*?\"data\":\\[([^,\\]]*)")
                .matcher(answer.body());
        assertThat(found.find()).as(answer.body()).isTrue();
        return Float.parseFloat(found.group(1));
    }

    private void checkStored() throws IOException {
        StoredState stored = StoredState.read(unit.store());
        assertThat(stored.step()).isEqualTo(expected.step);
        assertThat(stored.tensors()).containsOnlyKeys("w", "b", "opt.m:w");
        assertThat(stored.tensors().get("w")).containsExactly(expected.w, offset(1e-5f));
        assertThat(stored.tensors().get("opt.m:w")).containsExactly(expected.m, offset(1e-5f));
        assertThat(stored.tensors().get("b")).containsExactly(new float[] {expected.b}, offset(1e-5f));
    }

    @Test
    void stepsMatchReferenceAndAreDurable() throws Exception {
        try (var replica = new TestReplica(unit)) {
            for (int i = 0; i < 40; i++) {
                Batch batch = Batch.of(i, 1 + i % 7);
                HttpResponse<String> answer = replica.infer(batch.request());
                expected.step(batch, 0.1f);

                assertThat(value(answer, "loss")).isCloseTo(expected.loss, offset(1e-5f));
                assertThat(value(answer, "step")).isEqualTo(i + 1);
                checkStored();
            }
        }
        assertThat(expected.loss).isLessThan(0.5f);
    }

    @Test
    void nextReplicaContinuesFromStoredState() throws Exception {
        for (int i = 0; i < 3; i++) {
            try (var replica = new TestReplica(unit)) {
                for (int k = 0; k < 2; k++) {
                    Batch batch = Batch.of(2 * i + k, 5);
                    expected.step(batch, 0.1f);
                    assertThat(value(replica.infer(batch.request()), "loss")).isCloseTo(expected.loss, offset(1e-5f));
                }
            }
        }
        checkStored();
    }

    @Test
    void acceptsOptionalInput() throws Exception {
        try (var replica = new TestReplica(unit)) {
            Batch batch = Batch.of(1, 4);
            String rate = ",{'name':'learning_rate','datatype':'FP32','shape':[],'data':[0.02]}";
            expected.step(batch, 0.02f);
            value(replica.infer(batch.request(rate, "")), "step");
            checkStored();
        }
    }

    @Test
    void returnsModelOutputs() throws Exception {
        try (var replica = new TestReplica(unit)) {
            Batch batch = Batch.of(1, 1);
            String body = replica.infer(batch.request("", "")).body();
            assertThat(body).contains("\"loss\"", "\"y\"", "\"step\"").doesNotContain("new:");
            assertThat(replica.infer(batch.request("", ",'outputs':[{'name':'y'}]"))
                            .body())
                    .doesNotContain("\"loss\"");
            assertThat(StoredState.read(unit.store()).step()).isEqualTo(2);
        }
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    a wrong shape       | 'shape':[2,2]  | 'shape':[2,3]        | 400
                    a missing input     | 'name':'x'     | 'name':'nobody'      | 400
                    sizes that differ   | 'shape':[2,1]  | 'shape':[1,1]        | 400
                    the state itself    | 'name':'x'     | 'name':'w'           | 400
                    a state output      | 'name':'loss'  | 'name':'new:w'       | 400
                    data given twice    | 'data':[       | 'data':[1e30,0,0,0],'parameters':{},'data':[ | 400
                    """)
    void rejectedRequestKeepsState(String what, String part, String instead, int status) throws Exception {
        try (var replica = new TestReplica(unit)) {
            Batch batch = Batch.of(1, 2);
            String request = batch.request();
            assertThat(request).contains(part);
            assertThat(replica.infer(request.replace(part, instead)).statusCode())
                    .isEqualTo(status);
            assertThat(unit.store().stat(TestReplica.STATE)).isEmpty();
            expected.step(batch, 0.1f);
            assertThat(value(replica.infer(request), "step")).isEqualTo(1);
            checkStored();
        }
    }

    /** Neither the loss nor the number of the step has a row for each instance. */
    @Test
    void predictTakesColumnsOnly() throws Exception {
        try (var replica = new TestReplica(unit)) {
            HttpResponse<String> rows =
                    replica.post("/v1/models/m:predict", "{'instances':[{'x':[1,2],'t':[3]},{'x':[0,1],'t':[2]}]}");
            assertThat(rows.statusCode()).isEqualTo(400);
            assertThat(rows.body())
                    .contains(
                            "output 'loss' has shape [], so there is no row of it for each of the 2 instances; send columns in 'inputs', or call infer");
            assertThat(unit.store().stat(TestReplica.STATE)).isEmpty();

            HttpResponse<String> columns =
                    replica.post("/v1/models/m:predict", "{'inputs':{'x':[[1,2],[0,1]],'t':[[3],[2]]}}");
            assertThat(columns.body()).contains("\"step\":1");
        }
    }

    @Test
    void nonFiniteStepKeepsState() throws Exception {
        try (var replica = new TestReplica(unit)) {
            Batch first = Batch.of(1, 2);
            expected.step(first, 0.1f);
            value(replica.infer(first.request()), "step");

            HttpResponse<String> tooLarge =
                    replica.infer(new Batch(new float[][] {{1e30f, 0}}, new float[] {0}).request());
            assertThat(tooLarge.statusCode()).isEqualTo(422);
            assertThat(tooLarge.body())
                    .contains("the step was not taken, the state is as before: the loss is not finite");
            String rate = ",{'name':'learning_rate','datatype':'FP32','shape':[],'data':[3e38]}";
            HttpResponse<String> tooFast = replica.infer(first.request(rate, ""));
            assertThat(tooFast.statusCode()).isEqualTo(422);
            assertThat(tooFast.body()).contains("is not finite");
            checkStored();

            Batch next = Batch.of(2, 3);
            expected.step(next, 0.1f);
            value(replica.infer(next.request()), "step");
            checkStored();
        }
    }

    @Test
    void serialisesConcurrentCallers() throws Exception {
        int callers = 8;
        int each = 10;
        try (var replica = new TestReplica(unit);
                var threads = Executors.newFixedThreadPool(callers)) {
            List<Callable<List<Float>>> work = new ArrayList<>();
            for (int c = 0; c < callers; c++) {
                int caller = c;
                work.add(() -> {
                    var steps = new ArrayList<Float>();
                    for (int i = 0; i < each; i++) {
                        steps.add(value(replica.infer(Batch.of(caller, 2).request()), "step"));
                    }
                    return steps;
                });
            }
            var steps = new ArrayList<Float>();
            for (Future<List<Float>> one : threads.invokeAll(work)) {
                steps.addAll(one.get());
            }
            assertThat(steps).doesNotHaveDuplicates().hasSize(callers * each);
            assertThat(StoredState.read(unit.store()).step()).isEqualTo(callers * each);
        }
    }

    @Test
    void twoReplicasShareOneState() throws Exception {
        try (var one = new TestReplica(unit);
                var two = new TestReplica(unit)) {
            for (int i = 0; i < 6; i++) {
                Batch batch = Batch.of(i, 3);
                expected.step(batch, 0.1f);
                HttpResponse<String> answer = (i % 3 == 0 ? one : two).infer(batch.request());
                assertThat(value(answer, "step")).isEqualTo(i + 1);
                assertThat(value(answer, "loss")).isCloseTo(expected.loss, offset(1e-5f));
            }
            checkStored();
        }
    }

    /** Delegates to real checkpoints and lets a test act right before a save. */
    private static final class HookedCheckpoints implements Checkpoints {
        private final Checkpoints real;
        private final Callable<Boolean> before;

        HookedCheckpoints(Checkpoints real, Callable<Boolean> before) {
            this.real = real;
            this.before = before;
        }

        @Override
        public long load(List<Tensor> state) {
            return real.load(state);
        }

        @Override
        public boolean save(List<Tensor> state, long step) {
            try {
                if (before.call()) {
                    return real.save(state, step);
                }
            } catch (RuntimeException outage) {
                throw outage;
            } catch (Exception impossible) {
                throw new IllegalStateException(impossible);
            }
            throw new IllegalStateException("the store is gone");
        }
    }

    @Test
    void lostRacesAreRetriableErrors() throws Exception {
        int attempts = 8;
        var rivals = new AtomicInteger(attempts);
        try (var rival = new TestReplica(unit)) {
            Callable<Boolean> race = () -> {
                if (rivals.getAndDecrement() > 0) {
                    value(rival.infer(Batch.of(9, 2).request()), "step");
                }
                return true;
            };
            try (var replica = new TestReplica(
                    unit, EngineSettings.DEFAULTS, new HookedCheckpoints(TestReplica.state(unit), race))) {
                HttpResponse<String> lost = replica.infer(Batch.of(1, 2).request());
                assertThat(lost.statusCode()).isEqualTo(503);
                assertThat(lost.headers().firstValue("Retry-After")).contains("1");
                assertThat(lost.body()).contains("changed the state 8 times");
                assertThat(value(replica.infer(Batch.of(1, 2).request()), "step"))
                        .isEqualTo(attempts + 1);
            }
        }
        for (int i = 0; i < attempts; i++) {
            expected.step(Batch.of(9, 2), 0.1f);
        }
        expected.step(Batch.of(1, 2), 0.1f);
        checkStored();
    }

    @Test
    void storeOutageLosesNoStep() throws Exception {
        var outages = new AtomicInteger(1);
        try (var replica = new TestReplica(
                unit,
                EngineSettings.DEFAULTS,
                new HookedCheckpoints(TestReplica.state(unit), () -> outages.getAndDecrement() <= 0))) {
            HttpResponse<String> failed = replica.infer(Batch.of(5, 2).request());
            assertThat(failed.statusCode()).isEqualTo(503);
            assertThat(failed.body()).contains("the store is gone");
            expected.step(Batch.of(6, 2), 0.1f);
            assertThat(value(replica.infer(Batch.of(6, 2).request()), "step")).isEqualTo(1);
            checkStored();
        }
    }

    @Test
    void rejectsStateOfAnotherUnit() throws Exception {
        unit.store()
                .write(
                        TestReplica.STATE,
                        Content.of(io.knabla.functions.unit.safetensors.SafeTensors.content(
                                        List.of(AnalyticModels.values("w", new float[3], 3L)),
                                        java.util.Map.of("step", "1"))
                                .open()
                                .readAllBytes()));
        assertThatThrownBy(() -> new TestReplica(unit))
                .hasMessageContaining("does not fit this unit: it holds 1 tensors, the unit has 3");
        unit.store().write(TestReplica.STATE, Content.of("no tensors".getBytes(StandardCharsets.UTF_8)));
        assertThatThrownBy(() -> new TestReplica(unit)).hasMessageContaining("not a safetensors file");
    }
}
