package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.ForwardingStore;
import io.knabla.storage.memory.MemoryObjectStore;

/** Memory store that works, except for one guarantee that a test overrides. */
class FaultyStore extends ForwardingStore {
    FaultyStore() {
        super(new MemoryObjectStore());
    }
}
