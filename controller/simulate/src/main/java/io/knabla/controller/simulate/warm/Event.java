package io.knabla.controller.simulate.warm;

/**
 * Something that happens at a time of a replay. At one time, ends come first, so that a request can follow on the same
 * replica; releases come last, so that a request at the very end of a window is warm.
 *
 * @param stamp of what the event is about; it is void if that has changed since
 */
record Event(long time, Kind kind, long sequence, SimulatedFunction function, Replica replica, long stamp)
        implements Comparable<Event> {
    enum Kind {
        END,
        PRE_WARM,
        ARRIVAL,
        REVIEW,
        RELEASE
    }

    @Override
    public int compareTo(Event other) {
        if (time != other.time) {
            return Long.compare(time, other.time);
        }
        return kind != other.kind ? kind.compareTo(other.kind) : Long.compare(sequence, other.sequence);
    }
}
