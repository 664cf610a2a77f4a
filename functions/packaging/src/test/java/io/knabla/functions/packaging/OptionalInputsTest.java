package io.knabla.functions.packaging;

import static io.knabla.functions.compiler.onnx.ElementType.FLOAT;
import static org.assertj.core.api.Assertions.assertThat;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.packaging.PackagingResult.Packaged;
import io.knabla.functions.spec.ModelInterface;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.InputDefault;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests which inputs become optional, and what is refused. */
class OptionalInputsTest {
    @TempDir
    Path folder;

    private PackagingResult pack(ModelProto model, Map<String, List<Integer>> shapes, String... optional) {
        Path file = Onnx.save(model, folder.resolve("model.onnx"));
        var view = new ModelInterface(Optional.empty(), false, shapes, List.of(optional));
        return Packager.pack(ModelFiles.beside(file).with(view), new MemoryStore());
    }

    private GraphManifest unit(ModelProto model, String... optional) {
        PackagingResult result = pack(model, Map.of(), optional);
        assertThat(result).isInstanceOf(Packaged.class);
        return ((Packaged) result).graphs();
    }

    private static ModelProto scaled(long... dims) {
        return new Onnx()
                .input("a", FLOAT, "n", 4)
                .output("y", FLOAT, "n", 4)
                .weights("k", dims)
                .node("Mul", List.of("a", "k"), "y")
                .build();
    }

    @Test
    void anAbsentOptionalHasNoElements() {
        GraphManifest unit = unit(Onnx.optionalInput("n"));

        assertThat(unit.defaults()).containsExactly(InputDefault.of("x", List.of(0L), new byte[0]));
        assertThat(unit.inputs().getLast().symbols()).containsExactly("");
        assertThat(unit.batchable()).isFalse();
    }

    @Test
    void anInitializerKeepsItsValueAsDefault() {
        GraphManifest unit = unit(scaled(4), "k");

        assertThat(unit.defaults()).singleElement().satisfies(value -> {
            assertThat(value.shape()).containsExactly(4L);
            assertThat(value.value()).hasSize(16);
        });
        assertThat(unit.batchable()).isFalse();
        assertThat(unit(scaled(4)).batchable()).isTrue();
        assertThat(unit(scaled(4)).schema()).isEqualTo(GraphManifest.SCHEMA);
    }

    @Test
    void quantisedModelsKeepTheirDefaults() {
        Path file = Onnx.save(scaled(4), folder.resolve("model.onnx"));
        var view = new ModelInterface(Optional.empty(), false, Map.of(), List.of("k"));
        var result =
                Packager.pack(ModelFiles.beside(file).with(view), new Transform.QuantizeDynamic(), new MemoryStore());

        assertThat(((Packaged) result).graphs().isOptional("k")).isTrue();
    }

    @Test
    void whatHasNoDefaultIsRefused() {
        assertThat(pack(scaled(4), Map.of(), "a"))
                .asString()
                .contains("spec.optionalInputs['a']", "no initializer of this name");
        assertThat(pack(scaled(10_000, 4), Map.of(), "k")).asString().contains("at most 32,768 are allowed");
        assertThat(pack(Onnx.optionalInput(), Map.of())).asString().contains("is an optional");
    }
}
