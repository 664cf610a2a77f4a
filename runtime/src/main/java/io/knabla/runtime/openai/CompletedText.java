package io.knabla.runtime.openai;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.TokenUsage;
import java.util.List;

/** One text of an answer that is sent whole. */
record CompletedText(String text, List<GeneratedToken> tokens, FinishReason reason, TokenUsage usage) {}
