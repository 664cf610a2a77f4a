/**
 * Reads settings from flags, environment and {@code config.yaml} and reports all faults at once; start at
 * {@link io.knabla.storage.settings.SettingsReader}.
 */
package io.knabla.storage.settings;
