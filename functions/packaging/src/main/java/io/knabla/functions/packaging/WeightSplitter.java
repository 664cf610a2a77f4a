package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.AttributeProto;
import ai.onnx.proto.OnnxMl.FunctionProto;
import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import io.knabla.functions.compiler.onnx.Limits;
import io.knabla.functions.compiler.onnx.TensorProtos;
import io.knabla.functions.unit.Blob;
import io.knabla.functions.unit.Sha256;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Moves the large initializers of a model into separate blobs, named by digest, which the engine can map and versions
 * can share. Everything else stays unchanged and in order, so the same model always gives the same bytes.
 */
final class WeightSplitter {
    /** Minimum size of an initializer that becomes a blob. */
    static final long BLOB_BYTES = 64 << 10;

    static final String LOCATION = "location";

    private static final long MAX_INLINED = 1L << 30;

    /**
     * A model without its large weights.
     *
     * @param blobs the weights, in the order of their first use
     */
    record Split(ModelProto model, Map<Blob, TensorSource> blobs) {}

    private final TensorCheck tensors;
    private final FaultCollector faults;
    private final Map<Blob, TensorSource> blobs = new LinkedHashMap<>();

    /** Blobs of an earlier split, by hex digest. */
    private final Map<String, Blob> known;

    private long inlined;

    private WeightSplitter(ModelFiles files, Map<String, Blob> known, FaultCollector faults) {
        this.tensors = new TensorCheck(files, faults);
        this.known = known;
        this.faults = faults;
    }

    static Split split(ModelProto model, ModelFiles files, FaultCollector faults) {
        return new WeightSplitter(files, Map.of(), faults).split(model);
    }

    /** Splits a graph derived from a split model: known blobs stay, and new ones are added. */
    static Split split(ModelProto model, Map<Blob, TensorSource> before, FaultCollector faults) {
        Map<String, Blob> known = new HashMap<>();
        before.keySet().forEach(blob -> known.put(blob.digest().hex(), blob));
        return new WeightSplitter(new ModelFiles(Path.of(""), _ -> Optional.empty()), known, faults).split(model);
    }

    private Split split(ModelProto model) {
        ModelProto.Builder changed = model.toBuilder();
        changed.setGraph(graph("graph", model.getGraph(), true));
        for (FunctionProto function : model.getFunctionsList()) {
            nodes("functions['" + StructureCheck.shown(function.getName()) + "']", function.getNodeList());
        }
        return new Split(changed.build(), blobs);
    }

    /**
     * @param top whether large initializers become blobs; those of subgraphs stay, because the engine accepts no
     *     hard-linked files there
     */
    private GraphProto graph(String path, GraphProto graph, boolean top) {
        GraphProto.Builder changed = graph.toBuilder();
        for (int i = 0; i < graph.getInitializerCount(); i++) {
            TensorProto tensor = graph.getInitializer(i);
            String at = path + ".initializer['" + StructureCheck.shown(tensor.getName()) + "']";
            TensorProto split = initializer(at, tensor, top);
            if (split != tensor) {
                changed.setInitializer(i, split);
            }
        }
        for (var sparse : graph.getSparseInitializerList()) {
            keptInline(path + ".sparse_initializer", sparse.getValues());
            keptInline(path + ".sparse_initializer", sparse.getIndices());
        }
        List<NodeProto> nodes = nodes(path, graph.getNodeList());
        for (int i = 0; i < nodes.size(); i++) {
            if (nodes.get(i) != graph.getNode(i)) {
                changed.setNode(i, nodes.get(i));
            }
        }
        return changed.build();
    }

    private List<NodeProto> nodes(String path, List<NodeProto> nodes) {
        return IntStream.range(0, nodes.size())
                .mapToObj(i -> node("%s.node[%d]".formatted(path, i), nodes.get(i)))
                .toList();
    }

