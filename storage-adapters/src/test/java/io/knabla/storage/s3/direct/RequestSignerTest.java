package io.knabla.storage.s3.direct;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.s3.client.AccessKeys;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RequestSignerTest {
    private static final String ID = "AKIAIOSFODNN7EXAMPLE";
    private static final String SECRET = "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY";
    private static final URI OBJECT = URI.create("https://examplebucket.s3.amazonaws.com/test.txt");
    private static final Instant TIME = Instant.parse("2013-05-24T00:00:00Z");

    /** The text that is signed for it, as documented: it does not depend on the key. */
    private static final String TEXT_OF_EXAMPLE = """
            AWS4-HMAC-SHA256
            20130524T000000Z
            20130524/us-east-1/s3/aws4_request
            7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972""";

    /** The example "GET Object" of AWS's documentation of the signature. */
    @Test
    void signsAsDocumented() {
        var signer = new RequestSigner(new AccessKeys(ID, SECRET, Optional.empty()), "us-east-1");

        assertThat(signer.headers(OBJECT, "bytes=0-9", TIME))
                .containsEntry("x-amz-date", "20130524T000000Z")
                .containsEntry(
                        "authorization",
                        "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request,"
                                + " SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,"
                                + " Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41");
    }

    @ParameterizedTest
    @CsvSource({
        "https://h:443/b/k, h",
        "http://h:80/b/k, h",
        "https://h/b/k, h",
        "http://h:9000/b/k, h:9000",
        "http://[::1]:443/b/k, [::1]:443"
    })
    void signsTheHostAsItIsSent(URI object, String host) {
        var signer = new RequestSigner(new AccessKeys(ID, SECRET, Optional.empty()), "us-east-1");

        assertThat(signer.headers(object, null, TIME)).containsEntry("host", host);
    }

    @Test
    void signsTheTokenOfTemporaryCredentials() {
        var signer = new RequestSigner(new AccessKeys(ID, SECRET, Optional.of("t")), "us-east-1");

        assertThat(signer.headers(OBJECT, null, TIME))
                .containsEntry("x-amz-security-token", "t")
                .doesNotContainKey("range")
                .extractingByKey("authorization")
                .asString()
                .contains("SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,");
    }

    /** Its signing key as {@link Mac} computes it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 60, 61, 200})
    void keysMayHaveAnyLength(int length) throws GeneralSecurityException {
        String secret = "k".repeat(length);
        String signed = new RequestSigner(new AccessKeys(ID, secret, Optional.empty()), "us-east-1")
                .headers(OBJECT, "bytes=0-9", TIME)
                .get("authorization");

        byte[] key = ("AWS4" + secret).getBytes(StandardCharsets.UTF_8);
        for (String part : List.of("20130524", "us-east-1", "s3", "aws4_request", TEXT_OF_EXAMPLE)) {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            key = mac.doFinal(part.getBytes(StandardCharsets.UTF_8));
        }
        assertThat(signed).endsWith("Signature=" + HexFormat.of().formatHex(key));
    }
}
