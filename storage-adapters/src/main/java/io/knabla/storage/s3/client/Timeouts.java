package io.knabla.storage.s3.client;

import java.time.Duration;
import java.util.function.Consumer;
import software.amazon.awssdk.awscore.AwsRequestOverrideConfiguration;

/**
 * Timeouts and the number of attempts of requests to S3.
 *
 * @param connect for establishing a connection
 * @param request for one attempt: between two bytes from the server, and in total; the total is extended by the time
 *     that the bytes to send need at {@link #MIN_BYTES_PER_SECOND}
 * @param call for all attempts and the delays between them; extended likewise
 * @param attempts attempts per call, 1 to 20, with exponential backoff, jitter and a shared retry budget
 */
public record Timeouts(Duration connect, Duration request, Duration call, int attempts) {
    /** Minimum bytes per second of a link; a slower attempt times out. */
    static final long MIN_BYTES_PER_SECOND = 128 * 1024;

    /** A server on a file system concatenates the parts of a large object before it responds. */
    private static final Duration COPY_TIMEOUT = Duration.ofMinutes(10);

    private static final int COPY_ATTEMPTS = 3;

    static Timeouts of(SettingValues values) {
        return new Timeouts(
                values.duration("KNABLA_S3_CONNECT_TIMEOUT", Duration.ofSeconds(5)),
                values.duration("KNABLA_S3_REQUEST_TIMEOUT", Duration.ofSeconds(30)),
                values.duration("KNABLA_S3_CALL_TIMEOUT", Duration.ofMinutes(2)),
                values.number("KNABLA_S3_ATTEMPTS", 6, 1, 20));
    }

    /** Returns the timeouts of a call that sends this many bytes. */
    public Consumer<AwsRequestOverrideConfiguration.Builder> forUpload(long bytes) {
        long seconds = bytes / MIN_BYTES_PER_SECOND;
        return override -> override.apiCallAttemptTimeout(request.plusSeconds(seconds))
                .apiCallTimeout(call.plusSeconds(attempts * seconds));
    }

    /** Returns longer timeouts, for calls that respond only after the server has copied a large object. */
    Timeouts forServerCopy() {
        return new Timeouts(
                connect,
                request.compareTo(COPY_TIMEOUT) > 0 ? request : COPY_TIMEOUT,
                call.plus(COPY_TIMEOUT.multipliedBy(COPY_ATTEMPTS)),
                Math.min(attempts, COPY_ATTEMPTS));
    }
}
