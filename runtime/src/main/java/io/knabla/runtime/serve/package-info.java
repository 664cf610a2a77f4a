/**
 * Serves one model over HTTP: routes, probes, drain, metrics, cold-start reporting; start at
 * {@link io.knabla.runtime.serve.Replica}.
 */
package io.knabla.runtime.serve;
