package io.knabla.runtime.openai;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.Generation;
import io.knabla.runtime.generation.GenerationEvent;
import io.knabla.runtime.generation.TokenUsage;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.stream.IntStream;

/** Writes texts as they are generated, each by a thread of its own, with comments while nothing comes. */
final class StreamedAnswer {
    /** Proxies cut a response that is silent for a minute, some after half of that. */
    private static final Duration SILENCE = Duration.ofSeconds(10);

    private final EventStream stream;
    private final CompletionJson json;
    private final Texts texts;
    private final AtomicReferenceArray<TokenUsage> usages;
    private final AtomicReference<ApiError> failure = new AtomicReference<>();
    private final AtomicReference<IOException> left = new AtomicReference<>();
    private final CountDownLatch ended = new CountDownLatch(1);

    StreamedAnswer(EventStream stream, CompletionJson json, Texts texts) {
        this.stream = stream;
        this.json = json;
        this.texts = texts;
        usages = new AtomicReferenceArray<>(texts.generations().size());
    }

    /**
     * Writes all texts; the end of the response is left to the caller.
     *
     * @return what failed; empty if all texts are complete
     * @throws IOException if the client has left
     */
    Optional<ApiError> write() throws IOException {
        try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
            writers.execute(this::comment);
            var all = new CountDownLatch(texts.generations().size());
            for (int i = 0; i < texts.generations().size(); i++) {
                int index = i;
                writers.execute(() -> {
                    write(index);
                    all.countDown();
                });
            }
            all.await();
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            failure.compareAndSet(null, ApiError.unavailable("this replica is stopping; call again"));
        } finally {
            ended.countDown();
            texts.cancel();
        }
        if (left.get() != null) {
            throw left.get();
        }
        return Optional.ofNullable(failure.get());
    }

    private void comment() {
        try {
            while (!ended.await(SILENCE.toMillis(), TimeUnit.MILLISECONDS)) {
                stream.comment();
            }
        } catch (IOException gone) {
            clientLeft(gone);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void write(int index) {
        try {
            switch (json.kind()) {
                case CHAT -> stream.data(json.begin(index));
                case TEXT -> {}
            }
            pieces(index, texts.generations().get(index));
        } catch (IOException gone) {
            clientLeft(gone);
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        }
    }

    private void clientLeft(IOException gone) {
        left.compareAndSet(null, gone);
        texts.cancel();
    }

    private void pieces(int index, Generation generation) throws IOException, InterruptedException {
        while (true) {
            switch (generation.next()) {
                case GenerationEvent.Piece(var text, var tokens) -> stream.data(json.piece(index, text, tokens));
                case GenerationEvent.Finished(FinishReason reason, TokenUsage usage) -> {
                    usages.set(index, usage);
                    stream.data(json.end(index, reason));
                    return;
                }
                case GenerationEvent.Failed(var why) -> {
                    failure.compareAndSet(null, Texts.error(why));
                    texts.cancel();
                    return;
                }
            }
        }
    }

    /** Of the texts that are complete. */
    List<TokenUsage> usages() {
        return IntStream.range(0, usages.length())
                .mapToObj(usages::get)
                .filter(Objects::nonNull)
                .toList();
    }
}
