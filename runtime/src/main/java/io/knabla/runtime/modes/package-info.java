/** The modes of the replica program: serve, check, optimize and calibrate; start at {@code Serve}. */
package io.knabla.runtime.modes;
