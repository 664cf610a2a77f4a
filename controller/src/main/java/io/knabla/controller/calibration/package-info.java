/**
 * What was measured of this host, kept so that it is measured once; start at
 * {@link io.knabla.controller.calibration.Calibrations}.
 */
package io.knabla.controller.calibration;
