package io.knabla.controller.clients;

import io.knabla.controller.kill.PlatformProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The assembled platform with samples deployed, and a bare replica of each sample. */
final class ClientTargets implements AutoCloseable {
    private static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    private static final Pattern UNIT = Pattern.compile("\"unit\" *: *\"(sha256:[0-9a-f]+)\"");
    private static final Pattern PORT = Pattern.compile("\"listening\",\"port\":(\\d+)");

    private final Path home;
    private final PlatformProcess platform;
    private final Map<String, String> onPlatform = new LinkedHashMap<>();
    private final Map<String, String> bare = new LinkedHashMap<>();
    private final List<Process> replicas = new ArrayList<>();

    /** @param settings of the platform, in its environment */
    ClientTargets(Path home, Map<String, String> settings) throws IOException {
        this.home = home;
        platform = PlatformProcess.start(home, settings);
        onPlatform.put("server", platform.address().toString());
    }

    /** Deploys a sample and starts a replica of its unit. */
    void add(String sample) throws IOException, InterruptedException {
        String unit = deploy(ROOT.resolve("functions/samples/" + sample + "/function.yaml"));
        onPlatform.put(sample, platform.address() + "/functions/default/" + sample);
        bare.put(sample, "http://127.0.0.1:" + replica(sample, unit));
    }

    /** Addresses by name: the platform as {@code server}, and the root of each function. */
    Map<String, String> onPlatform() {
        return onPlatform;
    }

    /** Addresses of the bare replicas, by the name of their function. */
    Map<String, String> bare() {
        return bare;
    }

    /** Returns the digest of the function's unit. */
    String deploy(Path file) throws IOException, InterruptedException {
        Process deploy = new ProcessBuilder(
                        ROOT.resolve("knabla").toString(),
                        "--server",
                        platform.address().toString(),
                        "-o",
                        "json",
                        "deploy",
                        "-f",
                        file.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        String answer = new String(deploy.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        Matcher unit = UNIT.matcher(answer);
        if (deploy.waitFor() != 0 || !unit.find()) {
            throw new IOException("deploy -f %s failed: %s".formatted(file, answer));
        }
        return unit.group(1);
    }

    private int replica(String name, String unit) throws IOException {
        var builder = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Djava.io.tmpdir=" + Files.createDirectories(home.resolve("tmp-" + name)),
                        "@" + ROOT.resolve("runtime/target/replica/replica.args"))
                .redirectError(ProcessBuilder.Redirect.INHERIT);
        builder.environment()
                .putAll(Map.of(
                        "KNABLA_UNIT",
                        unit,
                        "KNABLA_STORE",
                        home.resolve("store").toUri().toString(),
                        "KNABLA_CACHE",
                        home.resolve("cache-" + name).toString(),
                        "KNABLA_MODEL_NAME",
                        name,
                        "KNABLA_BATCH_MAX_SIZE",
                        "16",
                        "KNABLA_SHARED_MEMORY",
                        "1",
                        "PORT",
                        "0"));
        Process replica = builder.start();
        replicas.add(replica);
        // The pipe stays open: a replica that cannot write its events would end.
        BufferedReader events = replica.inputReader();
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            Matcher port = PORT.matcher(line);
            if (port.find()) {
                return Integer.parseInt(port.group(1));
            }
        }
        throw new IOException("the replica of " + name + " ended before it listened");
    }

    @Override
    public void close() {
        replicas.forEach(replica -> {
            replica.destroyForcibly();
            replica.onExit().join();
        });
        platform.close();
    }
}
