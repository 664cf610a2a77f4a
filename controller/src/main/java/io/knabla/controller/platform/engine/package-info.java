/**
 * Runs the replica program once for a unit, outside this process and under limits; start at
 * {@link io.knabla.controller.platform.engine.EngineRunner}.
 */
package io.knabla.controller.platform.engine;
