/**
 * Decides how many replicas of each version run and on which node, with pure functions and one class that acts on them;
 * start at {@link io.knabla.controller.scale.Autoscaler}.
 */
package io.knabla.controller.scale;
