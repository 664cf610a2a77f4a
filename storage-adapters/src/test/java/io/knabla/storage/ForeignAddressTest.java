package io.knabla.storage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ForeignAddressTest {
    @Test
    void aKeyIsTakenAsItStands() {
        var address = ForeignAddress.parse("s3://models.eu/a b/ü%20+?#/m.onnx").orElseThrow();
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
    void whatIsNoAddressIsNone(String text) {
        assertThat(ForeignAddress.parse(text)).isEmpty();
    }

    @Test
    void theLongestKeyHas1024Bytes() {
        assertThat(ForeignAddress.parse("s3://bucket/" + "k".repeat(1024))).isPresent();
        assertThat(ForeignAddress.parse("s3://bucket/" + "k".repeat(1025))).isEmpty();
        assertThat(ForeignAddress.parse("s3://bucket/" + "ü".repeat(513))).isEmpty();
    }

    @Test
    void filesLieBesideTheKey() {
        var deep = ForeignAddress.parse("s3://bucket/a/b/model.onnx").orElseThrow();
        assertThat(deep.beside("w/weights.bin").map(Object::toString)).contains("s3://bucket/a/b/w/weights.bin");
        assertThat(deep.beside("../../../other")).isEmpty();
        var top = ForeignAddress.parse("s3://bucket/model.onnx").orElseThrow();
        assertThat(top.beside("weights.bin").map(Object::toString)).contains("s3://bucket/weights.bin");
    }
}
