package io.knabla.storage.s3.client;

import java.time.Duration;
import java.util.Set;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/**
 * Delays every attempt of every request of a client to the rate of its {@link RateLimiter}; reports responses 429 and
 * 503 to it.
 */
final class ThrottlingInterceptor implements ExecutionInterceptor {
    private static final Set<Integer> THROTTLED = Set.of(429, 503);

    private final RateLimiter rate = new RateLimiter();

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        long wait = rate.reserve(System.nanoTime());
        if (wait > 0) {
            Backoff.sleep(Duration.ofNanos(wait));
        }
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        if (THROTTLED.contains(context.httpResponse().statusCode())) {
            rate.slowDown(System.nanoTime());
        }
    }
}
