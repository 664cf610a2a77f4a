package io.knabla.controller.simulate.rows;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.MalformedInputException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.commons.csv.CSVFormat;
import org.apache.commons.csv.CSVParser;
import org.apache.commons.csv.CSVRecord;

/** Reads the rows of CSV files and collects what is wrong with them. */
public final class CsvRows {
    private static final int MOST_FAULTS = 20;
    private static final CSVFormat FORMAT = CSVFormat.RFC4180
            .builder()
            .setIgnoreSurroundingSpaces(true)
            .setIgnoreEmptyLines(true)
            .get();

    private final List<String> faults = new ArrayList<>();
    private long count;
    private String file = "";
    private long line;

    /** The columns of a file's first line. */
    public static List<String> header(Path file) throws IOException {
        try (BufferedReader text = Files.newBufferedReader(file)) {
            String first = text.readLine();
            return first == null
                    ? List.of()
                    : List.of(first.replace("\uFEFF", "").strip().split("\\s*,\\s*", -1));
        } catch (MalformedInputException binary) {
            return List.of();
        }
    }

    /** CsvRows after the first; one with another number of columns is a fault. */
    public void read(Path path, int columns, Consumer<CSVRecord> row) throws IOException {
        try (BufferedReader text = Files.newBufferedReader(path)) {
            read(path.getFileName().toString(), text, columns, row);
        }
    }

    /** CsvRows after the first, from a text that the caller closes. */
    public void read(String name, BufferedReader text, int columns, Consumer<CSVRecord> row) throws IOException {
        file = name;
        line = 1;
        try {
            text.readLine();
            CSVParser parser =
                    CSVParser.builder().setReader(text).setFormat(FORMAT).get();
            for (CSVRecord fields : parser) {
                line = parser.getCurrentLineNumber() + 1;
                if (fields.size() == columns) {
                    row.accept(fields);
                } else {
                    fault("has %d columns, but the first line names %d".formatted(fields.size(), columns));
                }
            }
        } catch (UncheckedIOException unreadable) {
            line++;
            fault("and all after it cannot be read: " + unreadable.getCause().getMessage());
        }
    }

    public void fault(String problem) {
        count++;
        if (faults.size() < MOST_FAULTS) {
            faults.add("%s, line %d: %s".formatted(file, line, problem));
        }
    }

    /** A number from 0 to a bound; negative, with a fault noted, if it is none. */
    public double number(CSVRecord fields, int column, String name, double most) {
        String text = fields.get(column);
        try {
            double number = Double.parseDouble(text);
            if (number >= 0 && number <= most) {
                return number;
            }
        } catch (NumberFormatException _) {
            // Told below, as a number out of bounds is.
        }
        fault("%s is '%s', but must be a number from 0 to %.0f".formatted(name, text, most));
        return -1;
    }

    public String name(CSVRecord fields, int column, String name) {
        if (fields.get(column).isBlank()) {
            fault("%s is empty; write which one it is".formatted(name));
        }
        return fields.get(column);
    }

    public void throwFaults() {
        if (count > faults.size()) {
            faults.add("and %d more".formatted(count - faults.size()));
        }
        if (!faults.isEmpty()) {
            throw new TraceFault(faults);
        }
    }
}
