/** Simulates replicas that generate text, which carry out the steps of the very scheduler of a replica's engine. */
package io.knabla.controller.simulate.generation;
