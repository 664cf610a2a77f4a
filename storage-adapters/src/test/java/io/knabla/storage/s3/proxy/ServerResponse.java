package io.knabla.storage.s3.proxy;

import io.knabla.storage.s3.proxy.Fault.Refused;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * An HTTP response as received from the server.
 *
 * @param head length of the status line and header in bytes
 * @param last whether the server closes the connection after it
 */
record ServerResponse(byte[] bytes, int head, boolean last) {

    static ServerResponse read(MessageHead request, InputStream in) throws IOException {
        MessageHead head = next(in);
        while (head.status() / 100 == 1) {
            head = next(in);
        }
        Framing framing = Framing.ofAnswer(request, head);
        boolean last = framing instanceof Framing.UntilClose
                || head.field("Connection").filter("close"::equalsIgnoreCase).isPresent();
        return of(head.sorted(), framing.read(in), last);
    }

    private static MessageHead next(InputStream in) throws IOException {
        return MessageHead.read(in).orElseThrow(() -> new EOFException("the server gave no answer"));
    }

    /** Creates an error response in the format of S3. */
    static ServerResponse refusal(MessageHead request, Refused refused) {
        byte[] body =
                """
                <?xml version="1.0" encoding="UTF-8"?>
                <Error><Code>%s</Code><Message>%s</Message><RequestId>FAULT</RequestId></Error>""".formatted(refused.refusal().code, refused.refusal().message).getBytes(StandardCharsets.UTF_8);
        List<String> fields = new ArrayList<>();
        fields.add("Content-Type: application/xml");
        fields.add("Content-Length: " + body.length);
        refused.retryAfterSeconds().ifPresent(s -> fields.add("Retry-After: " + s));
        var head = new MessageHead("HTTP/1.1 " + refused.refusal().status + " " + refused.refusal(), fields);
        return of(head, request.method().equals("HEAD") ? new byte[0] : body, false);
    }

    private static ServerResponse of(MessageHead head, byte[] body, boolean last) {
        byte[] start = head.bytes();
        byte[] all = Arrays.copyOf(start, start.length + body.length);
        System.arraycopy(body, 0, all, start.length, body.length);
        return new ServerResponse(all, start.length, last);
    }

    /**
     * Returns the first bytes of the response. Within the header it ends between lines: a truncated number would be a
     * different, valid number.
     */
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
