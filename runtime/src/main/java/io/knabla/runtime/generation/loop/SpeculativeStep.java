package io.knabla.runtime.generation.loop;

import io.knabla.runtime.schedule.MovingAverage;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** A step in which each text gets a run of its own, with the draft tokens that may follow. */
record SpeculativeStep(List<Run> runs) {
    /** @param draft computes tokens after the sequence's last one; they may be none */
    record Run(TextSequence sequence, Optional<Supplier<int[]>> draft) {
        /** Of the draft; to be called once, for it may take long. */
        int[] drafted() {
            return draft.map(Supplier::get).orElseGet(() -> new int[0]);
        }

        /** The sequence's last token, and the draft. */
        int[] tokens(int[] draft) {
            int[] all = new int[1 + draft.length];
            all[0] = sequence.token(sequence.kept);
            System.arraycopy(draft, 0, all, 1, draft.length);
            return all;
        }

        boolean hasDraft() {
            return draft.isPresent();
        }
    }

    /** @param most tokens of a draft */
    static SpeculativeStep of(List<TextSequence> sequences, Drafts drafts, int most) {
        return new SpeculativeStep(sequences.stream()
                .map(sequence -> new Run(sequence, drafts.draft(sequence, most)))
                .toList());
    }

    /** The first draft of each text is tried, for texts and what else the machine does change. */
    boolean pays(SpeculationGain gain) {
        List<MovingAverage> drafts = runs.stream()
                .filter(Run::hasDraft)
                .map(run -> run.sequence.perDraft)
                .toList();
        if (drafts.stream().anyMatch(text -> !text.isKnown())) {
            return gain.isMeasured(runs.size());
        }
        double tokens = runs.size()
                - drafts.size()
                + drafts.stream().mapToDouble(text -> text.or(1)).sum();
        return gain.pays(runs.size(), drafts.size(), tokens);
    }
}
