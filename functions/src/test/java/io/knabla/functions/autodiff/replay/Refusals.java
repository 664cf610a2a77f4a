package io.knabla.functions.autodiff.replay;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** The checked-in list of cases that do not agree, and why: {@code refused.txt} beside the zip. */
final class Refusals {
    private Refusals() {}

    /** Case to reason; lines are {@code case | reason}, and {@code #} starts a remark. */
    static Map<String, String> read(String resource) {
        try (InputStream in = Refusals.class.getResourceAsStream(resource)) {
            var listed = new TreeMap<String, String>();
            new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> line.split(" \\| ", 2))
                    .forEach(parts -> listed.put(parts[0].strip(), parts[1].strip()));
            return listed;
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
