package io.knabla.runtime.generation.loop;

import io.knabla.functions.tokenizer.Tokenizer;
import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GeneratedToken;
import io.knabla.runtime.generation.GenerationEvent.Failed;
import io.knabla.runtime.generation.GenerationEvent.Finished;
import io.knabla.runtime.generation.GenerationFailure;
import io.knabla.runtime.generation.GenerationRequest;
import io.knabla.runtime.generation.PrefixExport;
import io.knabla.runtime.generation.TokenUsage;
import io.knabla.runtime.generation.decode.SavedTokens;
import io.knabla.runtime.generation.sample.Sampler;
import io.knabla.runtime.generation.text.TextAssembler;
import io.knabla.runtime.schedule.MovingAverage;
import io.knabla.runtime.schedule.SequenceLoad;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A prompt and its text. Made by the thread of a client, then used by that of the engine alone. */
final class TextSequence {
    final EventQueue events = new EventQueue();
    final Sampler sampler;
    final TextTimes times;

    private final GenerationRequest request;
    private final TextAssembler text;
    private final int[] tokens;
    private int count;
    private int endings;

    /** Tokens that a run with a draft has given on average. */
    final MovingAverage perDraft = new MovingAverage();

    /** Ascending by arrival. */
    long id;

    boolean started;

    /** When it first got a slot. */
    long startedNanos;

    /** Tokens whose keys and values are computed. */
    int kept;

    /** Tokens of the prompt whose keys and values were there when it was first read. */
    int cached;

    /** Keys and values while it has no slot; null if there are none. */
    SavedTokens saved;

    /** Blocks of its prompt that stay in the cache until it has its first slot; null if it holds none. */
    List<PrefixBlock> held;

    /** Tokens of the prompt that another replica has read for it. */
    int readElsewhere;

    private final Optional<PrefixExport> export;
    private PrefixKeys prefixKeys;

    /** @param contextLength more than the prompt's tokens */
    TextSequence(GenerationRequest request, Tokenizer tokenizer, int contextLength, TextTimes times) {
        this(request, Optional.empty(), tokenizer, contextLength, times);
    }

    /** @param export takes what was read of the prompt; then there is no text */
    TextSequence(
            GenerationRequest request,
            Optional<PrefixExport> export,
            Tokenizer tokenizer,
            int contextLength,
            TextTimes times) {
        this.export = export;
        this.times = times;
        this.request = request;
        this.sampler = new Sampler(request);
        this.text = new TextAssembler(tokenizer, request);
        this.count = request.prompt().length;
        int most = (int) Math.min((long) count + request.maxTokens(), contextLength);
        this.tokens = Arrays.copyOf(request.prompt(), most);
    }

    int prompt() {
        return request.prompt().length;
    }

    PrefixKeys prefixKeys() {
        if (prefixKeys == null) {
            prefixKeys = PrefixKeys.of(request.prompt());
        }
        return prefixKeys;
    }

    Optional<PrefixExport> export() {
        return export;
    }

    int tokens() {
        return count;
    }

    int token(int at) {
        return tokens[at];
    }

    /**
     * Tokens that a draft of what follows its last token may have; 0 or less where the last logits would not be those
     * after that token, or where no more tokens fit.
     */
    int draftable(int most) {
        boolean atItsEnd = !isReading() && kept == count - 1;
        return atItsEnd ? Math.min(most, tokens.length - count - 1) : 0;
    }

    /** What followed its last tokens before. */
    int[] lookUp(int most) {
        return PromptLookupDrafts.draft(tokens, count, most);
    }

    /** Number of its first tokens that are the first of these too. */
    int common(int[] others, int otherCount) {
        int mismatch = Arrays.mismatch(tokens, 0, count, others, 0, otherCount);
        return mismatch < 0 ? count : mismatch;
    }

    int[] range(int from, int to) {
        return Arrays.copyOfRange(tokens, from, to);
    }

    /** The next tokens whose keys and values are to be computed. */
    int[] next(int length) {
        return range(kept, kept + length);
    }

    boolean isReading() {
        return kept < prompt();
    }

    /** Whether the last logits are those after its last token: not while an interrupted text is computed again. */
    boolean isComputed() {
        return kept == count;
    }

    SequenceLoad load() {
        return new SequenceLoad(id, prompt(), count, kept, tokens.length - count);
    }

    boolean ignoresEnd() {
        return request.ignoreEnd();
    }

    /** Adds a chosen token that is part of the text; why the text is complete then, if it is. */
    Optional<FinishReason> add(GeneratedToken token) {
        tokens[count++] = token.id();
        text.accept(token).ifPresent(events::add);
        if (text.isStopped() || sampler.isAtItsEnd()) {
            return Optional.of(FinishReason.STOP);
        }
        return count == tokens.length ? Optional.of(FinishReason.LENGTH) : Optional.empty();
    }

    /** Counts a chosen token that ends the text and is not part of it. */
    FinishReason end() {
        endings = 1;
        return FinishReason.STOP;
    }

    /** Tells the rest of the text and the last event. */
    void finish(FinishReason reason) {
        text.finish().ifPresent(events::add);
        // A stop text may be in what the decoder held back until now.
        boolean stopped = reason == FinishReason.LENGTH && text.isStopped();
        var usage = new TokenUsage(prompt(), count - prompt() + endings, cached);
        events.add(new Finished(stopped ? FinishReason.STOP : reason, usage));
    }

    void fail(GenerationFailure.Kind kind, String message) {
        events.add(new Failed(new GenerationFailure(kind, message)));
    }

    /** Forgets keys and values; they are computed again from the tokens. */
    void forget() {
        if (saved != null) {
            saved.close();
            saved = null;
        }
        kept = 0;
    }
}
