package io.knabla.controller.cli.client;

import dev.failsafe.Failsafe;
import dev.failsafe.FailsafeException;
import dev.failsafe.RetryPolicy;
import io.knabla.controller.cli.CliFailure;
import io.knabla.controller.cli.print.Bar;
import io.knabla.controller.cli.print.Progress;
import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** Uploads one file to the platform; resumes an earlier attempt. */
public final class Upload {
    /** With backoff about 16 s in all, enough for the replacement of a controller pod. */
    private static final int TRIES = 7;

    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final Duration MAX_PAUSE = Duration.ofSeconds(8);

    /** From this size on, a direct upload to the store is faster. */
    private static final long DIRECT_UPLOAD_SIZE = 32L << 20;

    private final PlatformClient platform;
    private final Progress progress;

    public Upload(PlatformClient platform, Progress progress) {
        this.platform = platform;
        this.progress = progress;
    }

    public void send(Digest digest, Path file) {
        try {
            long size = Files.size(file);
            Failsafe.with(retryPolicy()).run(() -> send(digest, file, size));
        } catch (FailsafeException stopped) {
            throw CliFailure.because(stopped, "interrupted while uploading");
        } catch (IOException unreadable) {
            throw CliFailure.because(unreadable, "cannot read %s", file);
        }
    }

    private RetryPolicy<Void> retryPolicy() {
        return RetryPolicy.<Void>builder()
                .handleIf(failed -> failed instanceof CliFailure && failed.getCause() instanceof IOException)
                .withMaxAttempts(TRIES)
                .withBackoff(PAUSE, MAX_PAUSE)
                .onRetryScheduled(_ -> progress.note("the connection broke; resuming the upload"))
                // If it finds no controller, the next attempt fails and reports that.
                .onRetry(_ -> platform.refreshAddress())
                .build();
    }

    private void send(Digest digest, Path file, long size) {
        if (size < DIRECT_UPLOAD_SIZE || !new DirectUpload(platform, progress).send(digest, file, size)) {
            send("/models/" + digest, file, size);
        }
    }

    private void send(String path, Path file, long size) {
        for (int attempt = 1; ; attempt++) {
            PlatformResponse known = platform.api("HEAD", path, BodyPublishers.noBody(), Map.of());
            long offset = known.header("Upload-Offset").map(Long::parseLong).orElse(known.isSuccess() ? size : 0L);
            if (known.isSuccess() && offset >= size) {
                return;
            }
            // All bytes arrived, but there is no model: they were wrong, so start over.
            PlatformResponse answer = put(path, file, offset < size ? offset : 0, size);
            // The platform expects another offset: ask for it again.
            boolean outOfStep = List.of(202, 308, 409, 416).contains(answer.status());
            if (!outOfStep || attempt == TRIES) {
                platform.expectSuccess(answer, "PUT " + path);
                return;
            }
        }
    }

    private PlatformResponse put(String path, Path file, long offset, long size) {
        long rest = size - offset;
        Map<String, String> headers = offset == 0
                ? Map.of("Content-Type", "application/octet-stream")
                : Map.of(
                        "Content-Type",
                        "application/octet-stream",
                        "Content-Range",
                        "bytes %d-%d/%d".formatted(offset, size - 1, size));
        try (var bar = progress.uploading(file.getFileName().toString(), offset, size)) {
            BodyPublisher body = BodyPublishers.ofInputStream(() -> opened(file, offset, bar));
            return platform.api(
                    "PUT",
                    path,
                    rest == 0 ? BodyPublishers.noBody() : BodyPublishers.fromPublisher(body, rest),
                    headers);
        }
    }

    private static InputStream opened(Path file, long offset, Bar bar) {
        try {
            InputStream in = Files.newInputStream(file);
            in.skipNBytes(offset);
            return bar.watch(in);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
