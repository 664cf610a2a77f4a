package io.knabla.functions.compiler.autodiff.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import com.google.protobuf.ByteString;
import io.knabla.functions.compiler.importer.Importer;
import io.knabla.functions.compiler.importer.Importer.ImportResult;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.compiler.shape.ShapeInference;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Checks that ONNX's own cases with randomly corrupted attributes, inputs and opsets are either read or refused. */
class MalformedModelsTest {
    private static final int SPOILT = 12;

    private static final long[] EXTREMES = {
        0, -1, 1, 7, -99, 64, 1L << 31, -(1L << 31), 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE
    };

    @TestFactory
    Stream<DynamicTest> areReadOrRefused() {
        return Fixtures.read("/onnx/nodes.zip").stream()
                .map(fixture -> DynamicTest.dynamicTest(fixture.name(), () -> spoil(fixture)));
    }

    private static void spoil(Fixture fixture) {
        for (int seed = 0; seed < SPOILT; seed++) {
            ModelProto model = spoilt(fixture.model(), new Random(seed));
            assertThatCode(() -> read(model)).as("%s", model).doesNotThrowAnyException();
        }
    }

    private static void read(ModelProto proto) {
        Model model = Model.of(proto);
        ShapeInference.types(model);
        if (Importer.read(model) instanceof ImportResult.Refused(var problems)) {
            assertThat(problems).allSatisfy(p -> assertThat(p.message()).isNotBlank());
        }
    }

    private static ModelProto spoilt(ModelProto model, Random random) {
        ModelProto.Builder spoilt = model.toBuilder();
        GraphProto.Builder graph = spoilt.getGraphBuilder();
        int index = random.nextInt(Math.max(1, graph.getNodeCount()));
        NodeProto.Builder node = graph.getNodeBuilder(index);
        switch (random.nextInt(6)) {
            case 0 -> inputs(node, random);
            case 1 -> node.clearAttribute();
            case 2 -> spoilt.getOpsetImportBuilder(0).setVersion(1 + random.nextInt(26));
            case 3 -> shape(graph, random);
            default -> attributes(node, random);
        }
        return spoilt.build();
    }

    private static void inputs(NodeProto.Builder node, Random random) {
        List<String> inputs = List.copyOf(node.getInputList());
        node.clearInput();
        for (String input : inputs) {
            if (random.nextBoolean()) {
                node.addInput(random.nextBoolean() ? input : "");
            }
        }
    }

    private static void shape(GraphProto.Builder graph, Random random) {
        if (graph.getInputCount() > 0) {
            var type =
                    graph.getInputBuilder(random.nextInt(graph.getInputCount())).getTypeBuilder();
            var shape = type.getTensorTypeBuilder().getShapeBuilder().clearDim();
            for (int i = random.nextInt(5); i > 0; i--) {
                shape.addDimBuilder().setDimValue(extreme(random));
            }
        }
    }

    private static void attributes(NodeProto.Builder node, Random random) {
        if (node.getAttributeCount() == 0) {
            node.addAttribute(AttributeProto.newBuilder().setName("axis").setI(extreme(random)));
        }
        for (AttributeProto.Builder attribute : node.getAttributeBuilderList()) {
            if (random.nextBoolean()) {
                continue;
            }
            if (attribute.hasI()) {
                attribute.setI(extreme(random));
            } else if (attribute.getIntsCount() > 0) {
                attribute
                        .clearInts()
                        .addAllInts(LongStream.generate(() -> extreme(random))
                                .limit(random.nextInt(5))
                                .boxed()
                                .toList());
            } else if (attribute.hasS()) {
                attribute.setS(ByteString.copyFromUtf8("nonsense"));
            } else if (attribute.hasF()) {
                attribute.setF(random.nextBoolean() ? Float.NaN : Float.POSITIVE_INFINITY);
            }
        }
    }

    private static long extreme(Random random) {
        return EXTREMES[random.nextInt(EXTREMES.length)];
    }
}
