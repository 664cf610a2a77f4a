/** The store that ends with its process; for tests and demos. */
package io.knabla.storage.memory;
