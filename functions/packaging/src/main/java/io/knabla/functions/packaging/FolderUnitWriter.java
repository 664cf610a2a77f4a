package io.knabla.functions.packaging;

import io.knabla.functions.packaging.folder.FolderUnit;
import io.knabla.functions.packaging.folder.FolderUnit.NamedFile;
import io.knabla.functions.packaging.folder.FolderUnit.NamedGraph;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Digest;
import io.knabla.functions.unit.FileManifest;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.UnitStore;
import io.knabla.storage.Content;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** Writes one unit of a folder to the store. */
final class FolderUnitWriter {
    private final UnitStore units;
    private final Map<String, Blob> files = new LinkedHashMap<>();

    FolderUnitWriter(UnitStore units) {
        this.units = units;
    }

    /** @param config the file whose digest stands for the model */
    PackagingResult write(FolderUnit unit, Path config) throws IOException {
        Path scratch = Files.createTempDirectory("knabla-weights-");
        try {
            for (NamedGraph graph : unit.graphs()) {
                store(graph, scratch);
            }
        } finally {
            delete(scratch);
        }
        store(unit.tokenizer());
        store(unit.settings());
        var manifest = new FileManifest(unit.type(), files);
        return new PackagingResult.Packaged(
                units.write(manifest), digest(config), manifest, unit.analysis(), unit.warnings());
    }

    private void store(NamedGraph named, Path scratch) throws IOException {
        Path graph = scratch.resolve(named.name());
        named.graph().write(graph);
        store(named.name(), graph);
        String weights = named.graph().weightsFile();
        if (!files.containsKey(weights)) {
            store(weights, scratch.resolve(weights));
        }
    }

    private void store(String name, Path file) throws IOException {
        store(name, new Blob(digest(file), Files.size(file)), Content.of(file));
    }

    private void store(NamedFile file) {
        byte[] bytes = file.bytes();
        store(file.name(), new Blob(Sha256.of(bytes), bytes.length), Content.of(bytes));
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
