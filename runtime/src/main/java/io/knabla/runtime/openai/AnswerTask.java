package io.knabla.runtime.openai;

import io.knabla.runtime.generation.GenerationRequest;
import java.util.List;

/**
 * A request that was read: what to generate, and how to tell it.
 *
 * @param requests one for each text, those of the same prompt after each other
 * @param perPrompt number of texts that continue each prompt
 * @param param field of the prompt
 */
record AnswerTask(List<GenerationRequest> requests, int perPrompt, Options options, AnswerForm form, String param) {
    boolean hasLogprobs() {
        return options.logprobs() != GenerationRequest.NO_LOGPROBS;
    }
}
