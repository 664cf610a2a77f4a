package io.knabla.runtime.modes;

import io.knabla.runtime.ranges.RangeMeasurement;

/**
 * Runs the {@code quantize-ranges} mode: runs a model on the calibration samples that are stored with it, and reports
 * the range of each activation, from which its values are quantised. A model that crashes the engine does so here, not
 * in the controller.
 */
public final class QuantizeRanges {
    private QuantizeRanges() {}

    public static ExitCode run(Settings settings) {
        try {
            LoadedUnit load = LoadedUnit.loadForTrial(settings);
            Events.ranges(RangeMeasurement.measure(
                    load.graphs().engine(), load.graphs().manifest(), load.folder()));
            return ExitCode.DONE;
        } catch (RuntimeException failed) {
            return Failures.report(failed);
        }
    }
}
