package io.knabla.controller.machine;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import io.knabla.functions.compiler.pool.NodeKind;
import io.knabla.functions.compiler.pool.NodeKind.Efficiency;
import io.knabla.functions.compiler.pool.NodeKind.Peaks;
import io.knabla.functions.compiler.pool.NodeKind.Precision;
import io.knabla.functions.compiler.pool.NodeKind.Source;
import io.knabla.functions.unit.GpuFigure;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/**
 * Measured rates and times of a host's GPU, as the controller keeps them.
 *
 * @param name such as {@code NVIDIA L4}
 * @param rates by figure; what could not be measured is absent
 */
@JsonIgnoreProperties(ignoreUnknown = true)
public record GpuProfile(String name, Map<GpuFigure, Double> rates) {
    public GpuProfile {
        rates = rates == null ? Map.of() : Map.copyOf(rates);
    }

    /** Whether the values are plausible: a damaged file may hold anything. */
    boolean isPossible() {
        return name != null && rates.values().stream().allMatch(rate -> rate > 0 && Double.isFinite(rate));
    }

    /** Figures that stay assumed. */
    public List<GpuFigure> missing() {
        return Arrays.stream(GpuFigure.values())
                .filter(figure -> !rates.containsKey(figure))
                .toList();
    }

    /**
     * A node with this GPU. What was not measured, and the price, are those of the table's node with such a GPU, or
     * else of that with the nearest speed.
     *
     * @param table GPU nodes whose figures are assumed
     */
    public NodeKind kind(List<NodeKind> table) {
        return table.stream()
                .filter(node -> isOf(node.device()))
                .findFirst()
                .map(this::measured)
                .orElseGet(() -> measured(nearest(table)));
    }

    /** Whether the GPU's name has this word. */
    private boolean isOf(String device) {
        return List.of(name.split("[ -]")).contains(device);
    }

    private NodeKind nearest(List<NodeKind> table) {
        NodeKind any = table.getLast();
        double own = rates.getOrDefault(GpuFigure.float32, rate(any, Precision.FLOAT32));
        NodeKind found = table.stream()
                .min(Comparator.comparingDouble(node -> Math.abs(Math.log(rate(node, Precision.FLOAT32) / own))))
                .orElse(any);
        return found.named("like " + found.name());
    }

    /** What it is taken to reach. */
    private static double rate(NodeKind assumed, Precision precision) {
        return assumed.efficiency().computeShare() * assumed.peaks().of(precision);
    }

    private NodeKind measured(NodeKind assumed) {
        Peaks peaks = new Peaks(
                rates.getOrDefault(GpuFigure.float32, rate(assumed, Precision.FLOAT32)),
                rates.getOrDefault(GpuFigure.tf32, rate(assumed, Precision.TF32)),
                rates.getOrDefault(GpuFigure.half, rate(assumed, Precision.HALF)));
        return new NodeKind(
                assumed.name(),
                name,
                assumed.price(),
                peaks,
                rates.getOrDefault(
                        GpuFigure.bytesPerSecond, assumed.efficiency().memoryShare() * assumed.bytesPerSecond()),
                rates.getOrDefault(GpuFigure.linkBytesPerSecond, assumed.linkBytesPerSecond()),
                reached(assumed.efficiency(), peaks));
    }

    /** The peaks are what was reached, so all of them is. */
    private Efficiency reached(Efficiency assumed, Peaks peaks) {
        return new Efficiency(
                1,
                rates.getOrDefault(GpuFigure.convolution, peaks.tf32()) / peaks.tf32(),
                1,
                rates.getOrDefault(GpuFigure.launchSeconds, assumed.launchSeconds()),
                rates.getOrDefault(GpuFigure.callSeconds, assumed.callSeconds()),
                Source.measured);
    }
}
