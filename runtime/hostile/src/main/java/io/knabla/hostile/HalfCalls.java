package io.knabla.hostile;

import java.io.IOException;

/** Calls whose heads are complete and whose bodies do not come. */
public final class HalfCalls implements AutoCloseable {
    private final HeldConnections held;

    private HalfCalls(HeldConnections held) {
        this.held = held;
    }

    /** Opens the connections: half of them say a length, half of them send a first chunk. */
    public static HalfCalls hold(Target target, int count) throws IOException {
        var held = new HeldConnections(target);
        held.hold(count / 2, target.post("Content-Length: 100\r\n") + "{");
        held.hold(count - count / 2, target.post("Transfer-Encoding: chunked\r\n") + "1\r\n{\r\n");
        return new HalfCalls(held);
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
