package io.knabla.storage.thorough;

/** Counts repetitions of random tests: few by default, all in {@code ./knabla test thorough}. */
public final class Thorough {
    private static final int FRACTION = 5;
    private static final int FEW = 15;

    private Thorough() {}

    /** @param property system property that overrides both counts, such as {@code knabla.kills} */
    public static int count(String property, int few, int all) {
        return Integer.getInteger(property, wanted() ? all : few);
    }

    /** Reduces the tries of a property to a fifth, but never below fifteen: expensive properties have few already. */
    static int tries(int all) {
        return wanted() ? all : Math.min(all, Math.max(FEW, all / FRACTION));
    }

    private static boolean wanted() {
        return Boolean.getBoolean("knabla.thorough");
    }
}
