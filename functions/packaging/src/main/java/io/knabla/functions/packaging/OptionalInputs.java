package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Model;
import io.knabla.functions.unit.DataType;
import io.knabla.functions.unit.InputDefault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Makes inputs that a request may leave out ordinary tensors with a default, because the engine takes tensors only.
 *
 * <p>An input of ONNX's optional type becomes a tensor whose default has no elements: OptionalHasElement becomes the
 * question whether it has any, OptionalGetElement the tensor itself. An initializer that function.yaml names becomes an
 * input with the initializer's value as default.
 */
final class OptionalInputs {
    private static final String PATH = "spec.optionalInputs['%s']";
    private static final String HAS = "OptionalHasElement";
    private static final String GET = "OptionalGetElement";

    private final ModelFiles files;
    private final FaultCollector faults;
    private final Set<String> ofOptionalType = new LinkedHashSet<>();
    private final List<InputDefault> defaults = new ArrayList<>();

    OptionalInputs(ModelFiles files, FaultCollector faults) {
        this.files = files;
        this.faults = faults;
    }

    List<InputDefault> defaults() {
        return List.copyOf(defaults);
    }

    /** First step: gives inputs of optional type the type of their tensor. */
    ModelProto toTensors(ModelProto model) {
        Set<String> optional = new LinkedHashSet<>();
        for (ValueInfoProto input : model.getGraph().getInputList()) {
            TypeProto element = input.getType().getOptionalType().getElemType();
            boolean scalar = element.getTensorType().hasShape()
                    && element.getTensorType().getShape().getDimCount() == 0;
            if (input.getType().hasOptionalType() && element.hasTensorType() && !scalar) {
                optional.add(input.getName());
            }
        }
        optional.removeAll(readByOthers(model.getGraph()));
        if (optional.isEmpty()) {
            return model;
        }
        GraphProto.Builder graph = replaced(model.getGraph(), optional).toBuilder();
        for (ValueInfoProto.Builder input : graph.getInputBuilderList()) {
            if (optional.contains(input.getName())) {
                input.setType(input.getType().getOptionalType().getElemType());
            }
        }
        return model.toBuilder().setGraph(graph).build();
    }

    /** Values that are read by more than the two operators of optionals, in subgraphs, too. */
    private static Set<String> readByOthers(GraphProto graph) {
        var read = new HashSet<String>();
        graph.getOutputList().forEach(output -> read.add(output.getName()));
        for (NodeProto node : graph.getNodeList()) {
            if (!isOf(node, HAS) && !isOf(node, GET)) {
                read.addAll(node.getInputList());
            }
            for (AttributeProto attribute : node.getAttributeList()) {
                if (attribute.hasG()) {
                    read.addAll(readByOthers(attribute.getG()));
                }
            }
        }
        return read;
    }

    private static boolean isOf(NodeProto node, String operator) {
        return node.getOpType().equals(operator)
                && Model.normalDomain(node.getDomain()).isEmpty()
                && node.getInputCount() == 1;
    }

    private GraphProto replaced(GraphProto graph, Set<String> optional) {
        GraphProto.Builder changed = graph.toBuilder().clearNode();
        for (NodeProto node : graph.getNodeList()) {
            boolean reads = node.getInputCount() == 1 && optional.contains(node.getInput(0));
            if (reads && isOf(node, HAS)) {
                ofOptionalType.add(node.getInput(0));
                String size = node.getOutput(0) + ".size";
                changed.addNode(NodeProto.newBuilder()
                        .setOpType("Size")
                        .addInput(node.getInput(0))
                        .addOutput(size));
                changed.addNode(NodeProto.newBuilder()
                        .setOpType("Cast")
                        .addInput(size)
                        .addOutput(node.getOutput(0))
                        .addAttribute(AttributeProto.newBuilder()
                                .setName("to")
                                .setType(AttributeProto.AttributeType.INT)
                                .setI(ElementType.BOOL.number())));
            } else if (reads && isOf(node, GET)) {
                changed.addNode(node.toBuilder().setOpType("Identity"));
            } else {
                changed.addNode(withSubgraphs(node, optional));
            }
        }
        return changed.build();
    }

