package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.FinishReason;
import io.knabla.runtime.generation.GenerationFailure;
import io.knabla.runtime.generation.PrefixExport;
import io.knabla.runtime.generation.decode.Decoder;
import io.knabla.runtime.generation.sample.Candidates;
import io.knabla.runtime.generation.sample.Choice;
import io.knabla.runtime.schedule.ChunkSize;
import io.knabla.runtime.schedule.ScheduleLimits;
import io.knabla.runtime.schedule.SequenceLoad;
import io.knabla.runtime.schedule.Step;
import io.knabla.runtime.schedule.Step.Chunk;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/** Executes the steps of the scheduler on a decoder. Used by the engine's thread alone. */
final class StepRunner implements AutoCloseable {
    private final Decoder decoder;
    private final Drafts drafts;
    private final SlotTable slots;
    private final SpareMemory spare;
    private final LoopCounters counters;
    private final Set<Integer> endTokens;
    private final Consumer<TextSequence> ended;
    private final LongSupplier clock;
    private final ChunkSize chunkSize;
    private final float[] logits;
    private final Candidates candidates = new Candidates();
    private final SpeculationGain gain = new SpeculationGain();
    private final int draftTokens;
    private final PrefixCache prefixes;
    private boolean closed;

    /**
     * @param clock nanoseconds from any origin
     * @param ended told of each sequence that gets no more tokens
     */
    StepRunner(
            Decoder decoder,
            Drafts drafts,
            LoopSettings settings,
            SpareMemory spare,
            LoopCounters counters,
            LongSupplier clock,
            Consumer<TextSequence> ended) {
        this.decoder = decoder;
        this.drafts = drafts;
        this.spare = spare;
        this.counters = counters;
        this.clock = clock;
        this.ended = ended;
        this.prefixes = new PrefixCache(settings.prefixTokens());
        this.chunkSize = new ChunkSize(settings.chunks());
        this.endTokens = settings.endTokens();
        this.draftTokens = settings.draftTokens();
        this.slots = new SlotTable(settings.limits().sequences() + 1);
        this.logits = new float[settings.vocabulary()];
    }

    List<TextSequence> running() {
        return slots.sequences();
    }

    /** Most prompt tokens that the next step should read. */
    int chunk() {
        return chunkSize.tokens(running().stream().anyMatch(one -> !one.isReading()));
    }

    /** Measured time to read a token of a prompt; 0 before the first. */
    double nanosPerToken() {
        return chunkSize.nanosPerToken();
    }

    List<SequenceLoad> loads() {
        return running().stream().map(TextSequence::load).toList();
    }

    /** Takes a sequence out of its slot, so that it can go on later with the same text. */
    TextSequence preempt(long id) {
        TextSequence sequence = slots.get(id);
        spare.save(sequence, slots.slot(sequence), decoder);
        slots.remove(sequence);
        drafts.release(sequence);
        counters.preempted();
        return sequence;
    }

    /** Puts a sequence into a slot where it will not be in the way of those that decode. */
    void admit(TextSequence sequence, Step step) {
        boolean decodesAtOnce = !sequence.isReading()
                || step.chunks().contains(new Chunk(sequence.id, sequence.prompt() - sequence.kept));
        int slot = slots.place(sequence, decodesAtOnce ? 0 : step.decode().size());
        spare.restore(sequence, slot, decoder);
        if (sequence.kept == 0) {
            sequence.kept = prefixes.restore(sequence, slot, decoder);
            int cached = Math.max(0, sequence.kept - sequence.readElsewhere);
            sequence.cached = sequence.tokens() == sequence.prompt() ? cached : sequence.cached;
            counters.cached(cached);
        }
    }

    void cancelled() {
        for (TextSequence sequence : running()) {
            if (sequence.events.isCancelled()) {
                free(sequence);
                sequence.finish(FinishReason.CANCELLED);
            }
        }
    }

    void run(Step step) {
        step.chunks().forEach(this::read);
        int count = slots.compact(sequence -> !sequence.isReading(), decoder);
        if (count > 0 && !speculate(count)) {
            decode(count);
        }
        count();
    }

    /** Whether the step that decodes was done with draft tokens. */
    private boolean speculate(int count) {
        if (draftTokens == 0 || count > SpeculationGain.MOST_TEXTS) {
            return false;
        }
        SpeculativeStep step = SpeculativeStep.of(slots.first(count), drafts, draftTokens);
        if (!step.pays(gain)) {
            return false;
        }
        long start = clock.getAsLong();
        step.runs().forEach(this::verify);
        chunkSize.decoded(clock.getAsLong() - start);
        return true;
    }

