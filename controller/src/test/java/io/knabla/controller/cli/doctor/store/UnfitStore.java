package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.ForwardingStore;
import io.knabla.storage.memory.MemoryObjectStore;

/** Works, but for one promise that a test breaks. */
class UnfitStore extends ForwardingStore {
    UnfitStore() {
        super(new MemoryObjectStore());
    }
}
