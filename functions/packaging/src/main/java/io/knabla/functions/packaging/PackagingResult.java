package io.knabla.functions.packaging;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.UnitManifest;
import java.util.List;

/** Result of packaging a model. */
public sealed interface PackagingResult {
    /**
     * The unit is stored.
     *
     * @param model digest of the original model file, of a language model of its config.json
     * @param warnings findings that do not prevent packaging
     */
    record Packaged(Digest unit, Digest model, UnitManifest manifest, Analysis analysis, List<String> warnings)
            implements PackagingResult {
        /**
         * The manifest of a unit with graphs.
         *
         * @throws io.knabla.functions.unit.UnitException if it holds none
         */
        public GraphManifest graphs() {
            return manifest.graphs();
        }
    }

    /** Nothing is stored; lists all faults. */
    record Refused(List<Fault> faults) implements PackagingResult {}
}
