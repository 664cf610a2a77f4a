package io.knabla.functions.compiler.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.onnx.ModelReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the example of the package documentation and checks that the two are equal. */
class ExampleTest {
    private static final Path SOURCES = Path.of("src");
    private static final String PACKAGE = "java/io/knabla/functions/compiler/trace/";

    // begin
    record Net(Tensor weight, Tensor bias) {
        Tensor logits(Tensor x) {
            return x.linear(weight, bias);
        }

        Tensor loss(Tensor x, Tensor labels) {
            return logits(x).crossEntropy(labels);
        }
    }

    // end

    @Test
    void runs(@TempDir Path folder) throws Exception {
        // begin
        var net = new Net(
                Tensors.normal(new Random(1), 0.1, 64, 10).named("weight"),
                Tensors.zeros(10).named("bias"));
        // Eager: every line is computed as it stands, in a debugger too.
        Tensor loss = net.loss(Tensors.ones(2, 64), Tensors.longs(3, 7));
        // Traced: the same code, written down once as a graph for any batch.
        Traced traced = Trace.of(
                Signature.of("x", ElementType.FLOAT, "batch", 64).and("labels", ElementType.INT64, "batch"),
                in -> Outputs.of("loss", net.loss(in.get("x"), in.get("labels"))));
        traced.save(folder.resolve("model.onnx"));
        // end

        var opened = (ModelReader.ReadResult.Opened) ModelReader.read(folder.resolve("model.onnx"));
        Model model = opened.model();
        assertThat(model.graph().inputs()).containsOnlyKeys("x", "labels");
        assertThat(model.graph().initializers()).containsKeys("weight", "bias");
        Map<String, Tensor> feeds = Map.of("x", Tensors.ones(2, 64), "labels", Tensors.longs(3, 7));
        assertThat(traced.run(feeds).get("loss").item()).isEqualTo(loss.item());
    }

    @Test
    void isWhatTheDocumentationShows() throws Exception {
        String shown = Files.readString(SOURCES.resolve("main/" + PACKAGE + "package-info.java"));
        String tested = Files.readString(SOURCES.resolve("test/" + PACKAGE + "ExampleTest.java"));
        String[] parts = tested.split("// begin|// end");

        assertThat(bare(shown.replace("\n *", "\n"))).contains(bare(parts[1]) + bare(parts[3]));
    }

    private static String bare(String code) {
        return code.replaceAll("\\s+", "");
    }
}
