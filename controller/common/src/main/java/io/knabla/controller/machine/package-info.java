/**
 * Describes the machines that run replicas: pool and capacity of a node, CPU architecture, measured speed of this host;
 * start at {@link io.knabla.controller.machine.MachineProfile}.
 */
package io.knabla.controller.machine;
