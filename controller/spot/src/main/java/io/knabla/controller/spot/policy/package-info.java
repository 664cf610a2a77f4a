/** Decides which replicas run on spot capacity and in which zones, without clock or input and output. */
package io.knabla.controller.spot.policy;
