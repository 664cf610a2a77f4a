package io.knabla.runtime.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionLeaseTest {
    private static final byte[] REQUEST = "GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.US_ASCII);

    private HttpServer server;
    private ConnectionPool pool;

    @BeforeEach
    void open() throws IOException {
        server = HttpServer.open(
                new InetSocketAddress("127.0.0.1", 0), new EchoHandler(), HttpLimits.forBodies(1 << 20));
        pool = new ConnectionPool(new InetSocketAddress("127.0.0.1", server.port()));
    }

    @AfterEach
    void close() {
        pool.close();
        server.close();
    }

    @Test
    void aCancelThatComesTooLateDoesNotTouchTheNextRequest() throws Exception {
        var first = new ConnectionLease(pool);
        ClientConnection connection = first.take();
        call(connection);
        first.give();
        ClientConnection next = new ConnectionLease(pool).take();
        assertThat(next).isSameAs(connection);

        first.cancel();

        call(next);
    }

    @Test
    void aCancelEndsTheRequest() throws Exception {
        var lease = new ConnectionLease(pool);
        ClientConnection connection = lease.take();

        lease.cancel();

        assertThatThrownBy(() -> call(connection)).isInstanceOf(IOException.class);
        lease.give();
        assertThat(new ConnectionLease(pool).take()).isNotSameAs(connection);
    }

    @Test
    void aCancelledRequestGetsAClosedConnection() throws Exception {
        var lease = new ConnectionLease(pool);
        lease.cancel();

        ClientConnection connection = lease.take();

        assertThatThrownBy(() -> call(connection)).isInstanceOf(IOException.class);
    }

    private static void call(ClientConnection connection) throws IOException {
        connection.begin(false);
        connection.send(REQUEST, REQUEST.length);
        ResponseHead head = connection.readHead();
        connection.readAll((int) ClientConnection.length(head));
    }
}
