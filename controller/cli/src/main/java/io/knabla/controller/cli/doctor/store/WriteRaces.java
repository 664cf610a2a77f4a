package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.Checkup.Answer;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectKey;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** Checks concurrent conditional writes: exactly one writer may win, and its content must be stored. */
final class WriteRaces {
    static final int WRITERS = 16;
    private static final int ROUNDS = 8;

    /** A slow server gets fewer rounds than {@link #ROUNDS}, but at least one. */
    private static final Duration ENOUGH = Duration.ofSeconds(2);

    private final ScratchPrefix scratch;

    WriteRaces(ScratchPrefix scratch) {
        this.scratch = scratch;
    }

    Answer toCreate() throws IOException, InterruptedException {
        return rounds(
                "created one key",
                (key, content) -> () -> scratch.store().createOnce(key, content).isPresent(),
                "race-create-");
    }

    Answer toReplace() throws IOException, InterruptedException {
        return rounds(
                "replaced one etag",
                (key, content) -> {
                    String etag = scratch.store().stat(key).orElseThrow().etag();
                    return () ->
                            scratch.store().replaceIfMatch(key, etag, content).isPresent();
                },
                "race-replace-");
    }

    /** Prepares one writer, which returns whether it won. */
    private interface WriterFactory {
        Callable<Boolean> create(ObjectKey key, Content content) throws IOException;
    }

    private Answer rounds(String what, WriterFactory racer, String name) throws IOException, InterruptedException {
        long began = System.nanoTime();
        int round = 0;
        while (round < ROUNDS && (round == 0 || System.nanoTime() - began < ENOUGH.toNanos())) {
            round++;
            ObjectKey key = scratch.key(name + round);
            if (name.startsWith("race-replace")) {
                scratch.write(key, "before");
            }
            List<String> winners = race(key, racer);
            if (winners.size() != 1) {
                return Answer.bad(
                        "of %d concurrent writers that %s, %d got a success response"
                                .formatted(WRITERS, what, winners.size()),
                        ConditionalWriteChecks.NEEDED);
            }
            if (!scratch.read(key).map(String::strip).equals(winners.stream().findFirst())) {
                return Answer.bad("the content of the writer that won is not stored", ConditionalWriteChecks.NEEDED);
            }
        }
        return Answer.good("of %d concurrent writers one wins; rounds: %d".formatted(WRITERS, round));
    }

    /** Returns what the winners wrote. */
    private List<String> race(ObjectKey key, WriterFactory racer) throws IOException, InterruptedException {
        List<String> texts = IntStream.range(0, WRITERS)
                .mapToObj(i -> key + " by writer " + i)
                .toList();
        var gate = new CountDownLatch(1);
        List<CountDownLatch> halfway = GatedContent.gates(WRITERS);
        List<Future<Boolean>> ended = new ArrayList<>();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (String text : texts) {
                Callable<Boolean> writer = racer.create(key, new GatedContent(text, halfway));
                ended.add(threads.submit(() -> {
                    gate.await();
                    return writer.call();
                }));
            }
            gate.countDown();
        }
        List<String> winners = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
            if (value(ended.get(i))) {
                winners.add(texts.get(i));
            }
        }
        return winners;
    }

    private static boolean value(Future<Boolean> ended) throws IOException, InterruptedException {
        try {
            return ended.get();
        } catch (ExecutionException failed) {
            throw new IOException(
                    "a writer got neither success nor refusal:  "
                            + failed.getCause().getMessage(),
                    failed);
        }
    }
}
