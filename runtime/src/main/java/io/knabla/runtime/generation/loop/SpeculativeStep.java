package io.knabla.runtime.generation.loop;

import io.knabla.runtime.schedule.MovingAverage;
import java.util.List;

/** A step in which each text gets a run of its own, with the draft tokens that may follow. */
record SpeculativeStep(List<Run> runs) {
    /** @param draft tokens after the sequence's last one; may be empty */
    record Run(TextSequence sequence, int[] draft) {
        /** The sequence's last token, and the draft. */
        int[] tokens() {
            int[] all = new int[1 + draft.length];
            all[0] = sequence.token(sequence.kept);
            System.arraycopy(draft, 0, all, 1, draft.length);
            return all;
        }

        boolean hasDraft() {
            return draft.length > 0;
        }
    }

    /** @param most tokens of a draft */
    static SpeculativeStep of(List<TextSequence> sequences, int most) {
        return new SpeculativeStep(sequences.stream()
                .map(sequence -> new Run(sequence, sequence.draft(most)))
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
