package io.knabla.runtime.generation.text;

import io.knabla.functions.tokenizer.TextStream;
import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GenerationEvent.Piece;
import io.knabla.runtime.generation.GenerationRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Decodes the tokens of one text, one at a time, into pieces of whole characters. For one thread. */
public final class TextAssembler {
    /** A character of a prompt has at most 4 bytes, so with so many tokens before it the text goes on within a word. */
    private static final int PROMPT_TOKENS = 4;

    private final TextStream stream;
    private final StopMatcher matcher;
    private final List<GeneratedToken> tokens = new ArrayList<>();

    /** Text of the prompt that the stream still holds back. */
    private String prompt;

    public TextAssembler(Tokenizer tokenizer, GenerationRequest request) {
        stream = tokenizer.stream(true);
        matcher = new StopMatcher(request.stop());
        // Some decoders strip a space at the start of a text, but this text continues the prompt.
        read(request.prompt(), stream);
        TextStream whole = tokenizer.stream(true);
        read(request.prompt(), whole);
        prompt = whole.finish();
    }

    private static void read(int[] prompt, TextStream into) {
        for (int i = Math.max(0, prompt.length - PROMPT_TOKENS); i < prompt.length; i++) {
            into.accept(prompt[i]);
        }
    }

    /** Adds a token; empty while no text became certain. */
    public Optional<Piece> accept(GeneratedToken token) {
        tokens.add(token);
        String text = matcher.accept(withoutPrompt(stream.accept(token.id())));
        return text.isEmpty() ? Optional.empty() : Optional.of(piece(text));
    }

    /** Whether a stop text came; then no token may be added. */
    public boolean isStopped() {
        return matcher.isStopped();
    }

    /** The rest of the text and of the tokens; empty if all were in pieces before. */
    public Optional<Piece> finish() {
        String text = matcher.accept(withoutPrompt(stream.finish())) + matcher.finish();
        return text.isEmpty() && tokens.isEmpty() ? Optional.empty() : Optional.of(piece(text));
    }

    private String withoutPrompt(String text) {
        if (text.isEmpty()) {
            return text;
        }
        String own = text.startsWith(prompt) ? text.substring(prompt.length()) : text;
        prompt = "";
        return own;
    }

    private Piece piece(String text) {
        var piece = new Piece(text, tokens);
        tokens.clear();
        return piece;
    }
}