    private void verify(SpeculativeStep.Run run) {
        TextSequence sequence = run.sequence();
        long start = clock.getAsLong();
        int[] draft = run.drafted();
        decoder.verify(slots.slot(sequence), sequence.kept, run.tokens(draft));
        if (draft.length > 0) {
            gain.speculative(clock.getAsLong() - start);
        }
        sequence.kept++;
        if (!sequence.isComputed()) {
            return;
        }
        int accepted = 0;
        boolean goesOn = choose(sequence, 0);
        while (goesOn && accepted < draft.length && sequence.token(sequence.kept) == draft[accepted]) {
            accepted++;
            // What follows the draft token was computed with it.
            sequence.kept++;
            goesOn = choose(sequence, accepted);
        }
        if (draft.length > 0) {
            sequence.perDraft.add(1.0 + accepted);
            counters.drafted(draft.length, accepted);
        }
    }

    private void count() {
        List<TextSequence> running = running();
        counters.running(running.size());
        counters.kept(running.stream()
                .mapToLong(one -> ScheduleLimits.charged(one.kept))
                .sum());
    }

    private void read(Chunk chunk) {
        TextSequence sequence = slots.get(chunk.id());
        boolean last = sequence.kept + chunk.tokens() == sequence.tokens();
        long start = clock.getAsLong();
        boolean chooses = last && sequence.export().isEmpty();
        decoder.prefill(slots.slot(sequence), sequence.kept, sequence.next(chunk.tokens()), chooses);
        chunkSize.read(chunk.tokens(), clock.getAsLong() - start);
        sequence.kept += chunk.tokens();
        counters.read(chunk.tokens());
        if (!sequence.isReading()) {
            prefixes.store(sequence, slots.slot(sequence), decoder);
        }
        if (chooses) {
            choose(sequence, 0);
        } else if (last) {
            sequence.export().ifPresent(export -> export(sequence, export));
        }
    }

    private void export(TextSequence sequence, PrefixExport export) {
        List<PrefixBlock> blocks = prefixes.hold(sequence, export.first());
        export.take(
                blocks.stream().map(block -> block.tokens().bytes()).toList(),
                () -> blocks.forEach(PrefixBlock::release));
        free(sequence);
        sequence.finish(FinishReason.STOP);
    }

    private void decode(int count) {
        int rows = Math.max(count, decoder.leastRows());
        int[] tokens = new int[rows];
        int[] lengths = new int[rows];
        for (int slot = 0; slot < rows; slot++) {
            TextSequence sequence = slots.at(slot);
            // A row beyond those that decode writes after what its slot holds, where its own next token will be.
            lengths[slot] = sequence == null ? 0 : sequence.kept;
            tokens[slot] = sequence == null ? 0 : sequence.token(sequence.kept);
        }
        long start = clock.getAsLong();
        decoder.decode(tokens, lengths);
        long nanos = clock.getAsLong() - start;
        chunkSize.decoded(nanos);
        gain.plain(count, nanos);
        for (int slot = 0; slot < count; slot++) {
            TextSequence sequence = slots.at(slot);
            sequence.kept++;
            if (sequence.isComputed()) {
                choose(sequence, slot);
            }
        }
    }

    /** Whether the text goes on. */
    private boolean choose(TextSequence sequence, int row) {
        decoder.logits(row, logits);
        return switch (sequence.sampler.choose(logits, candidates)) {
            case Choice.Chosen(var token) -> {
                counters.generated(1);
                sequence.times.token(clock.getAsLong());
                counters.latencies().chosen(sequence.times);
                boolean ends = endTokens.contains(token.id()) && !sequence.ignoresEnd();
                Optional<FinishReason> complete = ends ? Optional.of(sequence.end()) : sequence.add(token);
                complete.ifPresent(reason -> {
                    counters.latencies().completed(sequence.times);
                    // First, for whoever learns of the end may ask for more at once.
                    free(sequence);
                    sequence.finish(reason);
                });
                yield complete.isEmpty();
            }
            case Choice.NotFinite() -> {
                free(sequence);
                sequence.fail(
                        GenerationFailure.Kind.NOT_FINITE,
                        "the model computed probabilities that are no numbers; change the prompt or logit_bias, and see whether the model's weights are finite");
                yield false;
            }
        };
    }

    private void free(TextSequence sequence) {
        decoder.release(slots.slot(sequence));
        slots.remove(sequence);
        drafts.release(sequence);
        count();
        ended.accept(sequence);
    }

    PrefixCache prefixes() {
        return prefixes;
    }

    /** To reserve memory only. */
    Decoder decoder() {
        return decoder;
    }

    /** Runs of the decoder. */
    long runs() {
        return decoder.runs();
    }

    /** Closes the decoder and what drafts, once. */
    @Override
    public void close() {
        if (!closed) {
            closed = true;
            prefixes.close();
            drafts.close();
            decoder.close();
        }
    }

    /** Takes all sequences out of their slots, whose contents are lost. */
    List<TextSequence> abandon() {
        List<TextSequence> all = running();
        slots.clear();
        return all;
    }
}
