/**
 * Passes requests and responses on between a client and another HTTP server; start at
 * {@link io.knabla.controller.relay.RequestRelay}.
 */
package io.knabla.controller.relay;
