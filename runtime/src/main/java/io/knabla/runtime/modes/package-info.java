/**
 * The modes of the replica program: serve, check, optimize and calibrate; start at
 * {@link io.knabla.runtime.modes.Serve}.
 */
package io.knabla.runtime.modes;
