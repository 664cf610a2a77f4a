package io.knabla.controller.simulate.spot.trace;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Reads the rows of one CSV file and collects what is wrong with them. */
final class TraceLines {
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setHeader()
            .setSkipHeaderRecord(true)
            .setTrim(true)
            .setIgnoreEmptyLines(true)
            .get();

    private final String file;
    private final List<String> faults = new ArrayList<>();

    TraceLines(String file) {
        this.file = file;
    }

    /** A value that a row lacks, or that does not fit; its row is left out. */
    private static final class Fault extends RuntimeException {
        private static final long serialVersionUID = 1;

        private Fault(String message) {
            super(message, null, false, false);
        }
    }

    void fault(long line, String problem) {
        faults.add("line %d: %s".formatted(line, problem));
    }

    void throwIfFaulty() {
        if (!faults.isEmpty()) {
            throw new TraceFaultsException(file, faults);
        }
    }

    /** Hands on each row that can be read. Throws with the faults of all rows. */
    void read(String text, Consumer<Row> consumer) {
        try (CSVParser parser = CSVParser.builder()
                .setReader(new StringReader(text))
                .setFormat(FORMAT)
                .get()) {
            for (CSVRecord fields : parser) {
                try {
                    consumer.accept(new Row(parser.getCurrentLineNumber(), fields));
                } catch (Fault fault) {
                    fault(parser.getCurrentLineNumber(), fault.getMessage());
                }
            }
        } catch (IOException | UncheckedIOException broken) {
            faults.add("it is not CSV: " + broken.getMessage());
        }
        throwIfFaulty();
    }

    /** One row; a value that does not fit is a fault of the row. */
    record Row(long line, CSVRecord fields) {
        String text(String column) {
            if (!fields.isSet(column) || fields.get(column).isBlank()) {
                throw new Fault("%s is missing".formatted(column));
            }
            return fields.get(column);
        }

        int count(String column) {
            try {
                int count = Integer.parseInt(text(column));
                if (count >= 0) {
                    return count;
                }
            } catch (NumberFormatException _) {
                // Told below, as is a negative one.
            }
            throw new Fault("%s is '%s', but must be a whole number from 0".formatted(column, text(column)));
        }

        BigDecimal amount(String column) {
            try {
                BigDecimal amount = new BigDecimal(text(column));
                if (amount.signum() > 0) {
                    return amount;
                }
            } catch (NumberFormatException _) {
                // Told below, as is a negative one.
            }
            throw new Fault("%s is '%s', but must be a positive number".formatted(column, text(column)));
        }

        /** Seconds since the epoch, or a time of RFC 3339. */
        Instant time(String column) {
            String text = text(column);
            try {
                return text.indexOf(':') < 0
                        ? Instant.EPOCH.plus(Duration.ofNanos(
                                new BigDecimal(text).movePointRight(9).longValueExact()))
                        : OffsetDateTime.parse(text).toInstant();
            } catch (ArithmeticException | NumberFormatException | DateTimeException _) {
                throw new Fault("%s is '%s', but must be seconds, such as 195.5, or a time of RFC 3339, such as"
                                .formatted(column, text)
                        + " 2023-02-16T05:34:00Z");
            }
        }

        /** Milliseconds or seconds, by their nanoseconds. */
        Instant timeIn(String column, long nanos) {
            return Instant.EPOCH.plusNanos(count(column) * nanos);
        }

        void refuse(String problem) {
            throw new Fault(problem);
        }
    }
}
