package io.knabla.controller.deploy;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.controller.deploy.EngineCheck.CheckResult;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner.EngineRequest;
import io.knabla.controller.platform.engine.ReplicaProgram;
import io.knabla.controller.platform.engine.RowsVerdict;
import io.knabla.controller.standin.DefaultSettings;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed.Valid;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.RowsFinding;
import io.knabla.storage.memory.MemoryObjectStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Checks units with an engine that finds what the test says of rows. */
class EngineCheckTest {
    private static final Digest UNIT = Digest.ofHex("1".repeat(64));
    private static final String BATCHES = "batching: {maxSize: 8}";

    private final MemoryObjectStore store = new MemoryObjectStore();
    private final List<EngineRequest> runs = new ArrayList<>();
    private Optional<String> warning = Optional.empty();
    private Optional<RowsVerdict> rows = Optional.empty();

    /** A new one has nothing in memory, as after a restart of the controller. */
    private CheckResult check(String more) {
        var replica = new ReplicaProgram(
                request -> {
                    runs.add(request);
                    return new EngineResult.Passed(
                            warning, Optional.empty(), rows.filter(_ -> request.batchMaxSize() > 1), Optional.empty());
                },
                DefaultSettings.settings());
        return new EngineCheck(replica, new EngineVerdicts(store)).check(UNIT, spec(more));
    }

    private static FunctionSpec spec(String more) {
        return ((Valid) FunctionYaml.parse("""
                        apiVersion: knabla.dev/v1alpha1
                        kind: Function
                        metadata: {name: m}
                        spec: {model: "file:///m.onnx", %s}
                        """.formatted(more))).resource().spec();
    }

    private void finds(RowsFinding finding, String reason) {
        rows = Optional.of(new RowsVerdict(finding, reason));
    }

    @Test
    void refusesToJoinRowsThatDependOnEachOther() {
        finds(RowsFinding.DEPENDENT, "output 'y' is 0.42 alone and 0.0 beside others");

        assertThat(check(BATCHES)).isInstanceOfSatisfying(CheckResult.Refused.class, refused -> {
            assertThat(refused.fault().path()).isEqualTo("spec.batching.maxSize");
            assertThat(refused.fault().message())
                    .isEqualTo(
                            "found 8, but the rows of one caller change the answers of another: output 'y' is 0.42 alone and 0.0 beside others. Remove batching, or export a model that computes each row by itself");
        });
        assertThat(check(BATCHES + ", quantize: {type: Dynamic}"))
                .isInstanceOfSatisfying(
                        CheckResult.Refused.class,
                        refused -> assertThat(refused.fault().message())
                                .endsWith(
                                        "Remove batching, or write spec.quantize: {type: Static}, whose scales do not depend on the rows"));
        assertThat(runs).hasSize(1);
        assertThat(check("timeout: 30s")).isEqualTo(new CheckResult.Works(List.of()));
    }

    @Test
    void refusesToJoinAnswersThatCannotBeToldApart() {
        finds(RowsFinding.INSEPARABLE, "output 'y' has 6 rows");

        assertThat(check(BATCHES))
                .isInstanceOfSatisfying(
                        CheckResult.Refused.class,
                        refused -> assertThat(refused.fault().message()).contains("output 'y' has 6 rows"));
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_CHECKED", "NOT_JOINED"})
    void tellsAtEachDeployWhatIsNotKnownOrNotInEffect(RowsFinding finding) {
        finds(finding, "its answers are random");

        for (int deploy = 0; deploy < 2; deploy++) {
            assertThat(check(BATCHES))
                    .isInstanceOfSatisfying(
                            CheckResult.Works.class,
                            works -> assertThat(works.warnings())
                                    .singleElement()
                                    .asString()
                                    .startsWith("spec.batching: ")
                                    .contains("its answers are random"));
        }
        assertThat(runs).hasSize(1);
        assertThat(new EngineVerdicts(store).of(UNIT))
                .hasValueSatisfying(check -> assertThat(check.rows().finding()).isEqualTo(finding));
    }

    @Test
    void checksRowsOnlyOnceThatAFunctionJoinsThem() {
        finds(RowsFinding.INDEPENDENT, "");

        assertThat(check("timeout: 30s")).isEqualTo(new CheckResult.Works(List.of()));
        assertThat(check(BATCHES)).isEqualTo(new CheckResult.Works(List.of()));
        assertThat(check(BATCHES)).isEqualTo(new CheckResult.Works(List.of()));
        assertThat(check("timeout: 30s")).isEqualTo(new CheckResult.Works(List.of()));
        assertThat(runs).extracting(EngineRequest::batchMaxSize).containsExactly(1, 8);
    }

    @Test
    void aCheckOfAnotherVersionKnowsNothingOfRows() {
        assertThat(check(BATCHES))
                .isInstanceOfSatisfying(
                        CheckResult.Works.class,
                        works -> assertThat(works.warnings().toString()).contains("another version of Knabla"));
    }

    @Test
    void aUnitThatRanWithAWarningIsCheckedAgain() {
        warning = Optional.of("a trial failed");

        assertThat(check("timeout: 30s")).isEqualTo(new CheckResult.Works(List.of("a trial failed")));
        assertThat(check("timeout: 30s")).isEqualTo(new CheckResult.Works(List.of("a trial failed")));
        assertThat(runs).hasSize(2);
    }
}
