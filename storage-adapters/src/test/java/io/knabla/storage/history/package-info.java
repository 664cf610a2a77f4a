/**
 * Checks whether the operations of concurrent clients on one register are linearizable; start at
 * {@link io.knabla.storage.history.LinearizabilityChecker}.
 */
package io.knabla.storage.history;
