package io.knabla.bench.server;

import io.knabla.bench.model.BenchModel;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.packaging.PackagingResult.Refused;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.net.URI;
import java.nio.file.Path;
import java.util.Optional;

/** A model packaged as in a deploy, in a store of the benchmark. */
public record PackagedModel(BenchModel model, PackagedUnit unit) {
    public static PackagedModel pack(BenchModel model, Path folder) {
        URI location = folder.resolve("store").toUri();
        ObjectStore store = Stores.open(location);
        var files = new ModelFiles(model.file(), name -> Optional.empty());
        return switch (Packager.pack(files, store)) {
            case Packaged packaged ->
                new PackagedModel(model, new PackagedUnit(packaged.unit(), location, folder.resolve("cache")));
            case Refused refused ->
                throw new IllegalStateException("the packager refuses the benchmark's own model: " + refused.faults());
        };
    }
}
