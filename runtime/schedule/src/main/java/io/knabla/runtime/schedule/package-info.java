/**
 * Decides which sequences the next step of generation works on; start at {@link io.knabla.runtime.schedule.Scheduler}.
 */
package io.knabla.runtime.schedule;
