package io.knabla.controller.simulate.generation;

import io.knabla.runtime.schedule.ChunkSize;
import io.knabla.runtime.schedule.Scheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** How many prompt tokens a step reads beside the sequences that decode. */
public sealed interface ChunkPolicy {
    /** Those that are compared where none is named. */
    List<ChunkPolicy> USUAL =
            List.of(new Whole(), new Fixed(2048), new Fixed(512), new Fixed(128), new Objective(Objective.MOST));

    /** What {@link #parse} reads, for messages. */
    String FORMS = "Whole, Fixed:TOKENS, Objective, Objective:TOKENS or Split:READERS+DECODERS";

    /** Reads whole prompts, all that were admitted, before the next tokens. */
    record Whole() implements ChunkPolicy {
        @Override
        public String toString() {
            return "Whole";
        }
    }

    /** Reads the same number of tokens in each step. */
    record Fixed(int tokens) implements ChunkPolicy {
        @Override
        public String toString() {
            return "Fixed:" + tokens;
        }
    }

    /**
     * Reads what the objective of the time for each token leaves room for, as replicas do.
     *
     * @param most tokens of a step
     */
    record Objective(int most) implements ChunkPolicy {
        /** A larger part of a prompt is hardly read faster by a large GPU. */
        static final int MOST = 2048;

        @Override
        public String toString() {
            return most == MOST ? "Objective" : "Objective:" + most;
        }
    }

    /**
     * Some replicas read prompts, whole, and others make the texts from the keys and values that they are sent.
     *
     * @param readers replicas of each group that read prompts; 1 or more
     * @param decoders replicas of each group that make texts; 1 or more
     */
    record Split(int readers, int decoders) implements ChunkPolicy {
        /** Replicas of a group. */
        public int size() {
            return readers + decoders;
        }

        @Override
        public String toString() {
            return "Split:%d+%d".formatted(readers, decoders);
        }
    }

    /** The rule of a replica that begins: the one that production uses, within limits that make it the policy. */
    default ChunkSize begin(Objectives objectives) {
        return new ChunkSize(
                switch (this) {
                    case Whole() -> unbound(Integer.MAX_VALUE);
                    case Fixed(int tokens) -> unbound(tokens);
                    case Objective(int most) -> new ChunkSize.Limits(most, objectives.tpot());
                    case Split _ -> unbound(Integer.MAX_VALUE);
                });
    }

    private static ChunkSize.Limits unbound(int most) {
        return new ChunkSize.Limits(most, Duration.ofDays(365));
    }

    /** Empty if a text is none of {@link #FORMS}, or a number in it is out of bounds. */
    static Optional<ChunkPolicy> parse(String text) {
        if (text.equals("Whole")) {
            return Optional.of(new Whole());
        }
        if (text.equals("Objective")) {
            return Optional.of(new Objective(Objective.MOST));
        }
        Matcher one = Pattern.compile("(Fixed|Objective):(\\d{1,6})").matcher(text);
        if (one.matches()) {
            int tokens = Integer.parseInt(one.group(2));
            return Optional.of(tokens)
                    .filter(number -> number >= Scheduler.LEAST_CHUNK)
                    .map(number -> one.group(1).equals("Fixed") ? new Fixed(number) : new Objective(number));
        }
        Matcher two = Pattern.compile("Split:([1-9]\\d{0,2})\\+([1-9]\\d{0,2})").matcher(text);
        return two.matches()
                ? Optional.of(new Split(Integer.parseInt(two.group(1)), Integer.parseInt(two.group(2))))
                : Optional.empty();
    }
}
