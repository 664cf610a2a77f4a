package io.knabla.controller.cost.ledger;

import io.knabla.controller.cost.ledger.parquet.ParquetEngine;
import io.knabla.controller.cost.ledger.row.RecordKind;
import io.knabla.storage.ByteRange;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Collects the Parquet files of an hour of usage without a manifest, so that they are merged again: a merge stopped
 * before it wrote the manifest, or somebody deleted it. Each of their rows was acknowledged, and to merge one twice
 * changes nothing.
 */
final class FilesWithoutManifest {
    private final ObjectStore store;
    private final ParquetEngine engine;
    private final Path folder;

    FilesWithoutManifest(ObjectStore store, ParquetEngine engine, Path folder) {
        this.store = store;
        this.engine = engine;
        this.folder = folder;
    }

    /** Returns one local file for each kind that has any, and has these kinds merged. */
    Map<RecordKind, Path> merged(HourSpool spool) throws IOException {
        Map<RecordKind, Path> merged = new EnumMap<>(RecordKind.class);
        for (RecordKind kind : RecordKind.values()) {
            List<Path> files = download(keys(spool.hour(), kind), kind);
            if (!files.isEmpty()) {
                Path all = folder.resolve("unmanaged-" + kind.folder() + ".parquet");
                Files.deleteIfExists(all);
                engine.concatenate(kind, files, all);
                spool.require(kind);
                merged.put(kind, all);
            }
        }
        return merged;
    }

    private List<ObjectKey> keys(Hour hour, RecordKind kind) {
        try (Stream<ObjectInfo> objects = store.list(hour.files(kind.folder()))) {
            return objects.map(ObjectInfo::key).toList();
        }
    }

    private List<Path> download(List<ObjectKey> keys, RecordKind kind) throws IOException {
        List<Path> files = new ArrayList<>();
        for (ObjectKey key : keys) {
            Path target = folder.resolve("unmanaged-%s-%d.parquet".formatted(kind.folder(), files.size()));
            Optional<InputStream> content = store.open(key, ByteRange.ALL);
            if (content.isPresent()) {
                try (InputStream in = content.get()) {
                    Files.copy(in, target, StandardCopyOption.REPLACE_EXISTING);
                }
                files.add(target);
            }
        }
        return files;
    }
}
