package io.knabla.runtime.pool;

import io.knabla.functions.unit.UnitAssignment;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A generic replica process that serves one function at most, below the pool's front. Its environment has no
 * credentials of the store: the front has fetched the unit before.
 *
 * @param ended when the process has ended and its temporary files are deleted
 */
record MemberProcess(Process process, BufferedReader events, CompletableFuture<Void> ended) {
    private static final Pattern PORT = Pattern.compile("\"event\":\"listening\",\"port\":(\\d+)");
    private static final Pattern LOAD = Pattern.compile("\"load\":([0-9.]+)");
    private static final Pattern ANON = Pattern.compile("RssAnon:\\s+(\\d+) kB");

    /**
     * What became of an assignment.
     *
     * @param loadMillis to open the unit in the engine
     */
    record Started(int port, double loadMillis) {}

    static MemberProcess start(MemberCommand command) throws IOException {
        Path temp = Files.createTempDirectory(command.temp(), "member-");
        try {
            var builder = new ProcessBuilder(command.line(temp)).redirectError(ProcessBuilder.Redirect.INHERIT);
            builder.environment().keySet().retainAll(MemberCommand.INHERITED);
            builder.environment().putAll(MemberCommand.OWN);
            Process process = builder.start();
            preferToKill(process);
            CompletableFuture<Void> ended = process.onExit().thenRun(() -> delete(temp));
            return new MemberProcess(process, process.inputReader(StandardCharsets.UTF_8), ended);
        } catch (IOException failed) {
            delete(temp);
            throw failed;
        }
    }

    /** If the pod runs out of memory, the kernel shall end a member and not the front. */
    private static void preferToKill(Process process) {
        try {
            Files.writeString(Path.of("/proc", Long.toString(process.pid()), "oom_score_adj"), "1000");
        } catch (IOException notAllowed) {
            // The front's own watch of memory is left.
        }
    }

    /** Waits until it can be assigned; false if it ended instead. */
    boolean awaitReady() throws IOException {
        return awaitEvent("pooled") != null;
    }

    /**
     * Assigns it to a function, for good, and waits until the unit is loaded.
     *
     * @throws IOException if it ended instead
     */
    Started assign(UnitAssignment assignment) throws IOException {
        // Not closed: the end of its standard input ends the process.
        OutputStream input = process.getOutputStream();
        input.write(assignment.bytes());
        input.flush();
        OptionalInt port = OptionalInt.empty();
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            Matcher listening = PORT.matcher(line);
            if (listening.find()) {
                port = OptionalInt.of(Integer.parseInt(listening.group(1)));
            }
            if (line.contains("\"event\":\"ready\"") && port.isPresent()) {
                Matcher load = LOAD.matcher(line);
                return new Started(port.getAsInt(), load.find() ? Double.parseDouble(load.group(1)) : 0);
            }
            if (line.contains("\"event\":\"failed\"")) {
                throw new IOException(line);
            }
        }
        throw new IOException("its process ended before it was ready");
    }

    /**
     * Reads on, so that a process that reports its usage never waits. Not on a virtual thread: a read of a pipe keeps
     * its carrier, and 30 s later nothing takes the carrier's place (JDK 25), so that members would stop the front.
     */
    void drainEvents() {
        Thread.ofPlatform().daemon().name("events").start(() -> {
            try {
                while (events.readLine() != null) {
                    Thread.onSpinWait();
                }
            } catch (IOException ended) {
                // Nothing more comes.
            }
        });
    }

    private String awaitEvent(String event) throws IOException {
        for (String line = events.readLine(); line != null; line = events.readLine()) {
            if (line.contains("\"event\":\"" + event + "\"")) {
                return line;
            }
        }
        return null;
    }

    /** Memory of its own; mapped weights are not counted, the kernel can take them back. */
    long bytes() {
        try {
            Matcher anon = ANON.matcher(Files.readString(Path.of("/proc", Long.toString(process.pid()), "status")));
            return anon.find() ? Long.parseLong(anon.group(1)) << 10 : 0;
        } catch (IOException ended) {
            return 0;
        }
    }

    void end() {
        process.destroyForcibly();
    }

    private static void delete(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(each);
            }
        } catch (IOException left) {
            // It goes with the pod.
        }
    }
}
