package io.knabla.runtime.generation.loop;

import java.util.ArrayList;
import java.util.List;

/** A step in which each text gets a run of its own, with what is guessed to follow. */
record GuessedStep(List<Run> runs) {
    /** @param guess of the tokens after the sequence's last one; may be empty */
    record Run(TextSequence sequence, int[] guess) {
        /** The sequence's last token, and the guess. */
        int[] tokens() {
            int[] all = new int[1 + guess.length];
            all[0] = sequence.token(sequence.kept);
            System.arraycopy(guess, 0, all, 1, guess.length);
            return all;
        }
    }

    /** @param most tokens of a guess */
    static GuessedStep of(List<TextSequence> sequences, int most) {
        List<Run> runs = new ArrayList<>();
        sequences.forEach(sequence -> runs.add(new Run(sequence, sequence.guess(most))));
        return new GuessedStep(List.copyOf(runs));
    }

    /** The first guess of each text is tried, for texts and what else the machine does change. */
    boolean pays(GuessGain gain) {
        List<Run> guesses = runs.stream().filter(run -> run.guess.length > 0).toList();
        if (guesses.stream().anyMatch(run -> !run.sequence.perGuess.isKnown())) {
            return gain.isMeasured(runs.size());
        }
        double tokens = runs.size()
                - guesses.size()
                + guesses.stream()
                        .mapToDouble(run -> run.sequence.perGuess.or(1))
                        .sum();
        return gain.pays(runs.size(), guesses.size(), tokens);
    }
}
