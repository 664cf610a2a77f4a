package io.knabla.bench.generation;

import io.knabla.bench.machine.ChildProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/** A peer in a process of its own, which computes only while it is asked to. */
final class PeerProcess implements TextPlayer {
    private static final Duration LIMIT = Duration.ofMinutes(15);
    private static final Duration LOOK = Duration.ofMillis(2);
    private static final byte[] AGAIN = {'\n'};

    private final Peer peer;
    private final ChildProcess child;

    /** Times that were told, the ready line included. */
    private int lines;

    private List<Integer> begun = List.of();

    private PeerProcess(Peer peer, ChildProcess child) {
        this.peer = peer;
        this.child = child;
    }

    /** Starts it and waits until it has generated the texts once. */
    static PeerProcess start(PeerPrograms programs, Peer peer, Path model, TextUnit.Precision precision, Batch batch)
            throws IOException, InterruptedException {
        List<String> command = List.of(
                programs.python(peer).toString(),
                programs.script().toString(),
                peer.scriptName(),
                model.toString(),
                precision.peerName,
                Integer.toString(batch.size()),
                Integer.toString(batch.prompt()),
                Integer.toString(batch.tokens()),
                Integer.toString(Runtime.getRuntime().availableProcessors()));
        var process =
                new PeerProcess(peer, ChildProcess.start(new ChildProcess.Command(command, Map.of("TMPDIR", "{tmp}"))));
        try {
            process.begun = numbers(process.line());
            return process;
        } catch (RuntimeException failed) {
            process.close();
            throw failed;
        }
    }

    @Override
    public String name() {
        return peer.title;
    }

    @Override
    public double seconds() {
        child.send(AGAIN);
        return Double.parseDouble(line());
    }

    private static List<Integer> numbers(String line) {
        return Pattern.compile("\\d+")
                .matcher(line)
                .results()
                .map(number -> Integer.valueOf(number.group()))
                .toList();
    }

    /** The first tokens of the first text. */
    List<Integer> firstTokens() {
        return begun;
    }

    private String line() {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            String output = child.output();
            List<String> said = output.lines().toList();
            if (said.size() > lines && output.endsWith("\n")) {
                return said.get(lines++);
            }
            if (!child.isAlive() || System.nanoTime() > end) {
                throw new IllegalStateException(peer + " ended, or took too long: " + child.outputTail());
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    @Override
    public void close() {
        child.close();
    }
}
