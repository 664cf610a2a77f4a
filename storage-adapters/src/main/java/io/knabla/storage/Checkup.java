package io.knabla.storage;

import java.util.List;
import java.util.function.Supplier;

/**
 * Diagnostic checks that an adapter offers beyond {@link ObjectStore}: connectivity and server capabilities, for
 * people.
 */
public interface Checkup {
    /** Checks the connection to the store, in the order of repair: a failed check blocks the later ones. */
    List<Check> connectivity();

    /**
     * Checks what the server supports, on objects below {@code scratch}; every check deletes its objects.
     *
     * @param scratch a key that nothing else uses
     */
    List<Check> capabilities(ObjectKey scratch);

    /** One check; {@code run} may take seconds. */
    record Check(String name, Supplier<Answer> run) {}

    /** @param fix what to do; "" if nothing needs to be done */
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

    /** How well Knabla works with the result: fully, with a drawback, or not at all. */
    enum Grade {
        GOOD,
        POOR,
        BAD
    }
}
