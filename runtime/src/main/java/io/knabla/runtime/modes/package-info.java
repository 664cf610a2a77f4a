/** The modes of the replica program: serve, check, optimize, calibrate and quantize-ranges; start at {@code Serve}. */
package io.knabla.runtime.modes;
