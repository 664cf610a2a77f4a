package io.knabla.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests parsing of {@code s3://bucket/key} addresses. */
class ExternalAddressTest {
    @Test
    void keepsTheKeyVerbatim() {
        var address = ExternalAddress.parse("s3://models.eu/a b/ü%20+?#/m.onnx").orElseThrow();
        assertThat(address.bucket()).isEqualTo("models.eu");
        assertThat(address.key()).isEqualTo("a b/ü%20+?#/m.onnx");
        assertThat(address.name()).isEqualTo("m.onnx");
        assertThat(address).hasToString("s3://models.eu/a b/ü%20+?#/m.onnx");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3://bucket",
                "s3://bucket/",
                "s3:///key",
                "s3://ab/key",
                "s3://Bucket/key",
                "s3://a..b/key",
                "s3://127.0.0.1/key",
                "s3://user@bucket/key",
                "s3://bucket:80/key",
                "s3://-bucket/key",
                "s3://bucket/folder/",
                "s3://bucket/../other/key",
                "s3://bucket/a/./b",
                "s3://bucket/a\nb",
                "https://bucket/key"
            })
    void rejectsMalformedAddresses(String text) {
        assertThat(ExternalAddress.parse(text)).isEmpty();
    }

    @Test
    void limitsKeysTo1024Bytes() {
        assertThat(ExternalAddress.parse("s3://bucket/" + "k".repeat(1024))).isPresent();
        assertThat(ExternalAddress.parse("s3://bucket/" + "k".repeat(1025))).isEmpty();
        assertThat(ExternalAddress.parse("s3://bucket/" + "ü".repeat(513))).isEmpty();
    }

    @Test
    void resolvesSiblingPaths() {
        var deep = ExternalAddress.parse("s3://bucket/a/b/model.onnx").orElseThrow();
        assertThat(deep.sibling("w/weights.bin").map(Object::toString)).contains("s3://bucket/a/b/w/weights.bin");
        assertThat(deep.sibling("../../../other")).isEmpty();
        var top = ExternalAddress.parse("s3://bucket/model.onnx").orElseThrow();
        assertThat(top.sibling("weights.bin").map(Object::toString)).contains("s3://bucket/weights.bin");
    }
}
