/** Benchmarks this machine for latency predictions; start at {@link io.knabla.runtime.calibrate.Calibration}. */
package io.knabla.runtime.calibrate;
