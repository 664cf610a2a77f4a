package io.knabla.controller.api;

import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;
import java.io.OutputStream;

/** Response stream whose failed writes are {@link ClientGoneException}s, apart from failures to read the content. */
final class ClientStream extends OutputStream {
    /** The client closed or reset its connection before it had the whole response. */
    static final class ClientGoneException extends IOException {
        private static final long serialVersionUID = 1;

        ClientGoneException(IOException cause) {
            super("the client closed its connection before it had the whole response", cause);
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    private final OutputStream out;

    private ClientStream(OutputStream out) {
        this.out = out;
    }

    static StreamingOutput of(StreamingOutput body) {
        return out -> body.write(new ClientStream(out));
    }

    @Override
    public void write(int b) throws IOException {
        toClient(() -> out.write(b));
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
        toClient(() -> out.write(bytes, offset, length));
    }

    @Override
    public void flush() throws IOException {
        toClient(out::flush);
    }

    @Override
    public void close() throws IOException {
        toClient(out::close);
    }

    private static void toClient(Action action) throws IOException {
        try {
            action.run();
        } catch (IOException gone) {
            throw new ClientGoneException(gone);
        }
    }
}
