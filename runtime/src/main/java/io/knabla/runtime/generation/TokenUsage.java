package io.knabla.runtime.generation;

/**
 * Numbers of tokens of one request.
 *
 * @param generated tokens that were chosen, one that ended the text included
 * @param cached tokens of the prompt whose keys and values were there already
 */
public record TokenUsage(int prompt, int generated, int cached) {}
