package io.knabla.storage.s3.client;

import java.time.Duration;
import java.util.Set;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;

/** Holds each try of each request of a client to its {@link SendRate}. */
final class Restraint implements ExecutionInterceptor {
    private static final Set<Integer> TOO_MUCH = Set.of(429, 503);

    private final SendRate rate = new SendRate();

    @Override
    public void beforeTransmission(Context.BeforeTransmission context, ExecutionAttributes attributes) {
        long wait = rate.reserve(System.nanoTime());
        if (wait > 0) {
            Pauses.sleep(Duration.ofNanos(wait));
        }
    }

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        if (TOO_MUCH.contains(context.httpResponse().statusCode())) {
            rate.slowDown(System.nanoTime());
        }
    }
}
