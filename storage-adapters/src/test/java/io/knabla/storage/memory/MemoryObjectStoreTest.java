package io.knabla.storage.memory;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.Contents;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreContract;
import io.knabla.storage.StorageException;
import org.junit.jupiter.api.Test;

/** Runs the store contract on the memory store. */
class MemoryObjectStoreTest extends ObjectStoreContract {
    private final ObjectStore store = new MemoryObjectStore();

    @Override
    protected ObjectStore store() {
        return store;
    }

    @Test
    void rejectsObjectsLargerThanAnArray() {
        assertThatThrownBy(() -> store.write(KEY, Contents.filled((byte) 0, 1L << 40)))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("use a file:/// store");
    }
}
