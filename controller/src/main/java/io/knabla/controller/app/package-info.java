/**
 * The controller process: checks settings, starts the platform and provides the shared beans; start at
 * {@link io.knabla.controller.app.Main}.
 */
package io.knabla.controller.app;
