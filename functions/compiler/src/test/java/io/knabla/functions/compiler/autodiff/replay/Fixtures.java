package io.knabla.functions.compiler.autodiff.replay;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Reads the zips of {@code src/test/resources}. */
final class Fixtures {
    private static final ObjectMapper JSON = new ObjectMapper();

    private Fixtures() {}

    /**
     * Sorted by name. {@code -Dcase=GLOB} keeps those whose name matches ({@code *} and {@code ?}).
     *
     * @param zip resource, as in {@code /opinfo/opinfo.zip}
     */
    static List<Fixture> read(String zip) {
        var folders = new TreeMap<String, Map<String, byte[]>>();
        try (InputStream resource = Fixtures.class.getResourceAsStream(zip);
                var in = new ZipInputStream(resource)) {
            for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
                int slash = entry.getName().indexOf('/');
                folders.computeIfAbsent(entry.getName().substring(0, slash), _ -> new HashMap<>())
                        .put(entry.getName().substring(slash + 1), in.readAllBytes());
            }
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
        return folders.entrySet().stream()
                .filter(folder -> wanted(folder.getKey()))
                .map(folder -> fixture(folder.getKey(), folder.getValue()))
                .toList();
    }

    /** Whether only a part of the cases is selected, which makes statements about all of them invalid. */
    static boolean partial() {
        return System.getProperty("case") != null;
    }

    private static boolean wanted(String name) {
        String glob = System.getProperty("case", "*");
        return name.matches("\\Q" + glob.replace("*", "\\E.*\\Q").replace("?", "\\E.\\Q") + "\\E");
    }

    private static Fixture fixture(String name, Map<String, byte[]> files) {
        try {
            return new Fixture(name, JSON.readTree(files.get("case.json")), files);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
