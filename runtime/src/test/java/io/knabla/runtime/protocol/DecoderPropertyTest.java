package io.knabla.runtime.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.unit.DataType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** Any input decodes to tensors or throws a ProtocolException, never another exception. */
class DecoderPropertyTest {
    private final Signature signature =
            Specs.signature(Specs.tensor("a", DataType.FP32, "n", 2), Specs.tensor("b", DataType.BYTES, "n"));

    private static final byte[] GOOD =
            ("{\"inputs\":[{\"name\":\"a\",\"shape\":[1,2],\"datatype\":\"FP32\",\"parameters\":{\"binary_data_size\":8}},"
                            + "{\"name\":\"b\",\"shape\":[1],\"datatype\":\"BYTES\",\"data\":[\"x\\u00e9\"]}]}12345678")
                    .getBytes(StandardCharsets.UTF_8);

    private void decode(byte[] body, String header) {
        try {
            RequestDecoderTest.decoder(signature).decode(body, body.length, header);
        } catch (ProtocolException refused) {
            assertThat(refused.getMessage()).isNotBlank();
            assertThat(refused.status()).isBetween(400, 499);
        }
    }

    @Property
    void arbitraryBytes(@ForAll byte[] body, @ForAll String header) {
        decode(body, null);
        decode(body, header);
    }

    @Property(tries = 4000)
    void changedBytes(@ForAll @IntRange(max = 300) int at, @ForAll byte value, @ForAll int header) {
        byte[] body = GOOD.clone();
        body[at % body.length] = value;
        decode(body, Integer.toString(body.length - 8));
        decode(body, Integer.toString(header % 400));
    }

    @Property
    void cutBodies(@ForAll @IntRange(max = 300) int length) {
        byte[] body = Arrays.copyOf(GOOD, Math.min(length, GOOD.length));
        decode(body, Integer.toString(GOOD.length - 8));
        decode(body, null);
    }
}
