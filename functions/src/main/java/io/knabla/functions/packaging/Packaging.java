package io.knabla.functions.packaging;

import io.knabla.functions.analyze.Analysis;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.UnitManifest;
import java.util.List;

/** How packaging ended. */
public sealed interface Packaging {
    /**
     * @param model digest of the model file as it came
     * @param warnings what works but is worth a look
     */
    record Packaged(Digest unit, Digest model, UnitManifest manifest, Analysis analysis, List<String> warnings)
            implements Packaging {}

    /** Nothing was stored; every fault that could be found is listed. */
    record Refused(List<Fault> faults) implements Packaging {}
}
