package io.knabla.controller.cli.verbs.model;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.controller.machine.GpuProfile;
import io.knabla.functions.compiler.pool.BreakEven;
import io.knabla.functions.compiler.pool.CallWork;
import io.knabla.functions.compiler.pool.ComparedNodes;
import io.knabla.functions.compiler.pool.NodeKind;
import io.knabla.functions.compiler.pool.NodeKind.Precision;
import io.knabla.functions.compiler.pool.NodeKinds;
import io.knabla.functions.compiler.pool.PoolRule;
import io.knabla.functions.unit.GpuFigure;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Prints the rate of calls from which GPU nodes cost less than CPU nodes. */
final class PoolReport {
    private final List<BreakEven> nodes;
    private final Optional<GpuProfile> device;

    /** @param device this machine's GPU, if it was measured */
    PoolReport(CallWork work, Optional<GpuProfile> device) {
        this.nodes = PoolRule.breakEvens(offers(device), work, PoolRule.ASSUMED_ROWS, Precision.TF32);
        this.device = device;
    }

    /** A measured GPU takes the place of the node with the same one. */
    private static ComparedNodes offers(Optional<GpuProfile> device) {
        List<NodeKind> table = NodeKinds.gpus();
        Optional<NodeKind> measured = device.map(profile -> profile.kind(table));
        List<NodeKind> others = table.stream()
                .filter(node -> measured.stream().noneMatch(one -> one.name().equals(node.name())))
                .toList();
        return new ComparedNodes(
                NodeKinds.cpu(),
                Stream.concat(measured.stream(), others.stream()).toList());
    }

    void print(Context context) {
        var table = Table.of(
                "GPU NODE", "GPU", ">PAYS FROM CALLS/S", ">BUSY FROM ROWS/RUN", ">$ A MILLION CALLS", ">ON " + cpu());
        for (BreakEven node : nodes) {
            table.row(
                    node.gpu().name(),
                    node.gpu().device(),
                    node.pays() ? number(node.fromCallsPerSecond()) : "never",
                    node.fromRows().isPresent() ? node.fromRows().getAsInt() : "never",
                    dollars(node.gpuDollars()),
                    dollars(node.cpuDollars()));
        }
        context.console().print("%n%s", table);
        context.note(
                "prices are %s; speeds of nodes: %s; busy nodes, runs of up to %d rows in float32",
                PoolRule.TABLE_PRICES, sources(), PoolRule.ASSUMED_ROWS);
    }

    private static String cpu() {
        return NodeKinds.cpu().name().toUpperCase(Locale.ROOT);
    }

    private String sources() {
        return device.map(profile -> "measured of %s%s, of the others assumed".formatted(profile.name(), but(profile)))
                .orElse("assumed");
    }

    private static String but(GpuProfile profile) {
        List<GpuFigure> missing = profile.missing();
        return missing.isEmpty()
                ? ""
                : missing.stream().map(GpuFigure::name).collect(Collectors.joining(", ", " but for ", ""));
    }

    private static String number(double calls) {
        return String.format(Locale.ROOT, calls < 10 ? "%.2g" : "%,.0f", calls);
    }

    private static String dollars(double amount) {
        return String.format(Locale.ROOT, "%.3g", amount);
    }

    ArrayNode document() {
        ArrayNode document = Documents.JSON.createArrayNode();
        for (BreakEven node : nodes) {
            ObjectNode one = document.addObject()
                    .put("node", node.gpu().name())
                    .put("device", node.gpu().device())
                    .put("gpuDollarsPerMillion", node.gpuDollars())
                    .put("cpuDollarsPerMillion", node.cpuDollars())
                    .put("source", node.gpu().efficiency().source().name());
            if (node.pays()) {
                one.put("fromCallsPerSecond", node.fromCallsPerSecond());
            }
            node.fromRows().ifPresent(rows -> one.put("fromRows", rows));
        }
        return document;
    }
}
