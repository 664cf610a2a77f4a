package io.knabla.runtime.engine;

/**
 * How busy a GPU was in the driver's last period of measurement (up to a second), by all processes.
 *
 * @param gpu part of the time in which it computed, 0 to 1
 * @param memory part of the time in which its memory was read or written, 0 to 1
 */
public record GpuUtilization(double gpu, double memory) {}
