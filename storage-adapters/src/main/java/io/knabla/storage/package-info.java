/** Keeps bytes under keys, wherever they live; start at {@link io.knabla.storage.ObjectStore}. */
package io.knabla.storage;
