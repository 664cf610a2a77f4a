package io.knabla.controller.simulate.warm.trace;

import io.knabla.controller.simulate.rows.CsvRows;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.apache.commons.csv.CSVRecord;

/**
 * Reads the Azure Functions trace of 2019 (Shahrad et al., ATC 2020): requests per function and minute, one file a day,
 * in the order of their names; beside them, average durations of functions and memory of apps. The requests of a minute
 * are spread over it at random; of many, six stand for all.
 */
final class Azure2019 {
    private static final int MINUTES = 1440;
    private static final int KEYS = 4;
    private static final int MOST_PER_MINUTE = 6;
    private static final double MOST_COUNT = 1e9;
    private static final double MOST_MILLIS = 604_800_000;
    private static final double MOST_MB = 1e6;

    /** Where no file tells them: a second, as the half of all functions take less. */
    private static final double UNKNOWN_SECONDS = 1;

    private final CsvRows rows = new CsvRows();
    private final Map<String, Requests> functions = new TreeMap<>();
    private final Map<String, Double> seconds = new HashMap<>();
    private final Map<String, Double> memoryGb = new HashMap<>();
    private final long seed;
    private int days;
    private int endMinute;

    private Azure2019(long seed) {
        this.seed = seed;
    }

    static boolean isDay(List<String> header) {
        return header.size() > KEYS
                && header.size() <= KEYS + MINUTES
                && header.subList(0, KEYS + 1).equals(List.of("HashOwner", "HashApp", "HashFunction", "Trigger", "1"));
    }

    private static boolean isDurations(List<String> header) {
        return header.size() > 4
                && header.subList(0, 4).equals(List.of("HashOwner", "HashApp", "HashFunction", "Average"));
    }

    private static boolean isMemory(List<String> header) {
        return header.size() > 4
                && header.subList(0, 4).equals(List.of("HashOwner", "HashApp", "SampleCount", "AverageAllocatedMb"));
    }

    /** @param path a day's file, or a folder */
    static Trace read(Path path, long seed) throws IOException {
        Azure2019 reader = new Azure2019(seed);
        List<Path> files = List.of(path);
        if (Files.isDirectory(path)) {
            try (Stream<Path> entries = Files.list(path)) {
                files = entries.filter(Files::isRegularFile).sorted().toList();
            }
        }
        List<Path> daily = new ArrayList<>();
        for (Path file : files) {
            List<String> header = CsvRows.header(file);
            if (isDay(header)) {
                daily.add(file);
            } else if (isDurations(header)) {
                reader.rows.read(file, header.size(), reader::durations);
            } else if (isMemory(header)) {
                reader.rows.read(file, header.size(), reader::memory);
            }
        }
        if (daily.isEmpty()) {
            throw TraceReader.unknown(path, List.of("a folder without a day of the Azure Functions trace of 2019"));
        }
        for (Path file : daily) {
            int columns = CsvRows.header(file).size();
            reader.rows.read(file, columns, reader::requests);
            reader.endMinute = reader.days++ * MINUTES + columns - KEYS;
        }
        reader.rows.throwFaults();
        return reader.trace(path.getFileName().toString());
    }

    private Trace trace(String name) {
        List<FunctionTrace> traces = new ArrayList<>();
        functions.forEach((function, requests) -> {
            Double gb = memoryGb.get(function.substring(0, function.lastIndexOf('/')));
            traces.add(requests.of(function, gb == null ? OptionalDouble.empty() : OptionalDouble.of(gb)));
        });
        return new Trace(name, traces, endMinute * 60_000L);
    }

    private static String app(CSVRecord fields) {
        return fields.get(0) + "/" + fields.get(1);
    }

    private void durations(CSVRecord fields) {
        seconds.put(app(fields) + "/" + fields.get(2), rows.number(fields, 3, "Average", MOST_MILLIS) / 1e3);
    }

    private void memory(CSVRecord fields) {
        double mb = rows.number(fields, 3, "AverageAllocatedMb", MOST_MB);
        if (mb > 0) {
            memoryGb.put(app(fields), mb / 1e3);
        }
    }

    private void requests(CSVRecord fields) {
        String function = app(fields) + "/" + fields.get(2);
        double duration = seconds.getOrDefault(function, UNKNOWN_SECONDS);
        SplittableRandom random = new SplittableRandom(seed ^ (function.hashCode() + 31L * days));
        Requests requests = functions.computeIfAbsent(function, _ -> new Requests());
        for (int minute = 0; KEYS + minute < fields.size(); minute++) {
            if (!fields.get(KEYS + minute).equals("0")) {
                int count = (int) rows.number(fields, KEYS + minute, "minute " + (minute + 1), MOST_COUNT);
                spread(requests, 60.0 * (days * MINUTES + minute), count, duration, random);
            }
        }
    }

    static void spread(Requests requests, double minute, int count, double duration, SplittableRandom random) {
        int entries = Math.min(count, MOST_PER_MINUTE);
        double[] offsets = random.doubles(Math.max(0, entries), 0, 60).sorted().toArray();
        for (int i = 0; i < entries; i++) {
            requests.add(minute + offsets[i], duration, count / entries + (i < count % entries ? 1 : 0));
        }
    }
}
