package io.knabla.controller.cli.verbs.model;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.knabla.controller.cli.print.Amounts;
import io.knabla.controller.cli.print.Documents;
import io.knabla.controller.cli.print.Table;
import io.knabla.controller.cli.verbs.context.Context;
import io.knabla.functions.compiler.cuda.DevicePlacement;
import io.knabla.functions.compiler.cuda.DevicePlacement.Copy;
import io.knabla.functions.compiler.cuda.DevicePlacement.Direction;
import io.knabla.functions.compiler.cuda.DevicePlacement.Fallback;
import io.knabla.functions.compiler.cuda.HostLink;
import java.util.Map;

/** Prints which operators of a model stay on the CPU of a GPU node, and what each call copies because of them. */
final class PlacementReport {
    private static final HostLink LINK = HostLink.ASSUMED;

    private final Map<String, DevicePlacement> graphs;

    /** @param graphs by name */
    PlacementReport(Map<String, DevicePlacement> graphs) {
        this.graphs = graphs;
    }

    void print(Context context) {
        context.console().print("");
        graphs.forEach((name, placement) ->
                context.console().print("%-15s %s", "On a GPU:", "graph %s, %s".formatted(name, sentence(placement))));
        Table fallbacks = fallbacks();
        if (!fallbacks.isEmpty()) {
            context.console().print("%n%s", fallbacks);
        }
        Table copies = copies();
        if (!copies.isEmpty()) {
            context.console().print("%n%s", copies);
        }
    }

    /** The placement in one sentence. */
    static String sentence(DevicePlacement placement) {
        int sizes = placement.fallbacks().size() - placement.computations().size();
        return "%d nodes on the GPU, %d on the CPU%s, %d copies%s"
                .formatted(
                        placement.device(),
                        placement.fallbacks().size(),
                        sizes == 0 ? "" : " (%d of them only compute sizes)".formatted(sizes),
                        placement.copies().size(),
                        placement.copies().isEmpty() ? "" : price(placement));
    }

    private static String price(DevicePlacement placement) {
        return " of %s a call: about %s at %.0f GB/s and %.0f µs a copy, which are assumed"
                .formatted(
                        Amounts.bytes(placement.copiedBytes()),
                        Amounts.millis(1000 * placement.copySeconds(LINK)),
                        LINK.bytesPerSecond() / 1e9,
                        1e6 * LINK.secondsPerCopy());
    }

    private Table fallbacks() {
        var table = Table.of("GRAPH", "NODE", "OPERATOR", "ON THE CPU, BECAUSE");
        graphs.forEach((name, placement) -> {
            for (Fallback one : placement.fallbacks()) {
                table.row(name, one.node(), one.op(), one.why());
            }
        });
        return table;
    }

    private Table copies() {
        var table = Table.of("GRAPH", "COPIED IN EACH CALL", "TO", ">BYTES");
        graphs.forEach((name, placement) -> {
            for (Copy one : placement.copies()) {
                table.row(name, one.value(), to(one.direction()), Amounts.bytes(one.bytes()));
            }
        });
        return table;
    }

    private static String to(Direction direction) {
        return switch (direction) {
            case TO_DEVICE -> "the GPU";
            case TO_HOST -> "the CPU";
        };
    }

    ObjectNode document() {
        ObjectNode document = Documents.JSON.createObjectNode();
        graphs.forEach((name, placement) -> {
            ObjectNode graph = Documents.JSON.valueToTree(placement);
            graph.remove("computations");
            graph.put("copiedBytes", placement.copiedBytes());
            graph.put("copyMillis", 1000 * placement.copySeconds(LINK));
            document.set(name, graph);
        });
        document.putObject("link")
                .put("bytesPerSecond", LINK.bytesPerSecond())
                .put("secondsPerCopy", LINK.secondsPerCopy())
                .put("source", "assumed");
        return document;
    }
}
