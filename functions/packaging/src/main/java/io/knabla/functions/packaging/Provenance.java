package io.knabla.functions.packaging;

import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import io.knabla.functions.compiler.autodiff.options.Gradient;
import io.knabla.functions.compiler.optimize.quantize.Quantization;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.unit.Digest;

/**
 * Records the origin of a generated graph in its {@code metadata_props}: source digest, transformation, rule version,
 * entry.
 */
record Provenance(Digest source, String transform) {
    /** Version of the transformation rules; incremented when the same model and options give another graph. */
    static final int RULES = 1;

    static final String SOURCE = "knabla.source";
    static final String TRANSFORM = "knabla.transform";
    static final String RULE_SET = "knabla.rules";
    static final String ENTRY = "knabla.entry";

    static Provenance of(Digest source, String kind, Gradient gradient) {
        return new Provenance(
                source, FunctionYaml.gradientToJson(gradient).put("kind", kind).toString());
    }

    static Provenance ofQuantized(Digest source, Quantization quantization) {
        return new Provenance(
                source,
                "{\"kind\":\"QUANTIZE\",\"type\":\"%s\",\"weightBits\":%d}"
                        .formatted(
                                quantization.getClass().getSimpleName(),
                                quantization.options().weightBits()));
    }

    static Provenance ofHalf(Digest source) {
        return new Provenance(source, "{\"kind\":\"HALF\"}");
    }

    ModelProto addTo(ModelProto model, String entry) {
        return model.toBuilder()
                .addMetadataProps(property(SOURCE, source.value()))
                .addMetadataProps(property(TRANSFORM, transform))
                .addMetadataProps(property(RULE_SET, Integer.toString(RULES)))
                .addMetadataProps(property(ENTRY, entry))
                .build();
    }

    private static StringStringEntryProto property(String key, String value) {
        return StringStringEntryProto.newBuilder().setKey(key).setValue(value).build();
    }
}
