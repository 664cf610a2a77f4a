package io.knabla.runtime.http;

import static io.knabla.runtime.http.Http2Peer.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.http.Http2Peer.Answer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Frames that are filled up: their padding takes room in the windows as their bytes do. */
@Timeout(120)
class Http2PaddingTest {
    private static final int FRAME = 256;
    private static final int BYTES = 5;

    /** Twice the window of a body, all but a fiftieth of it padding. */
    private static final int FRAMES = 2 * Http2Connection.WINDOW / FRAME;

    @Test
    void paddingIsGivenBackToItsWindow() throws Exception {
        try (var server = HttpServer.open(
                        new InetSocketAddress("127.0.0.1", 0), new EchoHandler(), HttpLimits.forBodies(1 << 20));
                var peer = new Http2Peer(server.port())) {
            peer.head(1, false, post());
            var sender = CompletableFuture.runAsync(() -> send(peer));

            Answer answer = peer.answer(1);

            sender.join();
            assertThat(answer.body()).hasSize(BYTES * FRAMES).containsOnly('x');
        }
    }

    private static void send(Http2Peer peer) {
        byte[] frame = new byte[FRAME];
        frame[0] = (byte) (FRAME - 1 - BYTES);
        Arrays.fill(frame, 1, 1 + BYTES, (byte) 'x');
        try {
            for (int i = 0; i < FRAMES; i++) {
                peer.awaitRoom(FRAME);
                peer.frame(Http2Frame.DATA, Http2Frame.PADDED, 1, frame).flush();
            }
            peer.data(1, true, new byte[0]).flush();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }
}
