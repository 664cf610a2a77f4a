package io.knabla.controller.cli.doctor.store;

import io.knabla.storage.Content;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.SequenceInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Content of one of several concurrent writers: sends its second half only when all writers have sent their first. A
 * server that checks the condition before it has all bytes then accepts all writers, every time and not only sometimes.
 */
final class GatedContent implements Content {
    /** Larger than the buffer of a client. */
    private static final String FILLING = " ".repeat(32 << 10);

    private final byte[] first;
    private final byte[] rest = FILLING.getBytes(StandardCharsets.US_ASCII);
    private final List<CountDownLatch> gates;
    private final AtomicInteger opened = new AtomicInteger();

    /** @param gates one for each time that a store opens the content: first for a checksum, then to send it */
    GatedContent(String text, List<CountDownLatch> gates) {
        this.first = (text + FILLING).getBytes(StandardCharsets.UTF_8);
        this.gates = gates;
    }

    static List<CountDownLatch> gates(int writers) {
        return Stream.generate(() -> new CountDownLatch(writers)).limit(3).toList();
    }

    @Override
    public long size() {
        return first.length + rest.length;
    }

    @Override
    public InputStream open() {
        int time = opened.getAndIncrement();
        InputStream end = new ByteArrayInputStream(rest);
        return new SequenceInputStream(
                new ByteArrayInputStream(first), time < gates.size() ? new Gated(end, gates.get(time)) : end);
    }

    /** Waits before its first byte, for a limited time: a store may accept one writer at a time. */
    private static final class Gated extends FilterInputStream {
        private final CountDownLatch gate;
        private boolean passed;

        Gated(InputStream in, CountDownLatch gate) {
            super(in);
            this.gate = gate;
        }

        private void pass() throws IOException {
            if (passed) {
                return;
            }
            passed = true;
            gate.countDown();
            try {
                gate.await(1, TimeUnit.SECONDS);
            } catch (InterruptedException stopped) {
                throw new InterruptedIOException("stopped");
            }
        }

        @Override
        public int read() throws IOException {
            pass();
            return super.read();
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            pass();
            return super.read(bytes, from, length);
        }
    }
}
