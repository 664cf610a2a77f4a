package io.knabla.controller.cli.doctor;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Monthly cost of the platform of {@code terraform/aws} while no function runs, in us-east-1. The file comes from
 * there; a test of the cost module holds it to the bundled prices.
 */
public final class IdleCost {
    /**
     * @param size such as {@code small}
     * @param usdPerMonth of all {@code count} items, in 730 hours
     */
    public record Line(String size, String item, int count, BigDecimal usdPerMonth) {}

    private IdleCost() {}

    public static List<Line> lines() {
        try (var text = new BufferedReader(
                new InputStreamReader(IdleCost.class.getResourceAsStream("idle-cost.csv"), StandardCharsets.UTF_8))) {
            return text.lines().skip(1).map(IdleCost::line).toList();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static Line line(String row) {
        String[] cells = row.split(",");
        return new Line(cells[0], cells[1], Integer.parseInt(cells[2]), new BigDecimal(cells[3]));
    }

    /** US dollars a month by size, in the file's order. */
    public static Map<String, BigDecimal> sums() {
        Map<String, BigDecimal> sums = new LinkedHashMap<>();
        lines().forEach(line -> sums.merge(line.size(), line.usdPerMonth(), BigDecimal::add));
        return sums;
    }
}
