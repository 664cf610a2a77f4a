package io.knabla.controller.cli.client;

import com.fasterxml.jackson.databind.JsonNode;
import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Bar;
import io.knabla.controller.cli.print.Progress;
import io.knabla.functions.unit.Digest;
import io.knabla.storage.LimitedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;

/**
 * Uploads one large file directly to the object store: parallel parts, through presigned URLs from the platform. Parts
 * that arrived in an earlier attempt are not sent again.
 */
final class DirectUpload {
    private static final int PARALLELISM = 4;

    private static final RetryPolicy<Void> RETRY = RetryPolicy.<Void>builder()
            .handleIf(failed -> failed instanceof PartFailedException unsent && !unsent.permanent)
            .withMaxAttempts(4)
            .withBackoff(Duration.ofMillis(200), Duration.ofSeconds(2))
            .withJitter(0.5)
            .build();

    /** Maximum number of consecutive rounds without progress. */
    private static final int MAX_STALLED_ROUNDS = 3;

    /** Status codes of a platform that is too old, or whose store has no presigned uploads. */
    private static final List<Integer> NOT_OFFERED = List.of(404, 405, 501);

    /** Short, because a firewall may silently drop connections to the store. */
    private static final Duration CONNECT = Duration.ofSeconds(5);

    private final PlatformClient platform;
    private final Progress progress;

    DirectUpload(PlatformClient platform, Progress progress) {
        this.platform = platform;
        this.progress = progress;
    }

    /** One part of the multipart upload. */
    private record Part(long offset, long size, URI url, Map<String, String> headers) {
        static Part of(JsonNode json) {
            Map<String, String> headers = new TreeMap<>();
            json.path("headers")
                    .properties()
                    .forEach(entry ->
                            headers.put(entry.getKey(), entry.getValue().asText()));
            return new Part(
                    json.path("offset").asLong(),
                    json.path("size").asLong(),
                    URI.create(json.path("url").asText()),
                    headers);
        }
    }

    /** A part was not sent; permanent if the store cannot be reached from here at all. */
    private static final class PartFailedException extends Exception {
        private final boolean permanent;

        PartFailedException(String why, Throwable cause, boolean forGood) {
            super(why, cause);
            this.permanent = forGood;
        }
    }

    /**
     * @return true if the store has the file; false if the platform has no direct upload or the store cannot be reached
     *     from here: the caller then uploads through the platform
     */
    boolean send(Digest digest, Path file, long size) {
        String path = "/models/" + digest + "/upload";
        try (HttpClient http = HttpClient.newBuilder()
                .version(Version.HTTP_1_1)
                .connectTimeout(CONNECT)
                .build()) {
            long before = Long.MAX_VALUE;
            for (int barren = 0; barren < MAX_STALLED_ROUNDS; ) {
                PlatformResponse offer = platform.sendRaw("POST", path, Map.of("size", size));
                if (offer.status() == 204) {
                    return true;
                }
                if (NOT_OFFERED.contains(offer.status())) {
                    return false;
                }
                JsonNode upload = platform.expectSuccess(offer, "POST " + path);
                List<Part> parts = new ArrayList<>();
                upload.path("missing").forEach(part -> parts.add(Part.of(part)));
                long missing = parts.stream().mapToLong(Part::size).sum();
                barren = missing < before ? 0 : barren + 1;
                before = missing;
                if (sent(http, file, parts, size)
                        && complete(path, upload.path("id").asText(), size, barren)) {
                    return true;
                }
            }
            progress.note("the store does not keep the uploaded parts; sending through the platform");
        } catch (PartFailedException unsent) {
            progress.note("cannot send straight to the store (%s); sending through the platform"
                    .formatted(unsent.getMessage()));
        }
        return false;
    }

    /** False while parts are missing, and once if the content does not match the digest. */
    private boolean complete(String path, String id, long size, int barren) {
        PlatformResponse done = platform.sendRaw("POST", path + "/complete", Map.of("id", id, "size", size));
        // Parts of an earlier attempt may belong to another file: start over once.
        if (done.status() == 409 || done.status() == 400 && barren == 0) {
            progress.note("the upload is incomplete; sending the missing parts");
            return false;
        }
        platform.expectSuccess(done, "POST " + path + "/complete");
        return true;
    }

    /** False if some parts failed, for example because their URLs expired; the next round gets new URLs. */
    private boolean sent(HttpClient http, Path file, List<Part> parts, long size) throws PartFailedException {
        long missing = parts.stream().mapToLong(Part::size).sum();
        try (Bar bar = progress.uploading(file.getFileName().toString(), size - missing, size);
                ExecutorService senders = Executors.newFixedThreadPool(
                        PARALLELISM, Thread.ofVirtual().factory())) {
            List<Future<?>> sending = new ArrayList<>();
            for (Part part : parts) {
                sending.add(senders.submit(() -> Failsafe.with(RETRY).get(() -> send(http, file, part, bar))));
            }
            try {
                await(sending);
                return true;
            } finally {
                senders.shutdownNow();
            }
        } catch (PartFailedException unsent) {
            if (unsent.permanent) {
                throw unsent;
            }
            progress.note("the upload was interrupted (%s); continuing".formatted(unsent.getMessage()));
            return false;
        }
    }

    private static void await(List<Future<?>> sending) throws PartFailedException {
        try {
            for (Future<?> part : sending) {
                part.get();
            }
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw CliFailure.because(stopped, "interrupted while uploading");
        } catch (ExecutionException failed) {
            // Failsafe wraps checked exceptions.
            Throwable cause = failed.getCause();
            switch (cause instanceof FailsafeException ? cause.getCause() : cause) {
                case PartFailedException unsent -> throw unsent;
                case RuntimeException unchecked -> throw unchecked;
                case Throwable other -> throw CliFailure.because(other, "cannot upload: %s", other.getMessage());
            }
        }
    }

    private static Void send(HttpClient http, Path file, Part part, Bar bar)
            throws PartFailedException, InterruptedException {
        var counted = new AtomicLong();
        String host = part.url().getHost();
        try {
            int status = http.send(request(file, part, bar, counted), BodyHandlers.discarding())
                    .statusCode();
            if (status / 100 == 2) {
                return null;
            }
            bar.add(-counted.get());
            throw new PartFailedException(host + " answers " + status, null, false);
        } catch (IOException broken) {
            bar.add(-counted.get());
            String said = broken.getMessage();
            boolean wall = broken instanceof ConnectException || broken instanceof SSLException;
            throw new PartFailedException(
                    host + ": " + (said == null ? broken.getClass().getSimpleName() : said), broken, wall);
        }
    }

    private static HttpRequest request(Path file, Part part, Bar bar, AtomicLong counted) {
        var body = BodyPublishers.ofInputStream(() -> opened(file, part, counting(bar, counted)));
        var request = HttpRequest.newBuilder(part.url()).PUT(BodyPublishers.fromPublisher(body, part.size()));
        part.headers().forEach(request::setHeader);
        return request.build();
    }

    private static Bar counting(Bar bar, AtomicLong counted) {
        return new Bar() {
            @Override
            public void add(long bytes) {
                counted.addAndGet(bytes);
                bar.add(bytes);
            }

            @Override
            public void close() {}
        };
    }

    private static InputStream opened(Path file, Part part, Bar bar) {
        try {
            InputStream in = Files.newInputStream(file);
            in.skipNBytes(part.offset());
            return bar.watch(new LimitedInputStream(in, part.size()));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
