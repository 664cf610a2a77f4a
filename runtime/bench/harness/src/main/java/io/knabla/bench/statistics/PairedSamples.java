package io.knabla.bench.statistics;

import java.util.ArrayList;
import java.util.List;

/**
 * Paired measurements of a subject and its reference, one pair per round. A machine drifts between rounds far more than
 * within one, so quotients are taken per round and then summarised.
 */
public final class PairedSamples {
    private final List<Double> subject = new ArrayList<>();
    private final List<Double> reference = new ArrayList<>();

    public void add(double subjectValue, double referenceValue) {
        if (!(subjectValue > 0 && referenceValue > 0)) {
            throw new IllegalArgumentException(
                    "a ratio needs two positive values, got %s and %s".formatted(subjectValue, referenceValue));
        }
        subject.add(subjectValue);
        reference.add(referenceValue);
    }

    public int rounds() {
        return subject.size();
    }

    public Samples subject() {
        return Samples.of(subject);
    }

    public Samples reference() {
        return Samples.of(reference);
    }

    /** One quotient per round, subject divided by reference. */
    public Samples ratios() {
        double[] ratios = new double[rounds()];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = subject.get(i) / reference.get(i);
        }
        return new Samples(ratios);
    }
}
