/**
 * Answers calls of OpenAI's API with texts of a {@link io.knabla.runtime.generation.Generator}; start at
 * {@link io.knabla.runtime.openai.TextCalls}.
 */
package io.knabla.runtime.openai;
