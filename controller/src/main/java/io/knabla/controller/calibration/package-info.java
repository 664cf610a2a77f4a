/**
 * Keeps the measured speed of this host in a file; start at
 * {@link io.knabla.controller.calibration.Calibrations}.
 */
package io.knabla.controller.calibration;
