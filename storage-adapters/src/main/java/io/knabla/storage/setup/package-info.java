/** Chooses the adapter that the setting {@code KNABLA_STORE} names; start at {@link io.knabla.storage.setup.Stores}. */
package io.knabla.storage.setup;
