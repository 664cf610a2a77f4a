package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import io.knabla.functions.compiler.onnx.Model;
import java.util.HashSet;
import java.util.List;

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
        var seen = new HashSet<String>();
        for (OperatorSetIdProto opset : model.proto().getOpsetImportList()) {
            String domain = Model.normalDomain(opset.getDomain());
            if (!seen.add(domain)) {
                faults.add("opset_import", "names the domain '%s' twice", shown(domain));
            }
            version(domain, opset.getVersion(), faults, warnings);
        }
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
