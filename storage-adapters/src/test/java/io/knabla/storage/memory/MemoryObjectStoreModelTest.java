package io.knabla.storage.memory;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreModelContract;

/** Runs the model contract on the memory store. */
class MemoryObjectStoreModelTest extends ObjectStoreModelContract {
    @Override
    protected ObjectStore create() {
        return new MemoryObjectStore();
    }
}
