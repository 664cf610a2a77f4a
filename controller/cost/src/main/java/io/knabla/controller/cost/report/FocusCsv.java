package io.knabla.controller.cost.report;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVPrinter;

/**
 * Writes FOCUS 1.2 rows as CSV of RFC 4180. Null is an empty cell without quotes.
 *
 * <p>FOCUS&trade; is a specification of the FinOps Foundation, under CC BY 4.0.
 */
public final class FocusCsv {
    private FocusCsv() {}

    public static void write(List<FocusRow> rows, FocusOrigin origin, Appendable out) throws IOException {
        CSVPrinter printer = CSVFormat.RFC4180
                .builder()
                .setHeader(
                        Arrays.stream(FocusColumn.values()).map(FocusColumn::id).toArray(String[]::new))
                .get()
                .print(out);
        for (FocusRow row : rows) {
            printer.printRecord(Arrays.stream(FocusColumn.values())
                    .map(column -> column.of(row, origin))
                    .toList());
        }
    }
}
