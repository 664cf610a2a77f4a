package io.knabla.functions.compiler.pool;

import io.knabla.functions.compiler.pool.NodeKind.Precision;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Chooses between the CPU and the GPU pool of nodes by cost per call. Pure. */
public final class PoolRule {
    /** A function's rate before its first call. */
    public static final double UNKNOWN_RATE = 1;

    /** Rows that a run on a GPU is taken to join at most. */
    public static final int ASSUMED_ROWS = 32;

    /** Whose the prices of the table of node kinds are. */
    public static final String TABLE_PRICES = "AWS us-east-1's on demand of July 2026";

    private PoolRule() {}

    /** The chosen pool and its reason. */
    public sealed interface Choice {
        /** @param best the GPU node that pays first, if any does */
        record Cpu(Optional<BreakEven> best, double callsPerSecond) implements Choice {}

        /** @param best the GPU node that pays first */
        record Gpu(BreakEven best, double callsPerSecond) implements Choice {}

        /** The reason for people. */
        default String reason() {
            return switch (this) {
                case Gpu(var best, var rate) ->
                    String.format(
                            Locale.ROOT,
                            "a GPU node (%s, %s) costs less than CPU nodes from %s calls a second, here %s; %s",
                            best.gpu().name(),
                            best.gpu().device(),
                            rounded(best.fromCallsPerSecond()),
                            rounded(rate),
                            figures(best));
                case Cpu(var best, var rate)
                when best.isPresent() ->
                    String.format(
                            Locale.ROOT,
                            "at %s calls a second CPU nodes cost less; a GPU node (%s, %s) does from %s on; %s",
                            rounded(rate),
                            best.get().gpu().name(),
                            best.get().gpu().device(),
                            rounded(best.get().fromCallsPerSecond()),
                            figures(best.get()));
                case Cpu _ ->
                    "CPU nodes cost less at every rate: a GPU node is full before it has replaced its price in CPU nodes";
            };
        }
    }

    /**
     * All GPU nodes against the CPU node.
     *
     * @param maxRows rows that a run may join
     */
    public static List<BreakEven> breakEvens(ComparedNodes nodes, CallWork work, int maxRows, Precision precision) {
        return nodes.gpus().stream()
                .map(gpu -> BreakEven.of(work, nodes.cpu(), gpu, maxRows, precision))
                .toList();
    }

    public static Choice choose(List<BreakEven> nodes, double callsPerSecond) {
        Optional<BreakEven> first =
                nodes.stream().filter(BreakEven::pays).min(Comparator.comparingDouble(BreakEven::fromCallsPerSecond));
        return first.filter(best -> best.fromCallsPerSecond() <= callsPerSecond)
                .<Choice>map(best -> new Choice.Gpu(best, callsPerSecond))
                .orElseGet(() -> new Choice.Cpu(first, callsPerSecond));
    }

    private static String figures(BreakEven best) {
        String speeds = switch (best.gpu().efficiency().source()) {
            case assumed -> "speeds are assumed from data sheets";
            case measured -> "speeds are measured";
        };
        return speeds + ", " + prices(best.gpu(), best.cpu());
    }

    private static String prices(NodeKind gpu, NodeKind cpu) {
        return gpu.price().source() == cpu.price().source()
                ? "prices are " + whose(gpu)
                : "the price of %s is %s, of %s %s".formatted(gpu.name(), whose(gpu), cpu.name(), whose(cpu));
    }

    private static String whose(NodeKind node) {
        return switch (node.price().source()) {
            case platform -> "this platform's";
            case table -> TABLE_PRICES;
        };
    }

    /** Three digits are more than the figures are worth. */
    private static String rounded(double number) {
        return String.format(Locale.ROOT, number < 10 ? "%.2g" : "%.0f", number);
    }
}
