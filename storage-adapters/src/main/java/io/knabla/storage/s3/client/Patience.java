package io.knabla.storage.s3.client;

import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;

/**
 * How long to wait for S3, and how often to ask again.
 *
 * @param connect for a connection to be made
 * @param request for one try: without a byte from the server, and in all, to which is added what the bytes sent need at
 *     {@link #SLOWEST}
 * @param call for all tries and the pauses between them, which is also extended so
 * @param attempts tries of one call, 1 to 20, with growing, jittered pauses from a shared budget
 */
public record Patience(Duration connect, Duration request, Duration call, int attempts) {
    /** Bytes per second that a link must move; below it a try counts as failed. */
    static final long SLOWEST = 128 * 1024;

    /** A server on a file system copies a large object's parts together before it says a word. */
    private static final Duration SILENCE = Duration.ofMinutes(10);

    private static final int SILENT_TRIES = 3;

    static Patience of(SettingValues values) {
        return new Patience(
                values.duration("KNABLA_S3_CONNECT_TIMEOUT", Duration.ofSeconds(5)),
                values.duration("KNABLA_S3_REQUEST_TIMEOUT", Duration.ofSeconds(30)),
                values.duration("KNABLA_S3_CALL_TIMEOUT", Duration.ofMinutes(2)),
                values.number("KNABLA_S3_ATTEMPTS", 6, 1, 20));
    }

    /** For a call that sends so many bytes. */
    public Consumer<AwsRequestOverrideConfiguration.Builder> toSend(long bytes) {
        long seconds = bytes / SLOWEST;
        return override -> override.apiCallAttemptTimeout(request.plusSeconds(seconds))
                .apiCallTimeout(call.plusSeconds(attempts * seconds));
    }

    /** For calls that are answered only after the server has copied a large object itself. */
    Patience withSilence() {
        return new Patience(
                connect,
                request.compareTo(SILENCE) > 0 ? request : SILENCE,
                call.plus(SILENCE.multipliedBy(SILENT_TRIES)),
                Math.min(attempts, SILENT_TRIES));
    }
}
