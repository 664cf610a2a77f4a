/** Keeps the measured speed of this host in a file; start at {@link io.knabla.controller.machine.MachineProfile}. */
package io.knabla.controller.machine;
