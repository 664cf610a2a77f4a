package io.knabla.functions.packaging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ai.onnx.proto.OnnxMl.ModelProto;
import io.knabla.functions.Fault;
import io.knabla.functions.MemoryStore;
import io.knabla.functions.Onnx;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.GraphManifest;
import io.knabla.functions.unit.ManifestLimits;
import io.knabla.functions.unit.Sha256;
import io.knabla.functions.unit.TensorSpec;
import io.knabla.functions.unit.UnitException;
import io.knabla.functions.unit.UnitStore;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that a model whose names or counts no unit can hold is refused, and that nothing is stored. */
class ManifestBoundsTest {
    @TempDir
    Path folder;

    private final MemoryStore store = new MemoryStore();

    private PackagingResult pack(ModelProto model) {
        return Packager.pack(ModelFiles.beside(Onnx.save(model, folder.resolve("model.onnx"))), store);
    }

    private Fault refusal(ModelProto model) {
        var refused = (PackagingResult.Refused) pack(model);
        assertThat(store.objects).isEmpty();
        assertThat(refused.faults()).hasSize(1);
        assertThat(refused.faults().getFirst().toString()).hasSizeLessThan(500);
        return refused.faults().getFirst();
    }

    private static ModelProto named(String input) {
        return new Onnx()
                .input(input, ElementType.FLOAT, 1, 4)
                .output("y", ElementType.FLOAT, 1, 4)
                .node("Relu", List.of(input), "y")
                .build();
    }

    /** Relu over a dimension with this name. */
    private static ModelProto dimensioned(String symbol) {
        return new Onnx()
                .input("x", ElementType.FLOAT, symbol)
                .output("y", ElementType.FLOAT, symbol)
                .node("Relu", List.of("x"), "y")
                .build();
    }

    @Test
    void theLongestNameMakesAUnitThatIsRead() {
        String longest = "x".repeat(ManifestLimits.NAME);
        var packaged = (PackagingResult.Packaged) pack(named(longest));

        GraphManifest read = new UnitStore(store).read(packaged.unit()).graphs();
        assertThat(read.inputs().getFirst().name()).isEqualTo(longest);
    }

    @Test
    void aNameOfAMegabyteIsRefusedWithItsLength() {
        Fault fault = refusal(named("x".repeat(1 << 20)));

        assertThat(fault.path()).startsWith("graph.input['xxx");
        assertThat(fault.message())
                .isEqualTo("has a name of 1,048,576 characters, at most 1,024 are allowed; rename it in the model");
    }

    @Test
    void theNameOfADimensionIsBoundedToo() {
        var both = (PackagingResult.Refused) pack(dimensioned("n".repeat(ManifestLimits.NAME + 1)));

        assertThat(both.faults())
                .allSatisfy(fault -> assertThat(fault.message())
                        .contains("a variable dimension 'nnn", "with a name of 1,025 characters, at most 1,024"));
        assertThat(pack(dimensioned("n".repeat(ManifestLimits.NAME)))).isInstanceOf(PackagingResult.Packaged.class);
    }

    @Test
    void aShapeThatNoRequestCanHoldIsRefusedWithItsNameAndTheLimit() {
        var refused = (PackagingResult.Refused) pack(shaped(1L << 32, 1L << 32));

        assertThat(refused.faults())
                .contains(
                        new Fault(
                                "graph.input['x']",
                                "has the shape [4294967296, 4294967296], which is too large: at most 8,589,934,592 elements of FP32 (34,359,738,368 bytes) are allowed"));
        assertThat(store.objects).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "8589934592, 1, true",
        "8589934593, 1, false",
        "9223372036854775807, 0, true",
        "0, 4611686018427387904, true"
    })
    void theLimitCountsElements(long rows, long columns, boolean allowed) {
        assertThat(pack(shaped(rows, columns)) instanceof PackagingResult.Packaged)
                .isEqualTo(allowed);
    }

    private static ModelProto shaped(long rows, long columns) {
        return new Onnx()
                .input("x", ElementType.FLOAT, rows, columns)
                .output("y", ElementType.FLOAT, rows, columns)
                .node("Relu", List.of("x"), "y")
                .build();
    }

    @Test
    void inputsAreCounted() {
        var model = new Onnx().output("y", ElementType.FLOAT, 1).node("Relu", List.of("x0"), "y");
        for (int i = 0; i <= ManifestLimits.TENSORS; i++) {
            model.input("x" + i, ElementType.FLOAT, 1);
        }

        assertThat(refusal(model.build()))
                .isEqualTo(new Fault("graph.input", "lists 10,001 tensors, at most 10,000 are allowed"));
    }

    @Test
    void namesThatFitAloneButNotTogetherAreRefused() {
        var model = new Onnx().output("y", ElementType.FLOAT, 1).node("Relu", List.of("000"), "y");
        model.input("000", ElementType.FLOAT, 1);
        // A control character takes six bytes in JSON.
        for (int i = 0; i < 4_000; i++) {
            model.input("\u0001".repeat(ManifestLimits.NAME - 4) + i, ElementType.FLOAT, 1);
        }

        assertThat(refusal(model.build()).message())
                .contains("no unit can hold", "at most 16777216 are allowed", "shorten the names");
    }

    @Test
    void theStoreTakesNoManifestThatItCannotRead() {
        var tensor = new TensorSpec("t", DataType.FP32, Collections.nCopies(65, 1L), Collections.nCopies(65, ""));
        var manifest = new GraphManifest(
                GraphManifest.SCHEMA,
                new Blob(Sha256.of(new byte[0]), 0),
                List.of(),
                List.of(tensor),
                List.of(),
                false,
                new GraphManifest.ModelVersion(7, 13));

        assertThatThrownBy(() -> new UnitStore(store).write(manifest))
                .isInstanceOf(UnitException.class)
                .hasMessageContaining("the shape of tensor 't' is impossible");
        assertThat(store.objects).isEmpty();
    }
}
