package io.knabla.storage.memory;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreModelContract;

class MemoryObjectStoreModelTest extends ObjectStoreModelContract {
    @Override
    protected ObjectStore create() {
        return new MemoryObjectStore();
    }
}
