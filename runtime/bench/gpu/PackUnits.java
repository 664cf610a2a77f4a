import io.knabla.functions.packaging.GradientRequests;
import io.knabla.functions.packaging.ModelFiles;
import io.knabla.functions.packaging.Packager;
import io.knabla.functions.packaging.PackagingResult;
import io.knabla.functions.spec.FunctionSpec;
import io.knabla.functions.spec.FunctionYaml;
import io.knabla.functions.spec.Parsed;
import io.knabla.storage.ObjectStore;
import io.knabla.storage.setup.Stores;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Packages the samples for run.sh, as a deploy does: {@code java PackUnits.java SAMPLES OUT}. Writes the store, each
 * sample's request, and {@code units.tsv}: name, unit, type.
 */
void main(String[] arguments) throws Exception {
    Path samples = Path.of(arguments[0]).toAbsolutePath();
    Path out = Path.of(arguments[1]).toAbsolutePath();
    ObjectStore store = Stores.open(out.resolve("store").toUri());
    var units = new StringBuilder();
    // The training step changes its state, and the others are of types that compute on the CPU only.
    for (String name : List.of("add-sub", "digits", "digits-gradient", "exp", "lecture", "text-similarity")) {
        Path folder = samples.resolve(name);
        FunctionSpec spec = spec(folder.resolve("function.yaml"));
        Path model = folder.resolve(spec.model()).normalize();
        switch (Packager.pack(new ModelFiles(model, _ -> Optional.empty()), GradientRequests.of(spec), store)) {
            case PackagingResult.Packaged packaged ->
                units.append("%s\t%s\t%s\n".formatted(name, packaged.unit().value(), spec.type()));
            case PackagingResult.Refused refused ->
                throw new IllegalStateException("the packager refuses the sample %s: %s".formatted(name, refused.faults()));
        }
        Files.createDirectories(out.resolve("requests"));
        Files.copy(folder.resolve("request.json"), out.resolve("requests").resolve(name + ".json"));
    }
    Files.writeString(out.resolve("units.tsv"), units);
}

FunctionSpec spec(Path file) throws IOException {
    return switch (FunctionYaml.parse(Files.readString(file))) {
        case Parsed.Valid valid -> valid.resource().spec();
        case Parsed.Invalid invalid -> throw new IllegalStateException(file + " is not valid: " + invalid.faults());
    };
}
