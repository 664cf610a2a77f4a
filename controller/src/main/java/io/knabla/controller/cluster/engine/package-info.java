/**
 * The replica's program run once for a unit, apart from this process and under limits; start at
 * {@link io.knabla.controller.cluster.engine.EngineRunner}.
 */
package io.knabla.controller.cluster.engine;
