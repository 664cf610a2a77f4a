/**
 * The HTTP side of a replica: routes, limits, probes, drain, metrics; start at {@link io.knabla.runtime.serve.Replica}.
 */
package io.knabla.runtime.serve;
