/**
 * Packages the folder of a language model into a unit that generates text; start at
 * {@link io.knabla.functions.packaging.generation.GenerationPackager}.
 */
package io.knabla.functions.packaging.generation;