    private NodeProto withSubgraphs(NodeProto node, Set<String> optional) {
        if (node.getAttributeList().stream().noneMatch(AttributeProto::hasG)) {
            return node;
        }
        NodeProto.Builder changed = node.toBuilder();
        for (AttributeProto.Builder attribute : changed.getAttributeBuilderList()) {
            if (attribute.hasG()) {
                attribute.setG(replaced(attribute.getG(), optional));
            }
        }
        return changed.build();
    }

    /** Second step, once every shape is known: makes the first dimension variable, and computes the defaults. */
    ModelProto withDefaults(ModelProto model) {
        if (ofOptionalType.isEmpty() && files.optionalInputs().isEmpty()) {
            return model;
        }
        GraphProto.Builder graph = model.getGraph().toBuilder();
        graph.getInputBuilderList().stream()
                .filter(input -> ofOptionalType.contains(input.getName()))
                .forEach(this::empty);
        files.optionalInputs().stream()
                .filter(name -> !ofOptionalType.contains(name))
                .forEach(name -> override(name, graph));
        return model.toBuilder().setGraph(graph).build();
    }

    private void empty(ValueInfoProto.Builder input) {
        TensorShapeProto.Builder shape =
                input.getTypeBuilder().getTensorTypeBuilder().getShapeBuilder();
        if (shape.getDimCount() == 0) {
            return; // Without a shape, which the signature's reader refuses.
        }
        shape.setDim(0, TensorShapeProto.Dimension.getDefaultInstance());
        List<Long> sizes = new ArrayList<>(List.of(0L));
        shape.getDimList().stream().skip(1).forEach(dim -> sizes.add(Math.max(0, dim.getDimValue())));
        defaults.add(InputDefault.of(input.getName(), sizes, new byte[0]));
    }

    private void override(String name, GraphProto.Builder graph) {
        Optional<TensorProto> found = graph.getInitializerList().stream()
                .filter(tensor -> tensor.getName().equals(name))
                .findFirst();
        if (found.isEmpty()) {
            faults.add(
                    PATH.formatted(name),
                    "the model has no initializer of this name, whose value a request without this input would get");
            return;
        }
        value(name, found.get()).ifPresent(value -> {
            graph.removeInitializer(graph.getInitializerList().indexOf(found.get()));
            if (graph.getInputList().stream().noneMatch(input -> input.getName().equals(name))) {
                graph.addInput(input(found.get()));
            }
            defaults.add(InputDefault.of(name, found.get().getDimsList(), value));
        });
    }

    /** Empty after adding a fault. */
    private Optional<byte[]> value(String name, TensorProto tensor) {
        if (DataType.ofOnnx(tensor.getDataType())
                .filter(type -> type != DataType.BYTES)
                .isEmpty()) {
            faults.add(PATH.formatted(name), "only numbers have defaults; delete this entry");
            return Optional.empty();
        }
        Optional<TensorSource> source = new TensorCheck(files, faults).check("initializer '" + name + "'", tensor);
        if (source.filter(bytes -> bytes.size() > InputDefault.MAX_BYTES).isPresent()) {
            faults.add(
                    PATH.formatted(name),
                    "its default has %,d bytes, at most %,d are allowed; delete this entry",
                    source.get().size(),
                    InputDefault.MAX_BYTES);
            return Optional.empty();
        }
        return source.map(OptionalInputs::read);
    }

    private static byte[] read(TensorSource source) {
        try {
            return source.bytes().toByteArray();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static ValueInfoProto input(TensorProto tensor) {
        TypeProto.Tensor.Builder type = TypeProto.Tensor.newBuilder().setElemType(tensor.getDataType());
        TensorShapeProto.Builder shape = type.getShapeBuilder();
        tensor.getDimsList().forEach(size -> shape.addDimBuilder().setDimValue(size));
        return ValueInfoProto.newBuilder()
                .setName(tensor.getName())
                .setType(TypeProto.newBuilder().setTensorType(type))
                .build();
    }
}
