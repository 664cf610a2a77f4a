/** A replica's process: settings in, events out; start at {@link io.knabla.runtime.Main}. */
package io.knabla.runtime;
