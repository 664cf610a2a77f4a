package io.knabla.functions.compiler.importer;

import io.knabla.functions.Fault;
import io.knabla.functions.compiler.interpreter.ConstantFolding;
import io.knabla.functions.compiler.ir.Builder;
import io.knabla.functions.compiler.ir.Dag;
import io.knabla.functions.compiler.ir.Lowering;
import io.knabla.functions.compiler.ir.Value;
import io.knabla.functions.compiler.onnx.ElementType;
import io.knabla.functions.compiler.onnx.Graph;
import io.knabla.functions.compiler.onnx.Model;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Imports a model into SSA form and lowers every operation to opset 20. Inlines functions, lowers composite operations
 * to primitives, takes branches with a known condition, and folds constants. Reports every operation that it cannot
 * import.
 */
public final class Importer {
    /** Target opset of every operation, unless the file's is newer. */
    public static final long OPSET = 20;

    /** Outcome of an import. */
    public sealed interface ImportResult {
        record Success(Dag dag) implements ImportResult {}

        record Refused(List<Fault> problems) implements ImportResult {
            public Refused {
                problems = List.copyOf(problems);
            }
        }
    }

    private Importer() {}

    /** The model must have passed the structural checks of packaging. */
    public static ImportResult read(Model model) {
        return read(model, Lowerings.STANDARD);
    }

    public static ImportResult read(Model model, Lowering lowering) {
        var problems = new ArrayList<Fault>();
        var builder = new Builder(Math.max(OPSET, model.opset()));
        var lists = new SequenceLowering(lowering);
        var reading = new GraphReader(model, builder, lists, problems);
        Graph graph = DeduplicatedParameters.restore(model.graph());
        var names = new SymbolTable(null);
        Map<String, Value> initializers = reading.initializers(graph, names);
        var inputs = new LinkedHashMap<String, Value>();
        graph.inputs().forEach((name, type) -> {
            if (!graph.initializers().containsKey(name)) {
                inputs.put(name, builder.input(name, type));
                if (type.element() == ElementType.UNDEFINED) {
                    problems.add(notATensor("input", name));
                }
            }
        });
        inputs.forEach(names::put);
        reading.nodes(graph.nodes(), ImportContext.main(graph, names, model.opsets()));
        var outputs = new LinkedHashMap<String, Value>();
        for (String name : graph.outputs().keySet()) {
            names.find(name).ifPresent(value -> outputs.put(name, value));
            if (names.find(name).filter(lists::isSequence).isPresent()) {
                problems.add(notATensor("output", name));
            }
        }
        if (!problems.isEmpty()) {
            return new ImportResult.Refused(problems);
        }
        var domains = new HashMap<>(model.opsets());
        domains.remove("");
        // The outputs of a lowered operation do not carry the names from the file.
        names.all().forEach(builder::name);
        var dag = new Dag(builder, inputs, outputs, initializers, domains);
        return new ImportResult.Success(ConstantFolding.fold(dag));
    }

    private static Fault notATensor(String what, String name) {
        return new Fault(
                "graph.%s['%s']".formatted(what, name),
                "is a sequence, an optional value or of no type; only tensors can be derived");
    }
}
