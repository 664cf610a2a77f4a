/**
 * Passes requests and responses on between a client and another HTTP server; start at
 * {@link io.knabla.runtime.relay.RequestRelay}.
 */
package io.knabla.runtime.relay;
