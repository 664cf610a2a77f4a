package io.knabla.controller.api;

import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import com.google.protobuf.ByteString;
import io.knabla.controller.cli.print.Console;
import io.knabla.controller.cli.verbs.CommandLines;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.common.http.TestHTTPResource;
import io.quarkus.test.junit.QuarkusTest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Deploys a large model with the command line: the upload goes directly to the store. */
@QuarkusTest
@QuarkusTestResource(value = S3Home.class, restrictToAnnotatedClass = true)
class DirectDeployAppTest {
    private static final int WEIGHTS = 9 << 20;

    @TestHTTPResource("/")
    String url;

    @TempDir
    Path folder;

    private Path model() throws IOException {
        byte[] weights = new byte[4 * WEIGHTS];
        new Random(1).nextBytes(weights);
        var graph = GraphProto.newBuilder()
                .setName("g")
                .addInput(floats("x"))
                .addOutput(floats("y"))
                .addInitializer(TensorProto.newBuilder()
                        .setName("w")
                        .setDataType(TensorProto.DataType.FLOAT_VALUE)
                        .addDims(WEIGHTS)
                        .setRawData(ByteString.copyFrom(weights)))
                .addNode(NodeProto.newBuilder()
                        .setOpType("Add")
                        .addInput("x")
                        .addInput("w")
                        .addOutput("y"));
        return Files.write(
                folder.resolve("large.onnx"),
                ModelProto.newBuilder()
                        .setIrVersion(8)
                        .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                        .setGraph(graph)
                        .build()
                        .toByteArray());
    }

    private static ValueInfoProto.Builder floats(String name) {
        var shape = TensorShapeProto.newBuilder()
                .addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(WEIGHTS));
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(TensorProto.DataType.FLOAT_VALUE)
                                .setShape(shape)));
    }

    /** Output and progress of a deploy that succeeded. */
    private String deploy(Path model) {
        var text = new ByteArrayOutputStream();
        var both = new PrintStream(text, true, StandardCharsets.UTF_8);
        int status = CommandLines.make(_ -> 1, Console.plain(both, both))
                .execute("deploy", "large", "--model", model.toString(), "--wait", "0", "-v", "--server", url);
        assertThat(status).as(text.toString(StandardCharsets.UTF_8)).isZero();
        return text.toString(StandardCharsets.UTF_8);
    }

    @Test
    void uploadsLargeModelDirectlyToStore() throws IOException {
        Path model = model();

        assertThat(deploy(model))
                .contains("uploading large.onnx", "/upload/complete: 201")
                .doesNotContain("PUT");
        assertThat(deploy(model)).contains("unchanged").doesNotContain("uploading");
    }
}
