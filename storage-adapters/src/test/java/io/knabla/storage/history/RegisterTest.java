package io.knabla.storage.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.knabla.storage.history.Call.Outcome;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Tests the checker on small histories, and against exhaustive search on random ones. */
class RegisterTest {
    @Test
    void anEmptyHistoryIsLinearizable() {
        assertThat(LinearizabilityChecker.check("0", List.of())).isEqualTo(new Verdict.Linearizable(List.of()));
    }

    @Test
    void acceptsAnyOrderOfOverlappingOperations() {
        Operation read = read("1", 0, 10);
        Operation swap = swap("0", "1", Outcome.WON, 5, 15);

        assertThat(LinearizabilityChecker.check("0", List.of(read, swap)))
                .isEqualTo(new Verdict.Linearizable(List.of(swap, read)));
    }

    @Test
    void rejectsStaleReads() {
        refused("0", swap("0", "1", Outcome.WON, 0, 10), read("0", 11, 20));
    }

    @Test
    void rejectsReadsOfFutureValues() {
        refused("0", read("1", 0, 10), swap("0", "1", Outcome.WON, 11, 20));
    }

    @Test
    void rejectsTwoSuccessfulSwapsOfOneValue() {
        refused("0", swap("0", "1", Outcome.WON, 0, 10), swap("0", "2", Outcome.WON, 0, 10));
        accepted("0", swap("0", "1", Outcome.WON, 0, 10), swap("0", "2", Outcome.LOST, 0, 10));
    }

    @Test
    void rejectsALostSwapWithoutAnotherWriter() {
        refused("0", swap("0", "1", Outcome.LOST, 0, 10));
    }

    @Test
    void rejectsReadsThatGoBack() {
        Operation swap = swap("0", "1", Outcome.WON, 0, 100);
        accepted("0", swap, read("0", 10, 20), read("1", 30, 40));
        refused("0", swap, read("1", 10, 20), read("0", 30, 40));
    }

    @Test
    void unansweredCallTakesEffectOnceOrNever() {
        Operation unknown = swap("0", "1", Outcome.UNKNOWN, 0, 10);
        accepted("0", unknown);
        accepted("0", unknown, read("0", 20, 30));
        accepted("0", unknown, read("1", 20, 30));
        accepted("0", unknown, read("0", 20, 30), read("1", 40, 50));
        refused("0", unknown, read("1", 20, 30), read("0", 40, 50));
        refused("0", swap("0", "1", Outcome.UNKNOWN, 25, 26), read("1", 10, 20));
        refused("0", unknown, swap("1", "0", Outcome.WON, 20, 30), read("1", 40, 50), read("0", 60, 70));
        accepted("0", write("1", Outcome.UNKNOWN, 0, 1), read("0", 5, 6), read("1", 7, 8));
        refused("0", write("1", Outcome.UNKNOWN, 0, 1), read("1", 5, 6), read("0", 7, 8));
    }

    @Test
    void writeMakesASwapOfTheOldValueFail() {
        Operation write = write("9", Outcome.WON, 0, 10);
        accepted("0", write, swap("0", "1", Outcome.LOST, 20, 30), read("9", 40, 50));
        refused("0", write, swap("0", "1", Outcome.WON, 20, 30));
    }

    @Test
    void acceptsRecurringValues() {
        accepted(
                "0",
                swap("0", "1", Outcome.WON, 0, 100),
                swap("1", "0", Outcome.WON, 0, 100),
                swap("0", "1", Outcome.WON, 0, 100),
                read("0", 50, 60),
                read("1", 110, 120));
    }

    @Test
    void reportsWhereNoOrderExists() {
        Operation lie = read("7", 30, 40);
        assertThat(LinearizabilityChecker.check(
                        "0", List.of(swap("0", "1", Outcome.WON, 0, 10), read("1", 12, 14), lie, read("1", 50, 60))))
                .isEqualTo(new Verdict.Impossible(2, "1", List.of(lie)));
    }

    @Test
    void agreesWithExhaustiveSearch() {
        var random = new Random(20_261_121);
        int[] verdicts = new int[2];
        for (int i = 0; i < 20_000; i++) {
            List<Operation> history = anything(random);
            boolean expected = someOrderFits("0", history);
            assertThat(LinearizabilityChecker.check("0", history) instanceof Verdict.Linearizable)
                    .as("%s", history)
                    .isEqualTo(expected);
            verdicts[expected ? 1 : 0]++;
        }
        assertThat(verdicts[0]).isGreaterThan(2_000);
        assertThat(verdicts[1]).isGreaterThan(2_000);
    }

