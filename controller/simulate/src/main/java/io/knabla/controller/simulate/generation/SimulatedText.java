package io.knabla.controller.simulate.generation;

import io.knabla.runtime.schedule.SequenceLoad;

/**
 * A text that simulated replicas generate: how many of its tokens are computed, and when they came. Times are
 * nanoseconds.
 */
final class SimulatedText {
    final long id;
    final int prompt;
    final long arrival;
    private final int wanted;

    /** When it comes to the replica that computes it next. */
    long ready;

    /** Tokens whose keys and values are computed. */
    int kept;

    boolean started;
    private int chosen;
    private long first;
    private long last;
    private long waited;
    private long due;

    /** @param id ascending by arrival */
    SimulatedText(long id, TextRequest request, Objectives objectives) {
        this.id = id;
        this.prompt = request.prompt();
        this.wanted = request.generated();
        this.arrival = Math.round(request.arrival() * 1e9);
        this.ready = arrival;
        this.due = arrival + objectives.ttft().toNanos();
    }

    SequenceLoad load() {
        return new SequenceLoad(id, prompt, prompt + chosen, kept, wanted - chosen);
    }

    boolean isReading() {
        return kept < prompt;
    }

    /** Whether the next token can be chosen: not while an interrupted text is computed again. */
    boolean isComputed() {
        return kept == prompt + chosen;
    }

    boolean isComplete() {
        return chosen == wanted;
    }

    /** A token is chosen now. A reader takes one in each time of the objective, and waits for those that come late. */
    void choose(long now, Objectives objectives) {
        if (chosen++ == 0) {
            first = now;
        }
        last = now;
        waited += Math.max(0, now - due);
        due = Math.max(now, due) + objectives.tpot().toNanos();
    }

    boolean keepsFirst(Objectives objectives) {
        return isComplete() && first - arrival <= objectives.ttft().toNanos();
    }

    boolean keepsNext(Objectives objectives) {
        return isComplete() && last - first <= (wanted - 1) * objectives.tpot().toNanos();
    }

    boolean keeps(Objectives objectives) {
        return keepsFirst(objectives) && keepsNext(objectives);
    }

    /** Tokens, less those that were due while their reader waited. */
    double smooth(Objectives objectives) {
        return isComplete() ? wanted - (double) waited / objectives.tpot().toNanos() : 0;
    }

    long end() {
        return last;
    }
}
