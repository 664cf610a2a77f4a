/**
 * Turns chosen tokens into text that is certain, up to a stop text; start at
 * {@link io.knabla.runtime.generation.text.TextAssembler}.
 */
package io.knabla.runtime.generation.text;
