package io.knabla.storage.s3.faults;

import io.knabla.storage.s3.faults.Fault.Refused;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What a server said.
 *
 * @param head bytes of it that are head
 * @param last whether the connection ends after it
 */
record Answer(byte[] bytes, int head, boolean last) {

    static Answer read(Head request, InputStream in) throws IOException {
        Head head = next(in);
        while (head.status() / 100 == 1) {
            head = next(in);
        }
        Framing framing = Framing.ofAnswer(request, head);
        boolean last = framing instanceof Framing.UntilClose
                || head.field("Connection").filter("close"::equalsIgnoreCase).isPresent();
        return of(head.sorted(), framing.read(in), last);
    }

    private static Head next(InputStream in) throws IOException {
        return Head.read(in).orElseThrow(() -> new EOFException("the server gave no answer"));
    }

    /** An error as S3 writes it. */
    static Answer refusal(Head request, Refused refused) {
        byte[] body =
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <Error><Code>%s</Code><Message>%s</Message><RequestId>FAULT</RequestId></Error>""".formatted(refused.refusal().code, refused.refusal().message).getBytes(StandardCharsets.UTF_8);
        List<String> fields = new ArrayList<>();
        fields.add("Content-Type: application/xml");
        fields.add("Content-Length: " + body.length);
        refused.retryAfterSeconds().ifPresent(s -> fields.add("Retry-After: " + s));
        var head = new Head("HTTP/1.1 " + refused.refusal().status + " " + refused.refusal(), fields);
        return of(head, request.method().equals("HEAD") ? new byte[0] : body, false);
    }

    private static Answer of(Head head, byte[] body, boolean last) {
        byte[] start = head.bytes();
        byte[] all = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        return new Answer(all, start.length, last);
    }

    /** Ends between lines amid a head: a number cut in two would be another number, and no fault. */
    byte[] first(double part) {
        int end = (int) (bytes.length * part);
        if (end < head) {
            while (end > 0 && bytes[end - 1] != '\n') {
                end--;
            }
        }
        return Arrays.copyOf(bytes, end);
    }
}
