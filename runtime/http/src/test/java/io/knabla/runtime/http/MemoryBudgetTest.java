package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.http.MemoryBudget.Reservation;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;

class MemoryBudgetTest {
    private final MemoryBudget budget = new MemoryBudget(100);

    @Test
    void oneAddressHoldsHalfAtMost() throws Exception {
        InetAddress first = address(1);
        assertThat(budget.reserve(first, 50)).isEqualTo(Reservation.HELD);
        assertThat(budget.reserve(first, 1)).isEqualTo(Reservation.SHARE_EXHAUSTED);
        assertThat(budget.held()).isEqualTo(50);
        assertThat(budget.reserve(address(2), 50)).isEqualTo(Reservation.HELD);
        assertThat(budget.reserve(address(3), 1)).isEqualTo(Reservation.EXHAUSTED);
    }

    @Test
    void programsOnThisMachineMayHoldAll() {
        InetAddress local = InetAddress.getLoopbackAddress();
        assertThat(budget.reserve(local, 100)).isEqualTo(Reservation.HELD);
        assertThat(budget.reserve(local, 1)).isEqualTo(Reservation.EXHAUSTED);
        budget.release(local, 100);
        assertThat(budget.held()).isZero();
    }

    @Test
    void whatIsReleasedCanBeReservedAgain() throws Exception {
        InetAddress first = address(1);
        budget.reserve(first, 30);
        budget.reserve(first, 20);
        budget.release(first, 20);
        assertThat(budget.reserve(first, 20)).isEqualTo(Reservation.HELD);
        budget.release(first, 50);
        assertThat(budget.reserve(first, 50)).isEqualTo(Reservation.HELD);
        assertThat(budget.held()).isEqualTo(50);
    }

    /** Addresses that are reserved for documentation (RFC 5737). */
    private static InetAddress address(int last) throws UnknownHostException {
        return InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) last});
    }
}
