/**
 * The control API for people and tools: translates HTTP, decides nothing; start at
 * {@link io.knabla.controller.api.FunctionsResource}.
 */
package io.knabla.controller.api;
