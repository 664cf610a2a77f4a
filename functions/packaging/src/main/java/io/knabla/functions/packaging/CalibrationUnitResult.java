package io.knabla.functions.packaging;

import io.knabla.functions.Fault;
import io.knabla.functions.unit.Digest;
import java.util.List;

/** Result of preparing a calibration unit for static quantisation: stored, not needed, or refused with all faults. */
public sealed interface CalibrationUnitResult {
    /** The unit is stored; the engine measures the ranges of its outputs on the samples that it holds. */
    record Stored(Digest unit) implements CalibrationUnitResult {}

    /** No activation of the model becomes integers, so it is quantised without ranges. */
    record NothingToMeasure() implements CalibrationUnitResult {}

    /** Nothing is stored; lists all faults. */
    record Refused(List<Fault> faults) implements CalibrationUnitResult {}
}
