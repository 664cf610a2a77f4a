package io.knabla.functions.compiler.pool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.knabla.functions.compiler.pool.NodeKind.Precision;
import io.knabla.functions.compiler.pool.NodeKind.Source;
import io.knabla.functions.compiler.pool.PoolRule.Choice;
import java.util.List;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Figures of models whose FLOPs, weights and nodes are known. */
class PoolRuleTest {
    private static final CallWork MLP = new CallWork(3.72e6, 0, 7.44e6, 60e3, 3176, 8);
    private static final CallWork RESNET_18 = new CallWork(3.64e9, 3.64e9, 46.8e6, 24e6, 606e3, 50);
    private static final CallWork RESNET_50 = new CallWork(8.18e9, 8.18e9, 102e6, 90e6, 606e3, 115);
    private static final CallWork BERT = new CallWork(22.32e9, 0, 438e6, 100e6, 7e3, 200);
    private static final CallWork GPT_2 = new CallWork(22.62e9, 0, 498e6, 100e6, 1e3, 210);

    private static final int ROWS = 256;

    private static CallWork work(String model) {
        return switch (model) {
            case "MLP" -> MLP;
            case "ResNet-18" -> RESNET_18;
            case "ResNet-50" -> RESNET_50;
            case "BERT" -> BERT;
            case "GPT-2" -> GPT_2;
            default -> throw new IllegalArgumentException(model);
        };
    }

    private static BreakEven on(String device, CallWork work) {
        return PoolRule.breakEvens(ComparedNodes.TABLE, work, ROWS, Precision.FLOAT32).stream()
                .filter(one -> one.gpu().device().equals(device))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "ResNet-18, 14.8,  0.73, 199, 304, 380, 2600",
        "ResNet-50, 33.2,  1.65, 88,  135, 169, 1155",
        "BERT,      90.7,  4.5,  32,  50,  62,  425",
        "GPT-2,     91.9,  4.6,  32,  49,  61,  419",
    })
    void gpuPaysFromThisRate(
            String model, double millis, double dollars, double t4, double l4, double a10g, double h100) {
        CallWork work = work(model);

        assertThat(1000 * work.seconds(NodeKinds.cpu(), 1, Precision.FLOAT32)).isCloseTo(millis, within(0.1));
        assertThat(on("T4", work).cpuDollars()).isCloseTo(dollars, within(0.05));
        assertThat(on("T4", work).fromCallsPerSecond()).isCloseTo(t4, within(Math.max(0.5, 0.01 * t4)));
        assertThat(on("L4", work).fromCallsPerSecond()).isCloseTo(l4, within(Math.max(0.5, 0.01 * l4)));
        assertThat(on("A10G", work).fromCallsPerSecond()).isCloseTo(a10g, within(0.01 * a10g));
        assertThat(on("H100", work).fromCallsPerSecond()).isCloseTo(h100, within(0.01 * h100));
    }

    @ParameterizedTest
    @CsvSource({
        "MLP,       0.005, 0.004, 0.004, 0.004",
        "ResNet-18, 0.28,  0.10,  0.13,  0.03",
        "ResNet-50, 0.59,  0.27,  0.28,  0.06",
        "BERT,      1.5,   0.41,  0.71,  0.08",
        "GPT-2,     1.5,   0.42,  0.72,  0.09",
    })
    void millisecondsOfARowInRunsOf32(String model, double l4, double l4Half, double h100, double h100Half) {
        assertThat(millis("L4", model, Precision.FLOAT32)).isCloseTo(l4, within(half(l4)));
        assertThat(millis("L4", model, Precision.HALF)).isCloseTo(l4Half, within(half(l4Half)));
        assertThat(millis("H100", model, Precision.FLOAT32)).isCloseTo(h100, within(half(h100)));
        assertThat(millis("H100", model, Precision.HALF)).isCloseTo(h100Half, within(half(h100Half)));
    }

    /** Half a unit of the last digit that is stated. */
    private static double half(double stated) {
        return stated < 0.01 ? 0.0005 : stated < 1 ? 0.005 : 0.05;
    }

    private static double millis(String device, String model, Precision precision) {
        NodeKind gpu = on(device, work(model)).gpu();
        return 1000 * work(model).seconds(gpu, 32, precision) / 32;
    }

    @Test
    void busyGpuComputesARowForLessFromThisManyRows() {
        assertThat(on("T4", MLP).fromRows()).hasValue(32);
        assertThat(on("L4", MLP).fromRows()).hasValue(64);
        assertThat(on("H100", MLP).fromRows()).isEqualTo(OptionalInt.empty());
        assertThat(on("L4", RESNET_18).fromRows()).hasValue(1);
        assertThat(on("H100", RESNET_18).fromRows()).hasValue(2);
        assertThat(on("H100", RESNET_50).fromRows()).hasValue(2);
        assertThat(on("H100", BERT).fromRows()).hasValue(1);
    }

    @Test
    void smallModelNeedsARateThatFewFunctionsHave() {
        assertThat(on("T4", MLP).fromCallsPerSecond()).isGreaterThan(180_000);
    }

    @Test
    void gpuThatIsFullBeforeNeverPays() {
        BreakEven alone = BreakEven.of(MLP, NodeKinds.cpu(), NodeKinds.gpus().getFirst(), 1, Precision.FLOAT32);

        assertThat(alone.pays()).isFalse();
        assertThat(PoolRule.choose(List.of(alone), 1e9)).isInstanceOf(Choice.Cpu.class);
        assertThat(PoolRule.choose(List.of(alone), 1e9).reason()).contains("at every rate");
    }

    @Test
    void reasonNamesNodeRateAndSource() {
        List<BreakEven> nodes = PoolRule.breakEvens(ComparedNodes.TABLE, RESNET_18, ROWS, Precision.FLOAT32);

        assertThat(PoolRule.choose(nodes, 1))
                .isInstanceOf(Choice.Cpu.class)
                .extracting(Choice::reason)
                .asString()
                .contains("at 1.0 calls a second CPU nodes cost less", "(g4dn.xlarge, T4) does from 199 on", "assumed");
        assertThat(PoolRule.choose(nodes, 250))
                .isInstanceOf(Choice.Gpu.class)
                .extracting(Choice::reason)
                .asString()
                .contains("(g4dn.xlarge, T4) costs less than CPU nodes from 199 calls a second, here 250");
    }

    @Test
    void figuresSayThatNothingWasMeasured() {
        assertThat(NodeKinds.gpus())
                .hasSize(4)
                .allSatisfy(kind -> assertThat(kind.efficiency().source()).isEqualTo(Source.assumed));
    }
}
