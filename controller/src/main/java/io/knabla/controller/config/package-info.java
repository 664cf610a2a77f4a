/** Reads and checks the settings of this process; start at {@link io.knabla.controller.config.Settings}. */
package io.knabla.controller.config;
