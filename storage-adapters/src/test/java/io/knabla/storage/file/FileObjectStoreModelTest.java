package io.knabla.storage.file;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreModelContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.jqwik.api.lifecycle.AfterTry;

/** Runs the model contract on the file store. */
class FileObjectStoreModelTest extends ObjectStoreModelContract {
    private Path root;

    @Override
    protected ObjectStore create() throws IOException {
        root = Files.createTempDirectory("knabla-model");
        return FileObjectStore.open(root);
    }

    @AfterTry
    void removeStore() throws IOException {
        FileTrees.delete(root);
    }
}
