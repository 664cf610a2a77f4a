package io.knabla.functions.packaging.folder;

import io.knabla.functions.compiler.analyze.Analysis;
import io.knabla.functions.decoder.graph.PackagedGraph;
import java.util.List;

/**
 * What the unit of a folder will hold, once the folder was checked against function.yaml. Nothing is written yet.
 *
 * @param type of the unit
 * @param warnings findings that do not prevent packaging
 */
public record FolderUnit(
        String type,
        List<NamedGraph> graphs,
        NamedFile tokenizer,
        NamedFile settings,
        Analysis analysis,
        List<String> warnings) {
    public FolderUnit {
        graphs = List.copyOf(graphs);
        warnings = List.copyOf(warnings);
    }

    /** @param name of its file in the unit */
    public record NamedGraph(String name, PackagedGraph graph) {}

    /** @param name of the file in the unit */
    public record NamedFile(String name, byte[] bytes) {}
}
