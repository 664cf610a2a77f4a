/** Computes what identical usage rows cost as they ran and under other offers, split into use, idle and overhead. */
package io.knabla.controller.cost.scenario;
