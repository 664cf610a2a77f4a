/** Answers the OpenAI API for models that generate text: chat completions, completions, models; and tokens as vLLM. */
package io.knabla.runtime.openai;
