package io.knabla.controller.cost.price;

import java.util.Optional;

/** Prices of AWS Fargate in one region; those of Fargate Spot if they are known. */
public record FargateRates(Rate onDemand, Optional<Rate> spot) {
    /** Prices of the two resources of a task. */
    public record Rate(Price perVcpuHour, Price perGbHour) {}
}
