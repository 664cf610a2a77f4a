package io.knabla.runtime.protocol;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.knabla.functions.unit.DataType;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;

/**
 * Fuzz targets for a coverage-guided fuzzer, to run manually: {@code JAVA_TOOL_OPTIONS=-Djazzer.hooks=true
 * JAZZER_FUZZ=1 mvn test -pl runtime -am -Dtest=ProtocolFuzzTest#request -Dtest.excluded=
 * -Dsurefire.failIfNoSpecifiedTests=false}. In the suite faults each target runs once on every seed, without the
 * fuzzer's hooks (a setting that the fixtures of {@code functions} bring), because these would stay in the virtual
 * machine of other tests.
 */
@Tag("faults")
class ProtocolFuzzTest {
    private static final int SPARE = 13;
    private static final JsonFactory JACKSON = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNumberLength(Integer.MAX_VALUE)
                    .build())
            .build();

    /** Every datatype, fixed and open dimensions, a scalar. */
    private final Signature signature = Specs.signature(
            Specs.tensor("f", DataType.FP32, "n", 2),
            Specs.tensor("d", DataType.FP64),
            Specs.tensor("s", DataType.BYTES, "n"),
            Specs.tensor("o", DataType.BOOL, "?"),
            Specs.tensor("i", DataType.INT8, "n"),
            Specs.tensor("u", DataType.UINT64, "?", "?"),
            Specs.tensor("h", DataType.FP16, 1));

    private final Signature single = Specs.signature(Specs.tensor("f", DataType.FP32, "n", 2));

    /** The first line is the header's value, empty for none; what follows is the body. */
    @FuzzTest(maxDuration = "2m")
    void request(byte[] bytes) {
        int line = 0;
        while (line < bytes.length && bytes[line] != '\n') {
            line++;
        }
        String header = line == 0 ? null : new String(bytes, 0, line, StandardCharsets.ISO_8859_1);
        byte[] body = Arrays.copyOfRange(bytes, Math.min(line + 1, bytes.length), bytes.length);
        decode(signature, header, body);
        decode(single, header, body);
    }

    private static void decode(Signature signature, String header, byte[] body) {
        try {
            // Longer than the body, like a connection's buffer.
            byte[] roomy = Arrays.copyOf(body, body.length + SPARE);
            Arrays.fill(roomy, body.length, roomy.length, (byte) '1');
            var request = RequestDecoderTest.decoder(signature).decode(roomy, body.length, header);
            for (int i = 0; i < request.inputs().size(); i++) {
                var tensor = request.inputs().get(i);
                Signature.checkShape(signature.inputs().get(i), tensor.shape());
                long elements = Arrays.stream(tensor.shape()).reduce(1, Math::multiplyExact);
                if (elements != tensor.elements()
                        || (tensor.texts() != null
                                && Arrays.asList(tensor.texts()).contains(null))) {
                    throw new AssertionError("a tensor is not as large as its shape");
                }
            }
        } catch (ProtocolException refused) {
            if (refused.status() < 400
                    || refused.status() > 499
                    || refused.getMessage().isBlank()) {
                throw new AssertionError("refused without a reason", refused);
            }
        }
    }

    /** Every text that the scanner accepts, Jackson accepts. */
    @FuzzTest(maxDuration = "2m")
    void json(byte[] bytes) {
        var scanner = new JsonScanner(bytes, 0, bytes.length);
        try {
            scanner.skip();
            scanner.expectEnd();
        } catch (ProtocolException refused) {
            return;
        }
        try (var parser = JACKSON.createParser(bytes)) {
            while (parser.nextToken() != null) {
                parser.getText();
            }
        } catch (IOException refused) {
            throw new AssertionError("Jackson refuses what we took", refused);
        }
    }
}
