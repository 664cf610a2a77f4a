package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.knabla.functions.compiler.autodiff.GradientOperator;
import io.knabla.functions.compiler.autodiff.reverse.NotDifferentiableException;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.cuda.DevicePlacement.Fallback;
import io.knabla.functions.compiler.cuda.PlacementPredictor;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.onnx.Model;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Lists the operators of gradient graphs that the CUDA provider lacks: those of the model, and those of our rules. */
class GradientsOnCudaTest {
    /** What only the rules bring in. A new line here costs a copy in each call on a GPU. */
    private static final Set<String> OF_RULES = Set.of(
            // Of a convolution with a stride, whose padding is uneven backwards.
            "ConvTranspose: the CUDA provider cannot compute it with an attribute that it has: pads",
            "Cosh: the CUDA provider has no kernel for it",
            // Of the places of maxima.
            "Pad: the CUDA provider has kernels only for other types: int64",
            "Sinh: the CUDA provider has no kernel for it");

    @Test
    void lackOnlyListedOperators() {
        assumeFalse(Fixtures.partial());
        var found = new TreeSet<String>();
        Stream.of("/families/families.zip", "/opinfo/opinfo.zip")
                .flatMap(zip -> Fixtures.read(zip).stream())
                .forEach(fixture -> found.addAll(ofRules(fixture)));

        assertThat(found).isEqualTo(new TreeSet<>(OF_RULES));
    }

    private static Set<String> ofRules(Fixture fixture) {
        try {
            Dag dag = Replay.read(fixture.model());
            Set<String> all = lacking(Transforms.vjp(
                    dag,
                    List.copyOf(fixture.cotangents().keySet()),
                    Replay.targets(dag, fixture.expected("gradients").keySet()),
                    UnreachablePolicy.ZERO));
            all.removeAll(lacking(GradientOperator.expand(dag)));
            return all;
        } catch (NotDifferentiableException refused) {
            return Set.of();
        }
    }

    private static Set<String> lacking(Dag dag) {
        return PlacementPredictor.of(Model.of(Exporter.write(dag))).computations().stream()
                .map(GradientsOnCudaTest::told)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static String told(Fallback one) {
        return "%s: %s".formatted(one.op(), one.why());
    }
}
