package io.knabla.controller.price;

import java.util.List;

/**
 * What could be read of an answer of AWS.
 *
 * @param faults one sentence for each part that should have been a price and could not be read; it is not in the rows
 */
public record ParsedRows(List<PriceRow> rows, List<String> faults) {
    public ParsedRows {
        rows = List.copyOf(rows);
        faults = List.copyOf(faults);
    }
}
