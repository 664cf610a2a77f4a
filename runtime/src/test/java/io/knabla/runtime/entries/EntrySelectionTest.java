package io.knabla.runtime.entries;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Onnx;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests which graph of a unit answers; each graph adds a different number to each output. */
class EntrySelectionTest {
    private static final String INPUTS = "{'inputs':[{'name':'x','datatype':'FP32','shape':[1],'data':[0]},"
            + "{'name':'t','datatype':'FP32','shape':[1],'data':[0]}]";

    private static ModelProto graph(int marker, boolean target, String... outputs) {
        var onnx = new Onnx().input("x", FLOAT, "n");
        if (target) {
            onnx.input("t", FLOAT, "n");
        }
        onnx.constant("marker", marker).node("Cast", List.of("marker"), "float", Onnx.integer("to", FLOAT.number()));
        int shift = 0;
        for (String output : outputs) {
            onnx.output(output, FLOAT, "n").constant("shift" + output, shift);
            onnx.node("Cast", List.of("shift" + output), "float" + output, Onnx.integer("to", FLOAT.number()));
            onnx.node("Add", List.of("float", "float" + output), "both" + output);
            onnx.node("Add", List.of("x", "both" + output), output);
            shift++;
        }
        return onnx.build();
    }

    private static TestUnit unit() throws Exception {
        return new TestUnit()
                .main(graph(100, true, "loss", "x_grad", "y", "z"))
                .entry("value", graph(200, true, "loss", "z", "y"))
                .entry("apply", graph(300, false, "z", "y"))
                .write();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
                    all                    |                                                          | 100 101 102 103
                    a gradient             | ,'outputs':[{'name':'x_grad'}]                           | 101
                    a gradient and outputs | ,'outputs':[{'name':'y'},{'name':'x_grad'}]              | 102 101
                    the loss               | ,'outputs':[{'name':'loss'}]                             | 200
                    the loss and outputs   | ,'outputs':[{'name':'y'},{'name':'loss'},{'name':'z'}]   | 202 200 201
                    the model's outputs    | ,'outputs':[{'name':'y'},{'name':'z'}]                   | 301 300
                    one of them            | ,'outputs':[{'name':'z'}]                                | 300
                    """)
    void picksCheapestGraphWithAllOutputs(String what, String outputs, String expected) throws Exception {
        try (var unit = unit();
                var replica = new TestReplica(unit)) {
            String body = replica.infer(INPUTS + (outputs == null ? "" : outputs) + "}")
                    .body();
            assertThat(body.split("\"data\":\\[")).as(body).hasSize(expected.split(" ").length + 1);
            int at = 0;
            for (String one : expected.split(" ")) {
                at = body.indexOf("\"data\":[" + one + ".0]", at + 1);
                assertThat(at).as("%s in %s", one, body).isPositive();
            }
        }
    }

    @Test
    void opensEntriesOnFirstUse() throws Exception {
        try (var unit = unit();
                var replica = new TestReplica(unit)) {
            Files.delete(unit.folder().resolve("value.onnx"));
            assertThat(replica.infer(INPUTS + ",'outputs':[{'name':'y'}]}").statusCode())
                    .isEqualTo(200);
            var missing = replica.infer(INPUTS + ",'outputs':[{'name':'loss'}]}");
            assertThat(missing.statusCode()).isEqualTo(500);
            assertThat(missing.body()).contains("cannot load this model");
            assertThat(replica.infer(INPUTS + "}").statusCode()).isEqualTo(200);
        }
    }
}
