package io.knabla.functions.packaging.generation;

import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.decoder.DecoderAnalysis;
import io.knabla.functions.decoder.graph.DecoderGraph;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitStore;
import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Packages a folder as Hugging Face's hub has it: check → graph and weights, quantised while they are written → store.
 * The weights are never in memory as a whole. Deterministic: the same files give the same digest. A refused folder
 * leaves nothing in the store.
 */
public final class GenerationPackager {
    private final UnitStore units;
    private final Map<String, Blob> files = new LinkedHashMap<>();

    private GenerationPackager(UnitStore units) {
        this.units = units;
    }

    /**
     * @throws UncheckedIOException if a file cannot be read, or the temporary folder cannot be written
     * @throws io.knabla.functions.unit.UnitException if the store cannot be written
     */
    public static PackagingResult pack(Path folder, FunctionSpec spec, ObjectStore store) {
        try {
            return switch (GenerationPlan.of(folder, spec)) {
                case GenerationPlan.Result.Refused(var faults) -> new PackagingResult.Refused(faults);
                case GenerationPlan.Result.Checked(var plan) ->
                    new GenerationPackager(new UnitStore(store))
                            .write(plan, digest(folder.resolve(GenerationFolder.CONFIG)));
            };
        } catch (IOException failed) {
            throw new UncheckedIOException("cannot package " + folder, failed);
        }
    }

    private PackagingResult write(GenerationPlan plan, Digest model) throws IOException {
        Path scratch = Files.createTempDirectory("knabla-decoder-");
        try {
            Path graph = scratch.resolve(GenerationSettings.GRAPH);
            plan.graph().write(graph);
            store(GenerationSettings.GRAPH, graph);
            store(DecoderGraph.WEIGHTS, scratch.resolve(DecoderGraph.WEIGHTS));
        } finally {
            delete(scratch);
        }
        store(GenerationSettings.TOKENIZER, plan.folder().tokenizer());
        store(GenerationSettings.FILE, plan.settings().toJson());
        var manifest = new FileManifest(GenerationSettings.TYPE, files);
        return new PackagingResult.Packaged(units.write(manifest), model, manifest, analysis(plan), plan.warnings());
    }

    private static Analysis analysis(GenerationPlan plan) {
        return DecoderAnalysis.cost(
                plan.folder(),
                plan.graph().weightBytes(),
                plan.settings().limits().kvCacheBytes());
    }

    private void store(String name, Path file) throws IOException {
        store(name, new Blob(digest(file), Files.size(file)), Content.of(file));
    }

    private void store(String name, byte[] bytes) {
        store(name, new Blob(Sha256.of(bytes), bytes.length), Content.of(bytes));
    }

    private void store(String name, Blob blob, Content content) {
        units.writeBlob(blob, content);
        files.put(name, blob);
    }

    private static Digest digest(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            return Sha256.of(in);
        }
    }

    private static void delete(Path scratch) throws IOException {
        try (Stream<Path> all = Files.walk(scratch)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
