/**
 * Serves one model over HTTP, by whatever protocols it is given: paths, probes, drain, metrics, cold-start reporting;
 * start at {@link io.knabla.runtime.serve.Replica}. Knows no engine: what a model is and how it is called stands in the
 * protocols ({@link io.knabla.runtime.serve.Endpoints}) and in the model ({@link io.knabla.runtime.serve.ServedModel}).
 */
package io.knabla.runtime.serve;
