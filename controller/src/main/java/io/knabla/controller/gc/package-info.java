/**
 * Deletes objects that no version references, and never those that a running deploy may use; start at
 * {@link io.knabla.controller.gc.GarbageCollector}. The argument why that is safe is at
 * {@link io.knabla.controller.gc.Leases}.
 */
package io.knabla.controller.gc;
