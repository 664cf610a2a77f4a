package io.knabla.controller.simulate.warm;

import java.util.List;

/**
 * One point of a comparison: medians over the seeds, and the range of the two that matter most.
 *
 * @param knob what was set, with its unit; empty for a policy without a knob
 * @param coldRate share of the requests that waited for a start
 * @param coldRateP75 third quartile of that share over functions
 * @param wastedGbSeconds memory of replicas without a request, in GB of 10^9 bytes times seconds
 * @param layerGbSeconds the part of it without a model
 * @param memoryRatio all memory over that of replicas with requests
 * @param waitP99 seconds that 99 % of the requests waited for a start at most
 */
public record ResultRow(
        PolicyName policy,
        String trace,
        String knob,
        double value,
        int seeds,
        double requests,
        double coldRate,
        double coldRateMin,
        double coldRateMax,
        double coldRateP50,
        double coldRateP75,
        double coldRateP90,
        double wastedGbSeconds,
        double wastedGbSecondsMin,
        double wastedGbSecondsMax,
        double keptGbSeconds,
        double preWarmedUsedGbSeconds,
        double preWarmedUnusedGbSeconds,
        double layerGbSeconds,
        double memoryRatio,
        double scaleOutStarts,
        double refused,
        double preWarms,
        double preWarmsUsed,
        double waitSeconds,
        double waitP99) {

    static ResultRow of(PolicyName policy, String trace, double value, List<ReplayResult> runs) {
        SeedStatistics of = new SeedStatistics(runs);
        return new ResultRow(
                policy,
                trace,
                policy.knob(),
                value,
                runs.size(),
                of.median(ReplayResult::requests),
                of.median(ReplayResult::coldRate),
                of.min(ReplayResult::coldRate),
                of.max(ReplayResult::coldRate),
                of.median(run -> run.coldRateQuantile(0.5)),
                of.median(run -> run.coldRateQuantile(0.75)),
                of.median(run -> run.coldRateQuantile(0.9)),
                of.median(ReplayResult::wastedGbSeconds),
                of.min(ReplayResult::wastedGbSeconds),
                of.max(ReplayResult::wastedGbSeconds),
                of.median(ReplayResult::keptGbSeconds),
                of.median(ReplayResult::preWarmedUsedGbSeconds),
                of.median(ReplayResult::preWarmedUnusedGbSeconds),
                of.median(ReplayResult::layerGbSeconds),
                of.median(ReplayResult::memoryRatio),
                of.median(ReplayResult::scaleOut),
                of.median(ReplayResult::refused),
                of.median(ReplayResult::preWarms),
                of.median(ReplayResult::preWarmsUsed),
                of.median(ReplayResult::waitSeconds),
                of.median(run -> run.waitQuantile(0.99)));
    }
}
