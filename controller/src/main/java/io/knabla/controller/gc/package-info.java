/**
 * Takes away what no version needs, without ever taking what a deploy is about to use; start at
 * {@link io.knabla.controller.gc.GarbageCollector}, the argument why it is safe is at
 * {@link io.knabla.controller.gc.Leases}.
 */
package io.knabla.controller.gc;
