package io.knabla.controller.local.gateway;

import io.knabla.controller.platform.VersionKey;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.runtime.http.HttpRequest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Refuses a request for a while after two replicas died while they handled it. A client that repeats it would end one
 * replica after the other. A response to the same request shows that it was chance.
 */
final class FatalRequests {
    private static final Duration REFUSED_FOR = Duration.ofSeconds(30);
    private static final int MOST = 1_000;

    private final InstantSource clock;
    private final Map<Fingerprint, Instant> until = new ConcurrentHashMap<>();

    private record Fingerprint(VersionKey version, Digest body) {}

    FatalRequests(InstantSource clock) {
        this.clock = clock;
    }

    void add(VersionKey version, HttpRequest request) {
        Instant now = clock.instant();
        until.values().removeIf(now::isAfter);
        if (until.size() < MOST) {
            until.put(fingerprint(version, request), now.plus(REFUSED_FOR));
        }
    }

    /** Time for which this request is still refused; hashes the body only while any request is refused. */
    Optional<Duration> refusal(VersionKey version, HttpRequest request) {
        if (until.isEmpty()) {
            return Optional.empty();
        }
        Duration left =
                Duration.between(clock.instant(), until.getOrDefault(fingerprint(version, request), Instant.MIN));
        return left.isPositive() ? Optional.of(left) : Optional.empty();
    }

    void forget(VersionKey version, HttpRequest answered) {
        if (!until.isEmpty()) {
            until.remove(fingerprint(version, answered));
        }
    }

    private static Fingerprint fingerprint(VersionKey version, HttpRequest request) {
        byte[] body = Arrays.copyOf(request.body(), request.bodyLength());
        return new Fingerprint(version, Sha256.of(body));
    }
}
