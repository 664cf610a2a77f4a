/**
 * How many replicas of each version, and on which node: pure decisions, and one class that acts on them; start at
 * {@link io.knabla.controller.scale.Autoscaler}.
 */
package io.knabla.controller.scale;
