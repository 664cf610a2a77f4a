/**
 * Describes a version's nodes and replicas for the plans of its spot policy, explains them, and stores what policies
 * have learned.
 */
package io.knabla.controller.scale.fleet;
