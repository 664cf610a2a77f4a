package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.GenerationFailure.Kind;
import io.knabla.runtime.generation.PrefixSource;
import io.knabla.runtime.generation.PrefixSource.Fetched;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Fetches the blocks of prompts that the prefix cache lacks from other replicas, before their sequences wait for a
 * slot. What does not come is read here. Used by the engine's thread alone.
 */
final class PrefixFetches {
    /** After a failure: as long as a replica that was lost is likely to be missing, prompts are read here at once. */
    private static final long PAUSE = Duration.ofSeconds(1).toNanos();

    private final Optional<PrefixSource> source;
    private final Arrivals arrivals;
    private final LoopCounters counters;
    private final LongSupplier clock;
    private final Deque<TextSequence> unasked = new ArrayDeque<>();
    private final Map<TextSequence, PrefixFetch> running = new LinkedHashMap<>();
    private final Set<ByteBuffer> asked = new HashSet<>();
    private int holding;
    private Optional<Long> failed = Optional.empty();

    private enum Next {
        /** The sequence can have a slot. */
        READY,
        /** It comes back by the arrivals. */
        ASKED,
        /** Another sequence's fetch brings the same blocks. */
        SAME,
        /** The cache is full of blocks for others. */
        FULL
    }

    PrefixFetches(Optional<PrefixSource> source, Arrivals arrivals, LoopCounters counters, LongSupplier clock) {
        this.source = source;
        this.arrivals = arrivals;
        this.counters = counters;
        this.clock = clock;
    }

    /**
     * Takes sequences that arrived, or came back, and passes on those for which there is nothing to wait any more.
     *
     * @param isGivenUp those are passed on, whatever they wait for
     */
    void pass(
            List<TextSequence> arrived,
            Predicate<TextSequence> isGivenUp,
            StepRunner runner,
            Consumer<TextSequence> ready) {
        unasked.addAll(arrived);
        boolean full = false;
        for (Iterator<TextSequence> all = unasked.iterator(); all.hasNext(); ) {
            TextSequence one = all.next();
            Next next = isGivenUp.test(one) ? givenUp(one) : next(one, runner, full);
            full = full || next == Next.FULL;
            switch (next) {
                case READY -> {
                    all.remove();
                    ready.accept(one);
                }
                case ASKED -> all.remove();
                case SAME, FULL -> {}
            }
        }
    }

    /** Sequences that wait here, or for a fetch. */
    List<TextSequence> sequences() {
        return Stream.concat(unasked.stream(), running.keySet().stream()).toList();
    }

    /** Whether sequences wait here though no fetch is under way, whose end would be an arrival. */
    boolean canGoOn() {
        return running.isEmpty() && !unasked.isEmpty();
    }

    private Next givenUp(TextSequence one) {
        Optional.ofNullable(running.get(one)).ifPresent(fetch -> finish(one, fetch));
        return Next.READY;
    }

    /** @param full whether one that came before lacks room */
    private Next next(TextSequence one, StepRunner runner, boolean full) {
        PrefixFetch ended = running.get(one);
        if (ended != null) {
            finish(one, ended);
            return Next.READY;
        }
        // What is read for others is read here: two functions may name each other.
        return source.filter(_ -> one.export().isEmpty() && !isPaused())
                .map(reader -> ask(one, reader, runner, full))
                .orElse(Next.READY);
    }

    private boolean isPaused() {
        return failed.filter(since -> clock.getAsLong() - since < PAUSE).isPresent();
    }

    private Next ask(TextSequence one, PrefixSource reader, StepRunner runner, boolean full) {
        PrefixCache cache = runner.prefixes();
        List<PrefixBlock> known = cache.hold(one, 0);
        List<ByteBuffer> lacking = lacking(one, known.size(), cache.most());
        if (lacking.isEmpty()) {
            hold(one, known);
            return Next.READY;
        }
        boolean same = asked.contains(lacking.getFirst());
        Optional<PrefixCache.Room> room = same || full ? Optional.empty() : cache.reserve(lacking.size());
        if (room.isPresent()) {
            begin(one, reader, new PrefixFetch(known, lacking, room.get(), runner.decoder()));
            return Next.ASKED;
        }
        known.forEach(PrefixBlock::release);
        boolean nobodyGivesRoom = running.isEmpty() && holding == 0;
        return same ? Next.SAME : nobodyGivesRoom ? Next.READY : Next.FULL;
    }

    private static List<ByteBuffer> lacking(TextSequence one, int known, long most) {
        List<ByteBuffer> keys = one.prefixKeys().keys();
        return keys.subList(known, Math.max(known, (int) Math.min(most, keys.size())));
    }

    private void begin(TextSequence one, PrefixSource reader, PrefixFetch fetch) {
        running.put(one, fetch);
        asked.addAll(fetch.keys());
        int[] prompt = one.range(0, fetch.promptTokens());
        one.events.onCancel(reader.fetch(prompt, fetch.first(), fetch::reserve, fetched -> ended(one, fetch, fetched)));
    }

    /** On the thread of the source. */
    private void ended(TextSequence one, PrefixFetch fetch, Fetched fetched) {
        fetch.ended(fetched);
        if (!arrivals.back(one)) {
            fetch.abandon();
            arrivals.finished();
            one.fail(Kind.CLOSED, EngineLoop.STOPS);
        }
    }

    private void finish(TextSequence one, PrefixFetch fetch) {
        running.remove(one);
        fetch.keys().forEach(asked::remove);
        hold(one, fetch.store());
        one.readElsewhere = fetch.tokens();
        counters.fetched(one.readElsewhere);
        if (fetch.hasFailed() && !one.events.isCancelled()) {
            counters.fetchFailed();
            failed = Optional.of(clock.getAsLong());
        }
    }

    /** Keeps blocks of its prompt in the cache until the sequence has a slot. */
    private void hold(TextSequence one, List<PrefixBlock> blocks) {
        one.held = blocks;
        holding++;
    }

    /** Ends the hold on what came for a sequence, if anything did. */
    void release(TextSequence one) {
        if (one.held != null) {
            one.held.forEach(PrefixBlock::release);
            one.held = null;
            holding--;
        }
    }

    /** Ends fetches that run, of which the source tells as of others. */
    void close() {
        source.ifPresent(PrefixSource::close);
    }
}
