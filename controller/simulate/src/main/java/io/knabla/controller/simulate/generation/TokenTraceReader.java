package io.knabla.controller.simulate.generation;

import io.knabla.controller.simulate.rows.AzureLlm;
import io.knabla.controller.simulate.rows.CsvRows;
import io.knabla.controller.simulate.rows.TraceFault;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads traces of requests for texts: {@code time,prompt,generated} in seconds and tokens, or the Azure LLM inference
 * traces.
 */
public final class TokenTraceReader {
    /** The bundled trace: a production service that completes code. */
    public static final String AZURE_CODE = "azure-code";

    private static final List<String> PLAIN = List.of("time", "prompt", "generated");

    /** Seconds since 1970 in the year 3000; what is more is in another unit. */
    private static final double MOST_TIME = 32_503_680_000.0;

    private static final double MOST_TOKENS = 10_000_000;

    private final CsvRows rows = new CsvRows();
    private final List<TextRequest> requests = new ArrayList<>();

    private TokenTraceReader() {}

    /**
     * @return requests in the order of their arrival, the first at 0 seconds
     * @throws TraceFault if a row cannot be read, with all such rows
     */
    public static List<TextRequest> read(Path path) throws IOException {
        TokenTraceReader reader = new TokenTraceReader();
        List<String> header = CsvRows.header(path);
        if (header.equals(PLAIN)) {
            reader.rows.read(path, PLAIN.size(), reader::plain);
        } else if (header.equals(AzureLlm.COLUMNS)) {
            reader.rows.read(path, AzureLlm.COLUMNS.size(), reader::azure);
        } else {
            throw new TraceFault(List.of("%s, line 1: write %s, or %s as Azure's traces have it"
                    .formatted(path.getFileName(), String.join(",", PLAIN), String.join(",", AzureLlm.COLUMNS))));
        }
        return reader.result();
    }

    /** Requests of {@link #AZURE_CODE}. */
    public static List<TextRequest> azureCode() {
        TokenTraceReader reader = new TokenTraceReader();
        try (InputStream bytes = TokenTraceReader.class.getResourceAsStream(AZURE_CODE + ".csv");
                BufferedReader text = new BufferedReader(new InputStreamReader(bytes, StandardCharsets.UTF_8))) {
            reader.rows.read(AZURE_CODE, text, AzureLlm.COLUMNS.size(), reader::azure);
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the bundled trace " + AZURE_CODE, unreadable);
        }
        return reader.result();
    }

    private void plain(CSVRecord fields) {
        add(rows.number(fields, 0, "time", MOST_TIME), tokens(fields, 1, "prompt"), tokens(fields, 2, "generated"));
    }

    private void azure(CSVRecord fields) {
        add(
                AzureLlm.seconds(rows, fields),
                tokens(fields, 1, AzureLlm.COLUMNS.get(1)),
                tokens(fields, 2, AzureLlm.COLUMNS.get(2)));
    }

    private int tokens(CSVRecord fields, int column, String name) {
        double number = rows.number(fields, column, name, MOST_TOKENS);
        if (number >= 0 && (number < 1 || number != Math.rint(number))) {
            rows.fault("%s is '%s', but must be a whole number of 1 or more".formatted(name, fields.get(column)));
            return -1;
        }
        return (int) number;
    }

    private void add(double time, int prompt, int generated) {
        if (time >= 0 && prompt > 0 && generated > 0) {
            requests.add(new TextRequest(time, prompt, generated));
        }
    }

    private List<TextRequest> result() {
        rows.throwFaults();
        requests.sort(Comparator.comparingDouble(TextRequest::arrival));
        double begin = requests.isEmpty() ? 0 : requests.getFirst().arrival();
        return requests.stream()
                .map(one -> new TextRequest(one.arrival() - begin, one.prompt(), one.generated()))
                .toList();
    }
}
