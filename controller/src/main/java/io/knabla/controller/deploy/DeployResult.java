package io.knabla.controller.deploy;

import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.Fault;
import io.knabla.functions.unit.Digest;
import java.time.Duration;
import java.util.List;

/** Outcome of a deploy: a new or an unchanged version, or the reasons why there is none. */
public sealed interface DeployResult {
    /** @param warnings about what works but deserves attention */
    record Deployed(FunctionRecord record, Version version, List<String> warnings) implements DeployResult {}

    /**
     * The newest version already has this unit and spec.
     *
     * @param warnings also name what changed without a new version: traffic or scaling bounds
     */
    record Unchanged(FunctionRecord record, Version version, List<String> warnings) implements DeployResult {}

    /** These model files must be uploaded first. */
    record ModelMissing(List<Digest> digests) implements DeployResult {}

    /** Nothing was recorded; lists every fault found. */
    record Refused(List<Fault> faults) implements DeployResult {}

    /** Too many deploys are in progress, a garbage collection is running, or the engine has no place to run. */
    record Busy(String sentence, Duration retryAfter) implements DeployResult {}
}
