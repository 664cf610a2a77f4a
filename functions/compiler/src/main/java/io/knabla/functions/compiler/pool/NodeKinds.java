package io.knabla.functions.compiler.pool;

import io.knabla.functions.compiler.pool.NodeKind.Efficiency;
import io.knabla.functions.compiler.pool.NodeKind.Peaks;
import io.knabla.functions.compiler.pool.NodeKind.Price;
import io.knabla.functions.compiler.pool.NodeKind.PriceSource;
import io.knabla.functions.compiler.pool.NodeKind.Source;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** The node kinds of {@code node-kinds.tsv}, which states the source of its figures. */
public final class NodeKinds {
    private static final List<NodeKind> ALL = read();

    private NodeKinds() {}

    /** The node that GPU nodes are compared with. */
    public static NodeKind cpu() {
        return ALL.getFirst();
    }

    /** Cheapest first. */
    public static List<NodeKind> gpus() {
        return ALL.subList(1, ALL.size());
    }

    private static List<NodeKind> read() {
        try (var lines = new BufferedReader(
                new InputStreamReader(NodeKinds.class.getResourceAsStream("node-kinds.tsv"), StandardCharsets.UTF_8))) {
            return lines.lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(line -> line.split("\t"))
                    .map(NodeKinds::kind)
                    .toList();
        } catch (IOException damaged) {
            throw new UncheckedIOException("the table of node kinds is damaged", damaged);
        }
    }

    private static NodeKind kind(String[] columns) {
        return new NodeKind(
                columns[0],
                columns[1],
                new Price(Double.parseDouble(columns[2]), PriceSource.table),
                new Peaks(
                        Double.parseDouble(columns[3]), Double.parseDouble(columns[3]), Double.parseDouble(columns[4])),
                Double.parseDouble(columns[5]),
                Double.parseDouble(columns[6]),
                new Efficiency(
                        Double.parseDouble(columns[7]),
                        Double.parseDouble(columns[7]),
                        Double.parseDouble(columns[8]),
                        Double.parseDouble(columns[9]),
                        Double.parseDouble(columns[10]),
                        Source.valueOf(columns[11])));
    }
}
