package io.knabla.controller.simulate.generation;

/**
 * A request for a text.
 *
 * @param arrival seconds from the begin of the trace
 * @param prompt tokens; 1 or more
 * @param generated tokens of the text; 1 or more
 */
public record TextRequest(double arrival, int prompt, int generated) {}
