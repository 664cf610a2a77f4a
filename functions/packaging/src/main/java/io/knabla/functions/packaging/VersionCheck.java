package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import io.knabla.functions.compiler.onnx.Model;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Checks that the engine supports the model's IR version and opsets. */
final class VersionCheck {
    private VersionCheck() {}

    static void check(Model model, FaultCollector faults, List<String> warnings) {
        if (model.irVersion() < 1 || model.irVersion() > EngineSupport.MAX_IR) {
            faults.add(
                    "ir_version",
                    "is %d, %s loads 1 to %d; export the model again with an older onnx package or set ir_version",
                    model.irVersion(),
                    EngineSupport.NAME,
                    EngineSupport.MAX_IR);
        }
        if (model.opset() == 0 && usesOnnxDomain(model)) {
            faults.add("opset_import", "has no version for the domain 'ai.onnx'; add one, such as 21, or export again");
        }
        versions(model).forEach((domain, versions) -> {
            if (versions.size() > 1) {
                faults.add(
                        "opset_import",
                        "names the domain '%s' with the versions %s; keep the one that the nodes were written for and delete the others from model.opset_import",
                        shown(domain),
                        versions.stream().map(String::valueOf).collect(Collectors.joining(" and ")));
            }
            versions.forEach(version -> version(domain, version, faults, warnings));
        });
    }

    /** Exporters such as skl2onnx write one domain and version twice, which ONNX Runtime accepts. */
    private static Map<String, Set<Long>> versions(Model model) {
        var versions = new LinkedHashMap<String, Set<Long>>();
        for (OperatorSetIdProto opset : model.proto().getOpsetImportList()) {
            versions.computeIfAbsent(Model.normalDomain(opset.getDomain()), _ -> new LinkedHashSet<>())
                    .add(opset.getVersion());
        }
        return versions;
    }

    private static void version(String domain, long version, FaultCollector faults, List<String> warnings) {
        Long newest = EngineSupport.OPSETS.get(domain);
        if (newest == null) {
            return;
        }
        if (version < 1 || version > newest) {
            faults.add(
                    "opset_import",
                    "has version %d of '%s', %s knows 1 to %d; export with an opset in that range",
                    version,
                    shown(domain),
                    EngineSupport.NAME,
                    newest);
        } else if (domain.isEmpty() && version < EngineSupport.OLDEST_GOOD_OPSET) {
            warnings.add(
                    "opset %d is older than %d, the first that %s promises to run; convert the model with onnx.version_converter if it fails"
                            .formatted(version, EngineSupport.OLDEST_GOOD_OPSET, EngineSupport.NAME));
        }
    }

    private static boolean usesOnnxDomain(Model model) {
        return model.graph().nodes().stream().anyMatch(node -> node.domain().isEmpty());
    }

    private static String shown(String domain) {
        return domain.isEmpty() ? "ai.onnx" : domain;
    }
}
