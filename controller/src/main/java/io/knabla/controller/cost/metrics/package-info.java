/** Shows what nodes cost as Prometheus metrics, by the names of OpenCost where it has one. */
package io.knabla.controller.cost.metrics;
