package io.knabla.controller.scale;

import io.knabla.functions.unit.Digest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Records in files which units have been ready once on this machine, for decisions after a restart of the controller.
 * With one empty file per unit, a restarted controller need not start every function again.
 */
public final class ProvenUnits {
    private final Path folder;
    private final Set<String> proven = ConcurrentHashMap.newKeySet();

    public ProvenUnits(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
            try (Stream<Path> files = Files.list(folder)) {
                files.forEach(file -> proven.add(file.getFileName().toString()));
            }
        } catch (IOException error) {
            throw new UncheckedIOException(
                    "cannot read %s, where Knabla notes which units work: make it readable and writable"
                            .formatted(folder),
                    error);
        }
    }

    public boolean has(Digest unit) {
        return proven.contains(unit.hex());
    }

    List<Path> marks() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.sorted().toList();
        }
    }

    /** At worst its unit is started once more, to see that it works. */
    boolean remove(Path mark) throws IOException {
        proven.remove(mark.getFileName().toString());
        return Files.deleteIfExists(mark);
    }

    /** If the file cannot be written, the record lasts only as long as this process. */
    void add(Digest unit) {
        if (proven.add(unit.hex())) {
            try {
                Files.write(folder.resolve(unit.hex()), new byte[0]);
            } catch (IOException error) {
                System.getLogger(ProvenUnits.class.getName())
                        .log(System.Logger.Level.WARNING, "cannot note that " + unit + " works", error);
            }
        }
    }
}
