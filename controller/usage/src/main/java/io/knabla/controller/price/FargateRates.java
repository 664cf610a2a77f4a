package io.knabla.controller.price;

import java.util.Optional;
import java.util.function.UnaryOperator;

/** Prices of AWS Fargate in one region; those of Fargate Spot if they are known. */
public record FargateRates(Rate onDemand, Optional<Rate> spot) {
    /** Prices of the two resources of a task. */
    public record Rate(Price perVcpuHour, Price perGbHour) {
        /** The same rate with each price replaced. */
        Rate with(UnaryOperator<Price> change) {
            return new Rate(change.apply(perVcpuHour), change.apply(perGbHour));
        }
    }
}
