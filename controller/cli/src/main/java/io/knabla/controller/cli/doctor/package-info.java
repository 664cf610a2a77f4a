/**
 * Checks of {@code ./knabla doctor} on this machine or a cluster; start at
 * {@link io.knabla.controller.cli.doctor.MachineChecks}.
 */
package io.knabla.controller.cli.doctor;
