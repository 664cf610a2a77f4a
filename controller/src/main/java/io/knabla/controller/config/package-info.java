/** Reads the settings of this process and locates its home folder and its object store; start at {@code Settings}. */
package io.knabla.controller.config;
