/** Locates the home folder and the object store, and reads {@code config.yaml}; start at {@code Home}. */
package io.knabla.controller.home;
