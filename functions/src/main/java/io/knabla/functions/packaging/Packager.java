package io.knabla.functions.packaging;

import io.knabla.functions.analyze.Analysis;
import io.knabla.functions.analyze.Analyzer;
import io.knabla.functions.graph.ExternalData;
import io.knabla.functions.graph.Model;
import io.knabla.functions.graph.ModelReader;
import io.knabla.functions.graph.TensorType;
import io.knabla.functions.graph.shape.Inference;
import io.knabla.functions.packaging.SignatureReader.Signature;
import io.knabla.functions.packaging.WeightSplitter.Split;
import io.knabla.functions.spec.Fault;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitManifest;
import io.knabla.functions.unit.Units;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Makes a unit from a model: read → check → split off weights → analyse → store. The same input
 * gives the same digest, always; what is refused leaves nothing in the store.
 */
public final class Packager {
    private Packager() {}

    /**
     * @throws UncheckedIOException where the model's own files cannot be read
     * @throws io.knabla.functions.unit.UnitException where the store cannot be written
     */
    public static Packaging pack(ModelFiles files, ObjectStore store) {
        return switch (check(files)) {
            case Checked.Bad(var faults) -> new Packaging.Refused(faults);
            case Checked.Good good -> write(good, files, new Units(store));
        };
    }

    /** The static analysis alone; nothing is stored. */
    public static Analyzed analyze(ModelFiles files) {
        return switch (check(files)) {
            case Checked.Bad(var faults) -> new Analyzed.Refused(faults);
            case Checked.Good good -> new Analyzed.Done(good.analysis(), good.warnings());
        };
    }

    /** How an analysis without packaging ended. */
    public sealed interface Analyzed {
        record Done(Analysis analysis, List<String> warnings) implements Analyzed {}

        record Refused(List<Fault> faults) implements Analyzed {}
    }

    private sealed interface Checked {
        record Good(Split split, Signature signature, Analysis analysis, List<String> warnings)
                implements Checked {}

        record Bad(List<Fault> faults) implements Checked {}
    }

    private static Checked check(ModelFiles files) {
        if (!Files.isRegularFile(files.model())) {
            return new Checked.Bad(
                    List.of(new Fault("model", "there is no file '" + files.model() + "'")));
        }
        try {
            return switch (ModelReader.read(files.model())) {
                case ModelReader.Read.Refused(var why) ->
                        new Checked.Bad(List.of(new Fault("model", why)));
                case ModelReader.Read.Opened(var model) -> check(model, files);
            };
        } catch (IOException unreadable) {
            throw new UncheckedIOException("cannot read the model " + files.model(), unreadable);
        }
    }

    private static Checked check(Model model, ModelFiles files) {
        var faults = new Faults();
        var warnings = new ArrayList<String>();
        VersionCheck.check(model, faults, warnings);
        StructureCheck.check(model, faults);
        Split split = WeightSplitter.split(model.proto(), files, faults);
        // Of the split model: there every small constant is in the graph, and no large one is.
        Model ready = Model.of(split.model());
        // Only a sound graph can be walked, and only a file that leaves shapes out needs it.
        Map<String, TensorType> types =
                faults.none() && SignatureReader.leavesShapesOut(model.proto().getGraph())
                        ? Inference.types(ready)
                        : Map.of();
        Signature signature = SignatureReader.read(model.proto().getGraph(), types, faults);
        if (!faults.none()) {
            return new Checked.Bad(faults.all());
        }
        warnings.addAll(Warnings.of(model));
        Analysis analysis = Analyzer.analyze(ready);
        return new Checked.Good(split, signature, analysis, List.copyOf(warnings));
    }

    /** Blobs, then the graph, then the manifest: a crash leaves bytes nobody names, never a name without bytes. */
    private static Packaging write(Checked.Good good, ModelFiles files, Units units) {
        try (GraphFile graph = GraphFile.write(good.split().model())) {
            for (Map.Entry<Blob, Content> blob : good.split().blobs().entrySet()) {
                units.writeBlob(blob.getKey(), blob.getValue());
            }
            units.writeBlob(graph.blob(), graph.content());
            UnitManifest manifest = manifest(good, graph.blob());
            return new Packaging.Packaged(
                    units.write(manifest),
                    digest(files.model()),
                    manifest,
                    good.analysis(),
                    good.warnings());
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot package " + files.model(), failed);
        }
    }

    private static UnitManifest manifest(Checked.Good good, Blob graph) {
        Model model = Model.of(good.split().model());
        return new UnitManifest(
                UnitManifest.SCHEMA,
                graph,
                List.copyOf(good.split().blobs().keySet()),
                good.signature().inputs(),
                good.signature().outputs(),
                good.signature().batchable(),
                new UnitManifest.ModelVersion(model.irVersion(), model.opset()));
    }

    private static Digest digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Sha256.of(in);
        }
    }

    /** The external data files that a model names, for those who have to bring them along. */
    public static Optional<List<String>> externalLocations(Path model) throws IOException {
        return switch (ModelReader.read(model)) {
            case ModelReader.Read.Refused _ -> Optional.empty();
            case ModelReader.Read.Opened(var opened) ->
                    Optional.of(List.copyOf(ExternalData.locations(opened.proto())));
        };
    }
}
