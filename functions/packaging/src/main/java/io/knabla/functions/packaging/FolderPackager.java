package io.knabla.functions.packaging;

import io.knabla.functions.packaging.encoder.EncoderPlan;
import io.knabla.functions.packaging.folder.FolderPlan;
import io.knabla.functions.packaging.generation.GenerationPlan;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;

/**
 * Packages a folder as Hugging Face's hub has it: check → graph and weights, quantised while they are written → store.
 * The weights are never in memory as a whole. Deterministic: the same files give the same digest. A refused folder
 * leaves nothing in the store.
 */
public final class FolderPackager {
    private FolderPackager() {}

    /**
     * Paths of the spec are relative to the folder.
     *
     * @throws UncheckedIOException if a file cannot be read, or the temporary folder cannot be written
     * @throws io.knabla.functions.unit.UnitException if the store cannot be written
     */
    public static PackagingResult pack(Path folder, FunctionSpec spec, ObjectStore store) {
        try {
            return switch (plan(folder, folder, spec)) {
                case FolderPlan.Refused(var faults) -> new PackagingResult.Refused(faults);
                case FolderPlan.Checked(var unit) ->
                    new FolderUnitWriter(new UnitStore(store)).write(unit, folder.resolve(FolderFiles.CONFIG));
            };
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot package " + folder, failed);
        }
    }

    /**
     * Checks the folder and the limits; tells all faults at once.
     *
     * @param base folder that the spec's other paths are relative to
     * @throws IOException if a file cannot be read; one that is missing is a fault
     * @throws IllegalArgumentException if functions of the spec's type have no folder
     */
    public static FolderPlan plan(Path folder, Path base, FunctionSpec spec) throws IOException {
        return switch (spec.type()) {
            case Generation -> GenerationPlan.of(folder, base, spec);
            case Encoder -> EncoderPlan.of(folder, spec);
            case Inference, Gradient, TrainingStep ->
                throw new IllegalArgumentException("the model of " + spec.type() + " is no folder");
        };
    }
}
