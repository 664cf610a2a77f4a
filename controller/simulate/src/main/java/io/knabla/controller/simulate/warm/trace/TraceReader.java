package io.knabla.controller.simulate.warm.trace;

import io.knabla.controller.simulate.rows.AzureLlm;
import io.knabla.controller.simulate.rows.CsvRows;
import io.knabla.controller.simulate.rows.TraceFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads traces; the first line of a file tells its format: {@code time,function,duration} in seconds, the Azure
 * Functions invocation trace of 2021, the Azure LLM inference trace (one function; it records no durations), or the
 * Azure Functions trace of 2019, of which a folder may hold several days, durations and memory.
 */
public final class TraceReader {
    private static final List<String> PLAIN = List.of("time", "function", "duration");
    private static final List<String> AZURE_2021 = List.of("app", "func", "end_timestamp", "duration");

    /** Seconds since 1970 in the year 3000; what is more is in another unit. */
    private static final double MOST_TIME = 32_503_680_000.0;

    private static final double MOST_DURATION = 604_800;

    private final CsvRows rows = new CsvRows();
    private final Map<String, Requests> functions = new TreeMap<>();

    private TraceReader() {}

    /**
     * @param seed spreads requests of a trace of counts within their minute
     * @throws TraceFault if a row cannot be read, with all such rows
     */
    public static Trace read(Path path, long seed) throws IOException {
        String name = path.getFileName().toString();
        if (Files.isDirectory(path) || Azure2019.isDay(CsvRows.header(path))) {
            return Azure2019.read(path, seed);
        }
        TraceReader reader = new TraceReader();
        reader.readFile(path);
        reader.rows.throwFaults();
        return Trace.of(
                name,
                reader.functions.entrySet().stream()
                        .map(entry -> entry.getValue().of(entry.getKey(), OptionalDouble.empty()))
                        .toList());
    }

    private void readFile(Path path) throws IOException {
        List<String> header = CsvRows.header(path);
        if (header.equals(PLAIN)) {
            rows.read(path, PLAIN.size(), this::plain);
        } else if (header.equals(AZURE_2021)) {
            rows.read(path, AZURE_2021.size(), this::azure2021);
        } else if (header.equals(AzureLlm.COLUMNS)) {
            rows.read(path, AzureLlm.COLUMNS.size(), this::azureLlm);
        } else {
            throw unknown(path, header);
        }
        rows.throwFaults();
        if (functions.isEmpty()) {
            rows.fault("the file has no requests; a trace needs at least one");
        }
    }

    static TraceFault unknown(Path path, List<String> header) {
        String found = String.join(",", header.subList(0, Math.min(5, header.size())));
        return new TraceFault(List.of(
                "%s, line 1: found '%s'; write %s, or one of the formats of Azure: %s, %s, HashOwner,HashApp,HashFunction,Trigger,1,…,1440"
                        .formatted(
                                path.getFileName(),
                                found.substring(0, Math.min(80, found.length())),
                                String.join(",", PLAIN),
                                String.join(",", AZURE_2021),
                                String.join(",", AzureLlm.COLUMNS))));
    }

    private void plain(CSVRecord fields) {
        double time = rows.number(fields, 0, "time", MOST_TIME);
        String function = rows.name(fields, 1, "function");
        double duration = rows.number(fields, 2, "duration", MOST_DURATION);
        add(function, time, duration);
    }

    private void azure2021(CSVRecord fields) {
        String function = rows.name(fields, 0, "app") + "/" + rows.name(fields, 1, "func");
        double end = rows.number(fields, 2, "end_timestamp", MOST_TIME);
        double duration = rows.number(fields, 3, "duration", MOST_DURATION);
        // What began before the trace counts from its begin.
        add(function, Math.max(end < 0 ? -1 : 0, end - duration), duration);
    }

    private void azureLlm(CSVRecord fields) {
        add("llm", AzureLlm.seconds(rows, fields), 0);
    }

    private void add(String function, double time, double duration) {
        if (time >= 0 && duration >= 0) {
            functions.computeIfAbsent(function, _ -> new Requests()).add(time, duration, 1);
        }
    }
}
