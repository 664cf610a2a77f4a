package io.knabla.controller.scale;

import io.knabla.controller.catalog.Catalog;
import io.knabla.controller.catalog.Version;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.platform.CollectableFiles;
import io.knabla.functions.unit.Digest;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Decides which marks of {@link ProvenUnits} are kept: those whose unit a version in the catalog uses. */
@Singleton
@ForPlatform(ClusterKind.Local)
final class ProvenMarks implements CollectableFiles {
    private final ProvenUnits proven;
    private final Catalog catalog;

    ProvenMarks(ProvenUnits proven, Catalog catalog) {
        this.proven = proven;
        this.catalog = catalog;
    }

    @Override
    public String kind() {
        return "proven";
    }

    @Override
    public List<FileDecision> decide() throws IOException {
        Set<String> needed = catalog.list().stream()
                .flatMap(function -> function.versions().stream())
                .map(Version::unit)
                .map(Digest::hex)
                .collect(Collectors.toSet());
        return proven.marks().stream()
                .map(mark -> needed.contains(mark.getFileName().toString())
                        ? new FileDecision(mark, 0, true, "a version runs its unit")
                        : new FileDecision(mark, 0, false, "no version runs its unit"))
                .toList();
    }

    @Override
    public boolean delete(Path mark) throws IOException {
        return proven.remove(mark);
    }
}
