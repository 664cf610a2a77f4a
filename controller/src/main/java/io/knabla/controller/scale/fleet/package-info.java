/**
 * Plans one version's replicas by its spot policy, from what runs now; pure but for what a policy has learned, which is
 * stored.
 */
package io.knabla.controller.scale.fleet;