    @Test
    void findsTheOneWrongResultInALongHistory() {
        var random = new Random(7);
        List<Operation> history = chain(random, 20_000);
        assertThat(LinearizabilityChecker.check("0", history)).isInstanceOf(Verdict.Linearizable.class);

        int at = 10_000;
        while (!(history.get(at).call() instanceof Call.Swap s && s.outcome() == Outcome.LOST)) {
            at++;
        }
        Call.Swap lost = (Call.Swap) history.get(at).call();
        List<Operation> lie = new ArrayList<>(history);
        Operation honest = history.get(at);
        lie.set(
                at,
                new Operation(
                        "liar",
                        new Call.Swap(lost.expected(), lost.wanted(), Outcome.WON),
                        honest.invoked(),
                        honest.returned()));
        assertThat(LinearizabilityChecker.check("0", lie)).isInstanceOf(Verdict.Impossible.class);
    }

    @Test
    void rejectsInvalidHistories() {
        assertThatThrownBy(() -> read("0", 5, 4)).hasMessageContaining("before it was invoked");
        assertThatThrownBy(() -> write("0", Outcome.LOST, 5, 6)).hasMessageContaining("cannot lose");
    }

    /** A history of four clients on a correct register; one response in fifty is lost. */
    private static List<Operation> chain(Random random, int operations) {
        long[] free = new long[4];
        List<Operation> history = new ArrayList<>();
        String value = "0";
        String stale = "none";
        long now = 0;
        for (int i = 1; i <= operations; i++) {
            int client = random.nextInt(free.length);
            now = Math.max(now + 1, free[client] + 1);
            long invoked = Math.max(free[client], now - random.nextInt(50));
            long returned = now + random.nextInt(50);
            free[client] = returned + 1;
            boolean wins = random.nextBoolean();
            String wanted = "v" + i;
            Outcome outcome = random.nextInt(50) == 0 ? Outcome.UNKNOWN : wins ? Outcome.WON : Outcome.LOST;
            history.add(swap(wins ? value : stale, wanted, outcome, invoked, returned));
            if (wins && !(outcome == Outcome.UNKNOWN && random.nextBoolean())) {
                stale = value;
                value = wanted;
            }
        }
        return history;
    }

    private static List<Operation> anything(Random random) {
        List<Operation> history = new ArrayList<>();
        int size = 1 + random.nextInt(5);
        for (int i = 0; i < size; i++) {
            long invoked = random.nextInt(20);
            long returned = invoked + random.nextInt(20);
            String one = "" + random.nextInt(3);
            String other = "" + random.nextInt(3);
            Outcome any = Outcome.values()[random.nextInt(3)];
            history.add(
                    switch (random.nextInt(4)) {
                        case 0 -> read(one, invoked, returned);
                        case 1 -> write(one, any == Outcome.LOST ? Outcome.WON : any, invoked, returned);
                        default -> swap(one, other, any, invoked, returned);
                    });
        }
        return history;
    }

    /** The definition of linearizability: tries every subset of the unknown operations and every permutation. */
    private static boolean someOrderFits(String value, List<Operation> left) {
        if (left.stream().noneMatch(Operation::isKnown)) {
            return true;
        }
        return left.stream()
                .filter(next -> left.stream().filter(Operation::isKnown).noneMatch(o -> o.returned() < next.invoked()))
                .filter(next -> next.isPossibleAt(value))
                .anyMatch(next -> {
                    List<Operation> rest = new ArrayList<>(left);
                    rest.remove(next);
                    return someOrderFits(next.after(value), rest);
                });
    }

    private static void accepted(String initial, Operation... history) {
        assertThat(LinearizabilityChecker.check(initial, Arrays.asList(history)))
                .isInstanceOf(Verdict.Linearizable.class);
    }

    private static void refused(String initial, Operation... history) {
        assertThat(LinearizabilityChecker.check(initial, Arrays.asList(history)))
                .isInstanceOf(Verdict.Impossible.class);
    }

    private static Operation read(String found, long invoked, long returned) {
        return new Operation("reader", new Call.Read(found), invoked, returned);
    }

    private static Operation swap(String expected, String wanted, Outcome outcome, long invoked, long returned) {
        return new Operation("swapper", new Call.Swap(expected, wanted, outcome), invoked, returned);
    }

    private static Operation write(String value, Outcome outcome, long invoked, long returned) {
        return new Operation("writer", new Call.Write(value, outcome), invoked, returned);
    }
}
