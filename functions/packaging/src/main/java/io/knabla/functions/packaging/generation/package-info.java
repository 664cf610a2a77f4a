/**
 * Plans the units of language models, which generate text; start at
 * {@link io.knabla.functions.packaging.generation.GenerationPlan}.
 */
package io.knabla.functions.packaging.generation;
