/** Measures what this machine can do, for predictions; start at {@link io.knabla.runtime.calibrate.Calibration}. */
package io.knabla.runtime.calibrate;
