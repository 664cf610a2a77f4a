package io.knabla.functions.compiler.autodiff;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import ai.onnxruntime.OrtException;
import io.knabla.functions.compiler.autodiff.reverse.GradientTarget;
import io.knabla.functions.compiler.autodiff.reverse.UnreachablePolicy;
import io.knabla.functions.compiler.autodiff.transform.Transforms;
import io.knabla.functions.compiler.interpreter.NdArray;
import io.knabla.functions.compiler.interpreter.OnnxRuntime;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Exporter;
import io.knabla.functions.compiler.ir.Ops;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Shape;
import io.knabla.functions.compiler.onnx.TensorType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Tests all transforms on ln x1 + x1·x2 − sin x2 at (2, 5), which has derivatives in closed form. */
class TransformsClosedFormTest {
    private static final Map<String, Double> POINT = Map.of("x1", 2.0, "x2", 5.0);

    private final Builder builder = new Builder(20);
    private final Ops code = new Ops(builder);
    private final Value x1 = builder.input("x1", scalar());
    private final Value x2 = builder.input("x2", scalar());
    private final Value y = code.sub(code.add(code.log(x1), code.mul(x1, x2)), code.op("Sin", x2));
    private final Dag dag = new Dag(builder, Map.of("x1", x1, "x2", x2), Map.of("y", y), Map.of(), Map.of());
    private final List<GradientTarget> both = List.of(new GradientTarget("x1", x1), new GradientTarget("x2", x2));

    @Test
    void valueAndGradient() throws OrtException {
        Dag gradient = Transforms.valueAndGradient(dag, "y", both, UnreachablePolicy.REFUSE);

        Map<String, NdArray> found = run(gradient, POINT);

        expect(found, "y", 11.652);
        expect(found, "x1_grad", 5.5);
        expect(found, "x2_grad", 1.716);
    }

    @Test
    void jacobianVectorProduct() throws OrtException {
        Dag jvp = Transforms.jvp(dag, List.of("y"), both);

        Map<String, NdArray> found = run(jvp, Map.of("x1", 2.0, "x2", 5.0, "tan:x1", 3.0, "tan:x2", 10.0));

        expect(found, "jvp:y", 3 * 5.5 + 10 * (2 - Math.cos(5)));
    }

    @Test
    void hessianVectorProduct() throws OrtException {
        Dag hvp = Transforms.hvp(dag, "y", both);

        Map<String, NdArray> found = run(hvp, Map.of("x1", 2.0, "x2", 5.0, "tan:x1", 1.0, "tan:x2", 2.0));

        expect(found, "hvp:x1", -0.25 + 2);
        expect(found, "hvp:x2", 1 + 2 * Math.sin(5));
    }

    @Test
    void jacobianOfASquare() throws OrtException {
        Value v = builder.input("v", TensorType.of(ElementType.FLOAT, Shape.of(2)));
        Dag square = new Dag(builder, Map.of("v", v), Map.of("s", code.square(v)), Map.of(), Map.of());

        Dag jacobian = Transforms.jacobian(square, "s", new GradientTarget("v", v));

        Map<String, NdArray> found =
                OnnxRuntime.run(Exporter.write(jacobian), Map.of("v", NdArray.floats(new int[] {2}, 3, 4)));
        assertThat(found.get("jac:s:v").reals()).containsExactly(6, 0, 0, 8);
    }

    private static TensorType scalar() {
        return TensorType.of(ElementType.FLOAT, Shape.SCALAR);
    }

    private static void expect(Map<String, NdArray> found, String name, double value) {
        assertThat(found.get(name).real(0)).as(name).isCloseTo(value, within(5e-4));
    }

    private static Map<String, NdArray> run(Dag dag, Map<String, Double> point) throws OrtException {
        var feeds = new HashMap<String, NdArray>();
        point.forEach((name, at) -> feeds.put(name, NdArray.scalar(ElementType.FLOAT, at)));
        return OnnxRuntime.run(Exporter.write(dag), feeds);
    }
}
