package io.knabla.functions.unit;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class ModelMetadataTest {
    @Test
    void answersAsTheProtocolSays() {
        var a = new TensorSpec("a\"", DataType.FP32, List.of(-1L, 2L), List.of("n", ""));
        var b = new TensorSpec("b", DataType.BYTES, List.of(), List.of());
        var y = new TensorSpec("y", DataType.INT64, List.of(1L), List.of(""));

        assertThat(new ModelMetadata("m", List.of("1", "2"), List.of(a, b), List.of(y), List.of(), List.of()).json())
                .asString()
                .isEqualTo("{\"name\":\"m\",\"versions\":[\"1\",\"2\"],\"platform\":\"onnxruntime_onnx\",\"inputs\":["
                        + "{\"name\":\"a\\\"\",\"datatype\":\"FP32\",\"shape\":[-1,2]},{\"name\":\"b\",\"datatype\":\"BYTES\",\"shape\":[]}],\"outputs\":["
                        + "{\"name\":\"y\",\"datatype\":\"INT64\",\"shape\":[1]}]}");
    }

    @Test
    void marksOptionalInputs() {
        var x = new TensorSpec("x", DataType.FP32, List.of(-1L), List.of(""));
        var absent = InputDefault.of("x", List.of(0L), new byte[0]);

        assertThat(new ModelMetadata("m", List.of("1"), List.of(x), List.of(x), List.of(), List.of(absent)).json())
                .asString()
                .contains(
                        "\"inputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[-1],\"parameters\":{\"optional\":true}}]")
                .contains("\"outputs\":[{\"name\":\"x\",\"datatype\":\"FP32\",\"shape\":[-1]}]");
    }

    @Test
    void namesTheClassesOfItsScores() {
        var y = new TensorSpec("y", DataType.FP32, List.of(-1L, 2L), List.of("", ""));
        var z = new TensorSpec("z", DataType.FP32, List.of(-1L, 2L), List.of("", ""));
        var numbers = new ClassNames("y", DataType.INT64, List.of("0", "7"));
        var texts = new ClassNames("z", DataType.BYTES, List.of("0", "cat"));

        assertThat(new ModelMetadata("m", List.of("1"), List.of(y), List.of(y, z), List.of(numbers, texts), List.of())
                        .json())
                .asString()
                .contains("\"inputs\":[{\"name\":\"y\",\"datatype\":\"FP32\",\"shape\":[-1,2]}]")
                .contains("\"shape\":[-1,2],\"parameters\":{\"class_names\":[0,7]}}")
                .contains("\"shape\":[-1,2],\"parameters\":{\"class_names\":[\"0\",\"cat\"]}}");
    }
}
