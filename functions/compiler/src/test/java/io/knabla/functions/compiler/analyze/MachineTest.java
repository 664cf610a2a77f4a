package io.knabla.functions.compiler.analyze;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.analyze.Machine.Source;
import io.knabla.functions.compiler.onnx.Model;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests predictions for other machines and their JSON form. */
class MachineTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static Analysis perceptron(long batch) {
        return Analyzer.analyze(Model.of(Onnx.mlp(256, 512, 10)), Map.of("batch", batch));
    }

    private static Machine measured(double flops, double bytesPerSecond) {
        return new Machine(1, flops, bytesPerSecond, Source.measured);
    }

    /** Roofline time from the full list of operators. */
    private static double seconds(Analysis analysis, Machine machine) {
        return analysis.operators().stream()
                .mapToDouble(op -> Math.max(
                        op.flops() / machine.flops(), (op.bytesRead() + op.bytesWritten()) / machine.bytesPerSecond()))
                .sum();
    }

    @Test
    void predictionForAnotherMachineMatchesItsOperators() {
        for (long batch : new long[] {1, 32, 1024}) {
            Analysis analysis = perceptron(batch);
            for (double flops = 1e9; flops < 1e14; flops *= 3) {
                Machine machine = measured(flops, 2e10);

                Analysis there = analysis.summary().forMachine(machine);

                double exact = 1000 * seconds(analysis, machine);
                assertThat(there.predictedMillis()).isBetween(0.9 * exact, exact * (1 + 1e-9));
                assertThat(there.machine()).isEqualTo(machine);
                assertThat(there.prediction().seconds()).isCloseTo(there.predictedMillis() / 1000, within(1e-15));
            }
        }
    }

    @Test
    void saysWhetherTheMachineWasMeasured() {
        Analysis analysis = perceptron(1);

        assertThat(analysis.machine()).isEqualTo(Machine.ASSUMED);
        assertThat(analysis.predictedMillis()).isCloseTo(1000 * seconds(analysis, Machine.ASSUMED), within(1e-12));
        assertThat(analysis.prediction().machine()).contains("assumed");
        Analysis here = analysis.forMachine(measured(1.5e11, 1.2e10));
        assertThat(here.prediction().machine()).isEqualTo("this host, measured (1 thread, 150 GFLOP/s, 12 GB/s)");
        assertThat(here.suggestion().reason()).contains("this host, measured");
    }

    @Test
    void survivesBeingWritten() throws IOException {
        Analysis analysis = perceptron(32);
        ObjectNode document = JSON.valueToTree(analysis);
        Machine machine = measured(1e11, 1e10);

        Analysis read = JSON.treeToValue(document, Analysis.class);

        assertThat(document.at("/machine/source").asText()).isEqualTo("assumed");
        assertThat(read).isEqualTo(analysis);
        assertThat(read.forMachine(machine)).isEqualTo(analysis.forMachine(machine));
    }

    /** Analyses of units that were packaged before these fields existed. */
    @Test
    void readsDocumentsWithoutTheNewFields() throws IOException {
        ObjectNode document = JSON.valueToTree(perceptron(32));
        document.remove(java.util.List.of("predictedMillis", "machine", "work"));

        Analysis read = JSON.treeToValue(document, Analysis.class);

        assertThat(read.predictedMillis()).isEqualTo(1000 * read.prediction().seconds());
        assertThat(read.machine()).isEqualTo(Machine.ASSUMED);
        assertThat(read.forMachine(measured(1e11, 1e10))).isEqualTo(read);
    }
}
