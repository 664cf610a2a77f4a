package io.knabla.storage.s3;

import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.StorageException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Child process that reads one object from a store, with its own environment. */
public final class ReadChild {
    private ReadChild() {}

    /**
     * Starts the process and returns what it printed: the object, or the error.
     *
     * @param flags JVM flags; {@code -Dmore=NAME=VALUE,…} adds settings to its environment
     */
    static String read(String place, Map<String, String> environment, String... flags) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.addAll(List.of(ReadChild.class.getName(), place));
        ProcessBuilder child = new ProcessBuilder(command);
        child.environment().keySet().removeIf(name -> name.startsWith("AWS_"));
        child.environment().putAll(environment);
        Process process = child.redirectError(ProcessBuilder.Redirect.INHERIT).start();
        return new String(process.getInputStream().readAllBytes()).strip();
    }

    public static void main(String[] arguments) {
        Map<String, String> settings = new TreeMap<>(System.getenv());
        for (String more : System.getProperty("more", "").split(",")) {
            settings.put(more.replaceAll("=.*", ""), more.replaceAll("^.*=", ""));
        }
        try (ObjectStore store = S3ObjectStore.open(arguments[0], settings)) {
            System.out.println(store.stat(ObjectKey.of("here")).isPresent() ? "there" : "absent");
        } catch (StorageException refused) {
            System.out.println(refused.getMessage());
        }
    }
}
