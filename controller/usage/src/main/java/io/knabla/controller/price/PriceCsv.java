package io.knabla.controller.price;

import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Reads the rows of a CSV file of prices whose first line names the columns. */
final class PriceCsv {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader()
            .setSkipHeaderRecord(true)
            .setAllowMissingColumnNames(false)
            .get();

    private PriceCsv() {}

    /** Rows of a resource of this package. */
    static List<Row> bundled(String file) {
        try (InputStream bytes = PriceCsv.class.getResourceAsStream(file)) {
            if (bytes == null) {
                throw new IllegalStateException(
                        "the bundled prices %s are not on the class path; build the module controller-usage again"
                                .formatted(file));
            }
            return read(file, new InputStreamReader(bytes, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the bundled prices " + file, e);
        }
    }

    static List<Row> read(String file, Reader text) throws IOException {
        try (CSVParser parser =
                CSVParser.builder().setReader(text).setFormat(FORMAT).get()) {
            return parser.stream().map(row -> new Row(file, row)).toList();
        }
    }

    /** One row; an error names the file, the row and the column. */
    record Row(String file, CSVRecord fields) {
        String text(String column) {
            if (!fields.isMapped(column)
                    || !fields.isSet(column)
                    || fields.get(column).isBlank()) {
                throw fault(column, "is missing");
            }
            return fields.get(column);
        }

        BigDecimal amount(String column) {
            try {
                BigDecimal amount = new BigDecimal(text(column));
                if (amount.signum() < 0) {
                    throw fault(column, "is %s, but an amount is not negative".formatted(amount));
                }
                return amount;
            } catch (NumberFormatException _) {
                throw fault(column, "is '%s', but must be a decimal number".formatted(text(column)));
            }
        }

        /** Empty if the field is. */
        Optional<BigDecimal> amountIfGiven(String column) {
            return fields.isSet(column) && fields.get(column).isEmpty()
                    ? Optional.empty()
                    : Optional.of(amount(column));
        }

        private IllegalArgumentException fault(String column, String problem) {
            return new IllegalArgumentException(
                    "%s, row %d: %s %s".formatted(file, fields.getRecordNumber(), column, problem));
        }
    }
}
