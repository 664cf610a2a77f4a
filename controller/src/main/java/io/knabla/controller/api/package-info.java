/**
 * The control API for people and tools: translates HTTP and makes no decisions; start at
 * {@link io.knabla.controller.api.FunctionsResource}.
 */
package io.knabla.controller.api;
