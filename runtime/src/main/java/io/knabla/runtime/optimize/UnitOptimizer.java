package io.knabla.runtime.optimize;

import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.EntryPoint;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.Optimization;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitStore;
import io.knabla.runtime.engine.OfflineOptimizer;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Optimises the graphs of a unit ahead of time where equal nodes must not be merged. Replicas then run these graphs as
 * they are. Of a decoder with 8-bit keys and values, their scales are measured.
 */
public final class UnitOptimizer {
    private static final String WEIGHTS = "weights";

    private final UnitStore units;
    private final Path folder;
    private final Set<Blob> weights = new LinkedHashSet<>();

    private UnitOptimizer(UnitStore units, Path folder) {
        this.units = units;
        this.folder = folder;
    }

    /**
     * Writes the optimised unit to the same store and returns its digest. Returns the old digest if no graph is marked
     * {@link Optimization#NO_CSE} and no scales are to be measured.
     *
     * @param cache folder into which the old unit is materialised
     */
    public static Digest optimize(UnitStore units, Digest unit, Path cache) {
        Path folder = units.materialise(unit, cache);
        try {
            return switch (UnitStore.readMaterialised(folder)) {
                case GraphManifest graphs -> new UnitOptimizer(units, folder).write(graphs);
                case FileManifest files -> CalibratedUnit.write(units, folder, files);
            };
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot optimise the unit in " + folder, failed);
        }
    }

    private Digest write(GraphManifest manifest) throws IOException {
        weights.addAll(manifest.weights());
        Blob graph = manifest.graph();
        if (manifest.optimization() == Optimization.NO_CSE) {
            graph = optimizeGraph(UnitStore.GRAPH);
        }
        List<EntryPoint> entries = new ArrayList<>();
        for (EntryPoint entry : manifest.entries()) {
            entries.add(
                    entry.optimization() == Optimization.NO_CSE
                            ? new EntryPoint(
                                    entry.name(),
                                    optimizeGraph(entry.file()),
                                    entry.inputs(),
                                    entry.outputs(),
                                    Optimization.NONE)
                            : entry);
        }
        var plain = new GraphManifest(
                GraphManifest.SCHEMA,
                graph,
                List.copyOf(weights),
                manifest.inputs(),
                manifest.outputs(),
                manifest.batchable(),
                manifest.model());
        Optimization main =
                manifest.optimization() == Optimization.NO_CSE ? Optimization.NONE : manifest.optimization();
        return units.write(plain.with(main, entries, manifest.training(), manifest.labels())
                .with(manifest.classes())
                .withDefaults(manifest.defaults()));
    }

    /** Runs the optimiser twice: the graph names its weights file, and that name is the digest of the weights. */
    private Blob optimizeGraph(String file) throws IOException {
        Path temp = Files.createTempDirectory("knabla-optimize");
        try {
            Path to = temp.resolve("graph.onnx");
            OfflineOptimizer.optimize(folder.resolve(file), to, WEIGHTS);
            Path moved = temp.resolve(WEIGHTS);
            if (Files.exists(moved)) {
                Blob blob = blob(moved);
                Files.delete(to);
                OfflineOptimizer.optimize(
                        folder.resolve(file), to, blob.digest().hex());
                Path named = temp.resolve(blob.digest().hex());
                if (!blob(named).equals(blob)) {
                    throw new IllegalStateException("the engine wrote other weights the second time; try again");
                }
                units.writeBlob(blob, Content.of(named));
                weights.add(blob);
            }
            Blob graph = blob(to);
            units.writeBlob(graph, Content.of(to));
            return graph;
        } finally {
            delete(temp);
        }
    }

    private static Blob blob(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return new Blob(Sha256.of(in), Files.size(file));
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
