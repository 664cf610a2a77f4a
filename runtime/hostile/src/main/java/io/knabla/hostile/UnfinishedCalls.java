package io.knabla.hostile;

import java.io.IOException;

/** Opens calls whose heads are complete and whose bodies never arrive. */
public final class UnfinishedCalls implements AutoCloseable {
    private final HeldConnections held;

    private UnfinishedCalls(HeldConnections held) {
        this.held = held;
    }

    /** Opens the connections: half of them say a length, half of them send a first chunk. */
    public static UnfinishedCalls hold(Target target, int count) throws IOException {
        var held = new HeldConnections(target);
        held.hold(count / 2, target.post("Content-Length: 100\r\n") + "{");
        held.hold(count - count / 2, target.post("Transfer-Encoding: chunked\r\n") + "1\r\n{\r\n");
        return new UnfinishedCalls(held);
    }

    /** Returns whether the server has refused or closed none of them so far. */
    public boolean areHeld() {
        return held.ends().total() == 0;
    }

    @Override
    public void close() throws IOException {
        held.close();
    }
}
