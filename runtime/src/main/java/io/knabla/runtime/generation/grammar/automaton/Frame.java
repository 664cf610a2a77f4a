package io.knabla.runtime.generation.grammar.automaton;

/** State to return to, on top of others. Immutable. */
final class Frame {
    final int state;

    /** Null at the bottom. */
    final Frame below;

    final int depth;
    private final int hash;

    Frame(int state, Frame below) {
        this.state = state;
        this.below = below;
        this.depth = depthOf(below) + 1;
        this.hash = 31 * (below == null ? 7 : below.hash) + state;
    }

    static int depthOf(Frame top) {
        return top == null ? 0 : top.depth;
    }

    @Override
    public boolean equals(Object other) {
        Frame mine = this;
        Frame its = other instanceof Frame frame ? frame : null;
        while (mine != its) {
            if (mine == null || its == null || mine.hash != its.hash || mine.state != its.state) {
                return false;
            }
            mine = mine.below;
            its = its.below;
        }
        return true;
    }

    @Override
    public int hashCode() {
        return hash;
    }
}
