package io.knabla.controller.local;

import io.knabla.controller.platform.FunctionLogs;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Reads new lines from the log files of one function's replicas, the least recently written file first. */
public final class LogFolderReader implements FunctionLogs.Cursor {
    private static final int MOST_AT_ONCE = 1 << 20;
    private static final String SUFFIX = ".log";

    private final Path folder;
    private final Map<Path, Long> offsets = new HashMap<>();

    /** @param folder may not exist */
    public LogFolderReader(Path folder) {
        this.folder = folder;
    }

    @Override
    public List<String> readNew(int most) throws IOException {
        Deque<String> lines = new ArrayDeque<>();
        for (Path file : files()) {
            String name = file.getFileName().toString();
            String replica = name.substring(0, name.length() - SUFFIX.length());
            for (String line : newLines(file)) {
                lines.addLast("[" + replica + "] " + line);
                if (lines.size() > most) {
                    lines.removeFirst();
                }
            }
        }
        return List.copyOf(lines);
    }

    @Override
    public void close() {}

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(SUFFIX))
                    .sorted(Comparator.comparing(LogFolderReader::modified))
                    .toList();
        }
    }

    private static FileTime modified(Path file) {
        try {
            return Files.getLastModifiedTime(file);
        } catch (IOException gone) {
            return FileTime.fromMillis(0);
        }
    }

    /** Whole lines only; the rest of an incomplete line is returned by a later call. */
    private List<String> newLines(Path file) throws IOException {
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            long size = in.length();
            long from = offsets.getOrDefault(file, Math.max(0, size - MOST_AT_ONCE));
            // A file that shrank was rewritten.
            from = from > size ? 0 : from;
            in.seek(from);
            byte[] bytes = new byte[(int) Math.min(MOST_AT_ONCE, size - from)];
            in.readFully(bytes);
            int end = bytes.length;
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
            // A line longer than the buffer is returned in pieces.
            end = end == 0 && bytes.length == MOST_AT_ONCE ? bytes.length : end;
            offsets.put(file, from + end);
            var text = new ByteArrayOutputStream(end);
            text.write(bytes, 0, end);
            return text.toString(StandardCharsets.UTF_8).lines().toList();
        } catch (FileNotFoundException gone) {
            return List.of();
        }
    }
}
