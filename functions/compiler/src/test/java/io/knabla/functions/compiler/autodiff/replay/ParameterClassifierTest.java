package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.compiler.autodiff.TargetSelection;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks that {@code parameters} selects PyTorch's parameters, regardless of what an exporter adds. */
class ParameterClassifierTest {
    private static final Gradient PARAMETERS = new Gradient(
            Gradient.Loss.scalar("loss"),
            List.of("parameters"),
            Gradient.Unreachable.Refuse,
            Optional.empty(),
            new Gradient.Memory(Gradient.MemoryStrategy.None, Optional.empty()));

    @TestFactory
    Stream<DynamicTest> thoseOfPyTorchAndNoOthers() {
        return Fixtures.read("/families/families.zip").stream()
                .filter(c -> !c.name().endsWith("_optimized"))
                .map(c -> DynamicTest.dynamicTest(c.name(), () -> check(c)));
    }

    private static void check(Fixture fixture) {
        TargetSelection selected = TargetSelection.resolve(dag(fixture), PARAMETERS);

        var names = new TreeSet<String>();
        selected.targets().stream().map(GradientTarget::name).forEach(names::add);
        var expected = new TreeSet<>(fixture.expected("gradients").keySet());
        expected.removeAll(fixture.inputs().keySet());
        assertThat(names).as(selected.warnings().toString()).containsAll(expected);
        // The fixture leaves out some parameters, never a constant or a buffer.
        names.removeAll(expected);
        assertThat(names).allMatch(name -> name.startsWith("model."));
    }

    private static Dag dag(Fixture fixture) {
        return switch (Importer.read(Model.of(fixture.model()))) {
            case Importer.ImportResult.Success(var dag) -> dag;
            case Importer.ImportResult.Refused(var problems) -> throw new AssertionError(problems.toString());
        };
    }
}