    private NodeProto node(String path, NodeProto node) {
        NodeProto.Builder changed = null;
        for (int i = 0; i < node.getAttributeCount(); i++) {
            AttributeProto attribute = node.getAttribute(i);
            AttributeProto split = attribute(path + "." + StructureCheck.shown(attribute.getName()), attribute);
            if (split != attribute) {
                changed = changed == null ? node.toBuilder() : changed;
                changed.setAttribute(i, split);
            }
        }
        return changed == null ? node : changed.build();
    }

    private AttributeProto attribute(String path, AttributeProto attribute) {
        for (TensorProto tensor : attribute.getTensorsList()) {
            keptInline(path, tensor);
        }
        for (GraphProto graph : attribute.getGraphsList()) {
            if (graph.getNodeCount() > 0) {
                faults.add(path, "is a list of graphs, which no operator takes");
            }
        }
        if (attribute.hasG()) {
            GraphProto split = graph(path, attribute.getG(), false);
            return split.equals(attribute.getG())
                    ? attribute
                    : attribute.toBuilder().setG(split).build();
        }
        if (attribute.hasT()) {
            TensorProto inline = attributeTensor(path, attribute.getT());
            return inline == attribute.getT()
                    ? attribute
                    : attribute.toBuilder().setT(inline).build();
        }
        return attribute;
    }

    private TensorProto attributeTensor(String path, TensorProto tensor) {
        Optional<TensorSource> source = tensors.check(path, tensor);
        if (source.isEmpty()) {
            return tensor;
        }
        if (source.get().size() > Limits.DEFAULT.attributeBytes()) {
            faults.add(
                    path,
                    "is a constant of %d bytes, at most %d are allowed; make it an initializer",
                    source.get().size(),
                    Limits.DEFAULT.attributeBytes());
            return tensor;
        }
        return TensorProtos.isExternal(tensor) ? inline(path, tensor, source.get()) : tensor;
    }

    private TensorProto initializer(String path, TensorProto tensor, boolean top) {
        if (top && isKnown(tensor)) {
            return tensor;
        }
        Optional<TensorSource> source = tensors.check(path, tensor);
        if (source.isEmpty() || source.get() instanceof TensorSource.Inline) {
            return tensor;
        }
        if (top && source.get().size() >= BLOB_BYTES) {
            return external(tensor, blob(source.get()));
        }
        return TensorProtos.isExternal(tensor) ? inline(path, tensor, source.get()) : tensor;
    }

    private boolean isKnown(TensorProto tensor) {
        return TensorProtos.isExternal(tensor)
                && TensorProtos.external(tensor, LOCATION)
                        .filter(known::containsKey)
                        .isPresent();
    }

    private void keptInline(String path, TensorProto tensor) {
        if (TensorProtos.isExternal(tensor)) {
            faults.add(path, "has external data; that is allowed for initializers and constants only");
        }
    }

    private Blob blob(TensorSource source) {
        try (InputStream in = source.open()) {
            var blob = new Blob(Sha256.of(in), source.size());
            blobs.putIfAbsent(blob, source);
            return blob;
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private TensorProto inline(String path, TensorProto tensor, TensorSource source) {
        inlined += source.size();
        if (inlined > MAX_INLINED) {
            faults.add(
                    path,
                    "has external data that must be stored inside the graph, which holds at most 1 GiB of such data; make it an initializer of the main graph");
            return tensor;
        }
        try {
            return bare(tensor).setRawData(source.bytes()).build();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    private static TensorProto external(TensorProto tensor, Blob blob) {
        return bare(tensor)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                .addExternalData(entry(LOCATION, blob.digest().hex()))
                .addExternalData(entry("offset", "0"))
                .addExternalData(entry("length", Long.toString(blob.size())))
                .build();
    }

    private static StringStringEntryProto entry(String key, String value) {
        return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
    }

    /** Copies a tensor without its data. */
    static TensorProto.Builder bare(TensorProto tensor) {
        return tensor.toBuilder()
                .clearRawData()
                .clearFloatData()
                .clearDoubleData()
                .clearInt32Data()
                .clearInt64Data()
                .clearUint64Data()
                .clearExternalData()
                .clearDataLocation();
    }
}
