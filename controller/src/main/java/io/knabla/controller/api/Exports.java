package io.knabla.controller.api;

import io.knabla.controller.catalog.FunctionId;
import io.knabla.controller.catalog.FunctionRecord;
import io.knabla.controller.catalog.StateKeys;
import io.knabla.controller.catalog.Version;
import io.knabla.functions.packaging.ModelExport;
import io.knabla.storage.ObjectStore;
import jakarta.inject.Singleton;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.core.StreamingOutput;
import java.io.IOException;

/** Answers a download with the model of a version, whole or its weights alone, as one file. */
@Singleton
final class Exports {
    private final Lookup lookup;
    private final ObjectStore store;

    Exports(Lookup lookup, ObjectStore store) {
        this.lookup = lookup;
        this.store = store;
    }

    /** @throws ProblemException if there is no such version, or its model is no graph, too large or damaged */
    Response answer(String namespace, String name, String number, ExportForm form) {
        FunctionRecord record = lookup.function(lookup.id(namespace, name));
        Version version = lookup.version(record, number);
        refuseTexts(record.id(), version);
        try {
            return answer(name, version, form, open(record.id(), version));
        } catch (ModelExport.TooLargeException tooLarge) {
            throw new ProblemException(501, tooLarge.getMessage());
        } catch (IOException broken) {
            throw new ProblemException(
                    500,
                    "cannot read the model of version %d of %s: %s"
                            .formatted(version.number(), record.id(), broken.getMessage()));
        }
    }

    /** Their units keep the weights in the engine's order, not in that of the folder. */
    private static void refuseTexts(FunctionId id, Version version) {
        if (version.spec().takesText()) {
            throw new ProblemException(
                    400,
                    "version %d of %s has type %s, whose model is the folder that it was deployed from; functions of type Inference, Gradient and TrainingStep can be exported"
                            .formatted(version.number(), id, version.spec().type()));
        }
    }

    private ModelExport open(FunctionId id, Version version) throws IOException {
        return ModelExport.of(version.unit(), StateKeys.of(id, version), store);
    }

    private static Response answer(String name, Version version, ExportForm form, ModelExport export)
            throws IOException {
        long size = size(form, export);
        StreamingOutput body = ClientStream.of(out -> {
            try (export) {
                form.write(export, out);
            }
        });
        String file = "%s-v%d.%s".formatted(name, version.number(), form.ending());
        return Response.ok(body)
                .header("Content-Length", size)
                .header("Content-Disposition", "attachment; filename=\"%s\"".formatted(file))
                .build();
    }

    /** Closes what cannot be answered with. */
    private static long size(ExportForm form, ModelExport export) throws IOException {
        try {
            return form.size(export);
        } catch (IOException | RuntimeException failed) {
            export.close();
            throw failed;
        }
    }
}
