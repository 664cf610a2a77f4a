/** Stores objects in memory, for tests and demos; start at {@link io.knabla.storage.memory.MemoryObjectStore}. */
package io.knabla.storage.memory;
