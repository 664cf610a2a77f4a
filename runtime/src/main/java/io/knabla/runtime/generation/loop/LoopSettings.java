package io.knabla.runtime.generation.loop;

import io.knabla.functions.unit.generation.GenerationSettings;
import io.knabla.runtime.schedule.ChunkSize;
import io.knabla.runtime.schedule.ScheduleLimits;
import java.time.Duration;
import java.util.Set;

/**
 * Memory, waiting time and scheduling limits of the engine loop.
 *
 * @param spareTokens whose keys and values are kept for interrupted sequences
 * @param prefixTokens whose keys and values are kept for prompts with the same beginning
 * @param draftTokens most tokens of a draft; 0 for no speculation
 * @param maxWait longest time that a sequence waits for its first slot
 */
record LoopSettings(
        ScheduleLimits limits,
        ChunkSize.Limits chunks,
        int vocabulary,
        long spareTokens,
        long prefixTokens,
        int draftTokens,
        Duration maxWait,
        Set<Integer> endTokens) {
    /** Larger chunks are not read faster, and need more memory. */
    private static final int MOST_CHUNK = 512;

    /** Between two tokens of a text without an objective, 20 a second: as fast as one reads. */
    private static final Duration STEP = Duration.ofMillis(50);

    /** Few, for a text that is longer is only interrupted. */
    private static final int FORECAST = 128;

    /** Of the memory for keys and values, for those of interrupted sequences: a replica's memory has room for it. */
    private static final int SPARE_PART = 8;

    /** @throws IllegalArgumentException if the memory does not hold one whole context */
    static LoopSettings of(GenerationSettings settings) {
        int context = settings.limits().contextLength();
        checkRegion(settings);
        long kept = settings.limits().tokens(settings.bytesPerToken());
        if (ScheduleLimits.charged(context) > kept) {
            throw new IllegalArgumentException(
                    "kvCache.maxBytes is %d, less than a context of %d tokens with %d bytes each; raise it, or lower contextLength"
                            .formatted(settings.limits().kvCacheBytes(), context, settings.bytesPerToken()));
        }
        long prefixes = settings.limits().prefixTokens(settings.bytesPerToken());
        return new LoopSettings(
                new ScheduleLimits(settings.limits().maxSequences(), kept - prefixes, FORECAST),
                new ChunkSize.Limits(
                        MOST_CHUNK, settings.objectives().timePerOutputToken().orElse(STEP)),
                settings.shape().vocabulary(),
                kept / SPARE_PART,
                prefixes,
                settings.speculation().mostTokens(),
                Duration.ofMillis(settings.limits().maxWaitMillis()),
                Set.copyOf(settings.endTokens()));
    }

    /** Keys of all slots of a layer are one tensor of the engine. */
    private static void checkRegion(GenerationSettings settings) {
        long perToken = settings.bytesPerToken() / (2L * settings.shape().layers());
        long most = Integer.MAX_VALUE / perToken;
        long tokens =
                (settings.limits().maxSequences() + 1L) * settings.limits().contextLength();
        if (tokens > most) {
            throw new IllegalArgumentException(
                    "maxSequences of %d, and one more, times contextLength of %d tokens is above %d, the most for this model; lower one of them"
                            .formatted(
                                    settings.limits().maxSequences(),
                                    settings.limits().contextLength(),
                                    most));
        }
    }
}
