package io.knabla.controller.billing;

import java.math.BigDecimal;

/** Requests and memory-time of Lambda functions. */
public record LambdaUse(long requests, BigDecimal gbSeconds) {
    public static final LambdaUse NONE = new LambdaUse(0, BigDecimal.ZERO);

    public LambdaUse plus(LambdaUse other) {
        return new LambdaUse(requests + other.requests, gbSeconds.add(other.gbSeconds));
    }
}
