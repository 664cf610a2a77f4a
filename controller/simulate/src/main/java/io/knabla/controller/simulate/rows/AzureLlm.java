package io.knabla.controller.simulate.rows;

import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoField;
import java.util.List;
import java.util.Locale;
import org.apache.commons.csv.CSVRecord;

/** The format of the Azure LLM inference traces. */
public final class AzureLlm {
    public static final List<String> COLUMNS = List.of("TIMESTAMP", "ContextTokens", "GeneratedTokens");

    /** The traces of 2023 have seven decimals and no offset, that of 2024 six and one, which is always the same. */
    private static final DateTimeFormatter TIME = new DateTimeFormatterBuilder()
            .appendPattern("yyyy-MM-dd HH:mm:ss")
            .appendFraction(ChronoField.NANO_OF_SECOND, 0, 9, true)
            .optionalStart()
            .appendOffset("+HH:MM", "Z")
            .toFormatter(Locale.ROOT);

    private AzureLlm() {}

    /** When a row's request came, in seconds since 1970; negative, with a fault noted, if that cannot be read. */
    public static double seconds(CsvRows rows, CSVRecord fields) {
        try {
            LocalDateTime time = LocalDateTime.parse(fields.get(0), TIME);
            return time.toEpochSecond(ZoneOffset.UTC) + time.getNano() / 1e9;
        } catch (DateTimeParseException _) {
            rows.fault("TIMESTAMP is '%s', but must be like 2023-11-16 18:17:03.9799600".formatted(fields.get(0)));
            return -1;
        }
    }
}
