package io.knabla.storage.history;

import io.knabla.storage.history.Call.Outcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Reads and writes histories as lines of a file, to pass them between processes. */
public final class Histories {
    private Histories() {}

    public static void write(Path file, List<Operation> history) throws IOException {
        Files.write(file, history.stream().map(Histories::line).toList());
    }

    public static List<Operation> read(Path file) throws IOException {
        return Files.readAllLines(file).stream().map(Histories::operation).toList();
    }

    private static String line(Operation operation) {
        String act = switch (operation.call()) {
            case Call.Read(var found) -> "read," + found + ",,";
            case Call.Swap(var expected, var wanted, var outcome) -> "swap," + expected + "," + wanted + "," + outcome;
            case Call.Write(var value, var outcome) -> "write," + value + ",," + outcome;
        };
        return String.join(",", operation.client(), act, "" + operation.invoked(), "" + operation.returned());
    }

    private static Operation operation(String line) {
        String[] parts = line.split(",", -1);
        Call act = switch (parts[1]) {
            case "read" -> new Call.Read(parts[2]);
            case "swap" -> new Call.Swap(parts[2], parts[3], Outcome.valueOf(parts[4]));
            case "write" -> new Call.Write(parts[2], Outcome.valueOf(parts[4]));
            default -> throw new IllegalArgumentException(line);
        };
        return new Operation(parts[0], act, Long.parseLong(parts[5]), Long.parseLong(parts[6]));
    }
}
