package io.knabla.controller.cluster.engine;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Optional;

/** How a run of the engine ended. */
public sealed interface Ended {
    /**
     * @param warning what did not go well and may yet be fine with real inputs
     * @param gradientCheck what was measured of the gradients, where there are some
     * @param unit the one that was made of it, where that was asked for
     */
    record Passed(Optional<String> warning, Optional<JsonNode> gradientCheck, Optional<String> unit) implements Ended {}

    /** Of the machine itself. */
    record Measured(double flops, double bytesPerSecond) implements Ended {}

    /** The engine said no, in words. */
    record Refused(String sentence) implements Ended {}

    record Crashed(String how) implements Ended {}

    record TooSlow(Duration limit) implements Ended {}

    record TooLarge(long bytes) implements Ended {}

    /** Nothing was learned of the model, and another try may: the store did not give the unit, or take one. */
    record Unavailable(String sentence) implements Ended {}

    /** Nothing was learned of the model: there was nothing to run it with, or nowhere. */
    record NotRun(String why) implements Ended {}
}
