package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.unit.Digest;
import java.time.Duration;
import java.util.List;

/** How a deploy ended. */
public sealed interface Deployment {
    /** @param warnings what works but is worth a look */
    record Deployed(FunctionRecord record, Version version, List<String> warnings) implements Deployment {}

    /**
     * The newest version is this very one already.
     *
     * @param warnings also what was changed without a new version: traffic, or how it scales
     */
    record Unchanged(FunctionRecord record, Version version, List<String> warnings) implements Deployment {}

    /** These have to be uploaded first. */
    record ModelMissing(List<Digest> digests) implements Deployment {}

    /** Nothing was recorded; every fault that could be found is listed. */
    record Refused(List<Fault> faults) implements Deployment {}

    /** Too many others are deploying right now, or the store is being cleaned. */
    record Busy(String sentence, Duration retryAfter) implements Deployment {}
}
