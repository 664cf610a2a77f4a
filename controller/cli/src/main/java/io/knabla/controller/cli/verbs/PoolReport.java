package io.knabla.controller.cli.verbs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.functions.compiler.pool.BreakEven;
import io.knabla.functions.compiler.pool.CallWork;
import io.knabla.functions.compiler.pool.NodeKind.Precision;
import io.knabla.functions.compiler.pool.NodeKinds;
import io.knabla.functions.compiler.pool.PoolRule;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Prints the rate of calls from which GPU nodes cost less than CPU nodes. */
final class PoolReport {
    private final List<BreakEven> nodes;

    PoolReport(CallWork work) {
        this.nodes = PoolRule.breakEvens(work, PoolRule.ASSUMED_ROWS, Precision.FLOAT32);
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
                "prices: AWS us-east-1 on demand, July 2026; speeds of nodes: %s; busy nodes, runs of up to %d rows in float32",
                sources(), PoolRule.ASSUMED_ROWS);
    }

    private static String cpu() {
        return NodeKinds.cpu().name().toUpperCase(Locale.ROOT);
    }

    private String sources() {
        return nodes.stream()
                .map(node -> node.gpu().efficiency().source().name())
                .distinct()
                .collect(Collectors.joining(", "));
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
