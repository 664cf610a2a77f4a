/** Policies that decide when a function's replicas are kept ready without requests; pure, time is an argument. */
package io.knabla.controller.warm.policy;
