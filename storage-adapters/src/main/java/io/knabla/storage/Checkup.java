package io.knabla.storage;

import java.util.List;
import java.util.function.Supplier;

/** What an adapter can find out about the server behind it, beyond what the port shows; for people. */
public interface Checkup {
    /** The way to the store, in the order in which a person would repair: a bad one blocks the rest. */
    List<Check> way();

    /**
     * What the server can do, tried on objects below {@code scratch}; every check takes its own away.
     *
     * @param scratch a key that nothing else uses
     */
    List<Check> abilities(ObjectKey scratch);

    /** One question; asking may take seconds. */
    record Check(String name, Supplier<Answer> ask) {}

    /** @param fix what to do; "" where nothing is to be done */
    record Answer(Grade grade, String found, String fix) {
        public static Answer good(String found) {
            return new Answer(Grade.GOOD, found, "");
        }

        public static Answer poor(String found, String fix) {
            return new Answer(Grade.POOR, found, fix);
        }

        public static Answer bad(String found, String fix) {
            return new Answer(Grade.BAD, found, fix);
        }
    }

    /** Whether Knabla works with what was found. */
    enum Grade {
        GOOD,
        POOR,
        BAD
    }
}
