package io.knabla.functions.unit;

import static io.knabla.functions.unit.GraphManifest.SCHEMA;
import static io.knabla.functions.unit.GraphManifest.SCHEMA_CLASSES;
import static io.knabla.functions.unit.GraphManifest.SCHEMA_DEFAULTS;
import static io.knabla.functions.unit.GraphManifest.SCHEMA_LABELS;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.knabla.functions.unit.TrainingSpec.Setting;
import io.knabla.functions.unit.TrainingSpec.StateTensor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/** Parses a manifest field by field in canonical order and stops at the first unexpected token. */
final class ManifestReader {
    private final JsonParser in;

    private ManifestReader(JsonParser in) {
        this.in = in;
    }

    static UnitManifest read(byte[] json) {
        try (JsonParser in = ManifestJson.JSON.createParser(json)) {
            return new ManifestReader(in).manifest();
        } catch (JacksonException bad) {
            throw UnitException.badManifest(bad.getOriginalMessage(), bad);
        } catch (IOException | IllegalArgumentException | ArithmeticException bad) {
            throw UnitException.badManifest(bad.getMessage(), bad);
        }
    }

    private UnitManifest manifest() throws IOException {
        expect(JsonToken.START_OBJECT);
        long schema = number("schema");
        if (schema > FileManifest.SCHEMA) {
            throw UnitException.newerSchema(schema);
        }
        if (schema < 1) {
            throw UnitException.badManifest("schema is " + schema + ", must be 1 or more");
        }
        UnitManifest manifest = schema == FileManifest.SCHEMA ? files() : graphs(schema);
        if (in.nextToken() != null) {
            throw unexpected("the end");
        }
        return manifest;
    }

    private FileManifest files() throws IOException {
        String type = string("type");
        field("files");
        expect(JsonToken.START_ARRAY);
        var files = new LinkedHashMap<String, Blob>();
        String last = "";
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (files.size() == ManifestLimits.FILES) {
                throw UnitException.badManifest("more than " + ManifestLimits.FILES + " files");
            }
            at(JsonToken.START_OBJECT);
            String name = string("name");
            if (name.compareTo(last) <= 0) {
                throw UnitException.badManifest("file '%s' comes after '%s'".formatted(name, last));
            }
            field("blob");
            files.put(name, blob());
            expect(JsonToken.END_OBJECT);
            last = name;
        }
        expect(JsonToken.END_OBJECT);
        return new FileManifest(type, files);
    }

    private GraphManifest graphs(long schema) throws IOException {
        field("graph");
        Blob graph = blob();
        List<Blob> weights = weights();
        List<TensorSpec> inputs = tensors("inputs");
        List<TensorSpec> outputs = tensors("outputs");
        field("batchable");
        boolean batchable = bool();
        field("model");
        expect(JsonToken.START_OBJECT);
        var model = new GraphManifest.ModelVersion(number("irVersion"), number("opset"));
        expect(JsonToken.END_OBJECT);
        var plain = new GraphManifest(SCHEMA, graph, weights, inputs, outputs, batchable, model);
        if (schema > SCHEMA) {
            return beside(plain, schema);
        }
        expect(JsonToken.END_OBJECT);
        return plain;
    }

    /** Reads the fields that schemas 2 to 5 add to those of schema 1. */
    private GraphManifest beside(GraphManifest plain, long schema) throws IOException {
        Optimization optimization = Optimization.valueOf(string("optimization"));
        List<EntryPoint> entries = entries();
        Optional<TrainingSpec> training = Optional.empty();
        boolean more = in.nextToken() == JsonToken.FIELD_NAME;
        if (more && !at("labels", schema, SCHEMA_LABELS) && !atLast(schema)) {
            training = Optional.of(training());
            more = in.nextToken() == JsonToken.FIELD_NAME;
        }
        Optional<LabelRange> labels = Optional.empty();
        if (more && !atLast(schema)) {
            labels = Optional.of(labels());
            more = in.nextToken() == JsonToken.FIELD_NAME;
        }
        List<ClassNames> classes = List.of();
        if (more && at("classes", schema, SCHEMA_CLASSES)) {
            classes = classes();
            more = in.nextToken() == JsonToken.FIELD_NAME;
        }
        List<InputDefault> defaults = List.of();
        if (more && at("defaults", schema, SCHEMA_DEFAULTS)) {
            defaults = defaults();
            in.nextToken();
        }
        at(JsonToken.END_OBJECT);
        GraphManifest whole = plain.with(optimization, entries, training, labels)
                .with(classes)
                .withDefaults(defaults);
        if (whole.schema() != schema) {
            throw UnitException.badManifest(
                    "schema is %d, but what is in it needs schema %d".formatted(schema, whole.schema()));
        }
        return whole;
    }

    private boolean at(String field, long schema, int since) throws IOException {
        return schema >= since && in.currentName().equals(field);
    }

    /** At one of the fields that come after training and labels. */
    private boolean atLast(long schema) throws IOException {
        return at("classes", schema, SCHEMA_CLASSES) || at("defaults", schema, SCHEMA_DEFAULTS);
    }

    private List<InputDefault> defaults() throws IOException {
        expect(JsonToken.START_ARRAY);
        var defaults = new ArrayList<InputDefault>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (defaults.size() == ManifestLimits.TENSORS) {
                throw UnitException.badManifest("more than " + ManifestLimits.TENSORS + " defaults of inputs");
            }
            at(JsonToken.START_OBJECT);
            String input = string("input");
            field("shape");
            expect(JsonToken.START_ARRAY);
            var shape = new ArrayList<Long>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                at(JsonToken.VALUE_NUMBER_INT);
                if (in.getLongValue() < 0 || shape.size() == ManifestLimits.DIMENSIONS) {
                    throw UnitException.badManifest("the shape of the default of '" + input + "' is impossible");
                }
                shape.add(in.getLongValue());
            }
            defaults.add(new InputDefault(input, shape, string("base64")));
            expect(JsonToken.END_OBJECT);
        }
        return defaults;
    }

    private List<ClassNames> classes() throws IOException {
        expect(JsonToken.START_ARRAY);
        var classes = new ArrayList<ClassNames>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (classes.size() == ManifestLimits.TENSORS) {
                throw UnitException.badManifest("more than " + ManifestLimits.TENSORS + " outputs with classes");
            }
            at(JsonToken.START_OBJECT);
            String output = string("output");
            DataType type = DataType.valueOf(string("datatype"));
            field("names");
            expect(JsonToken.START_ARRAY);
            var names = new ArrayList<String>();
            while (in.nextToken() != JsonToken.END_ARRAY) {
                at(JsonToken.VALUE_STRING);
                names.add(in.getText());
            }
            expect(JsonToken.END_OBJECT);
            classes.add(new ClassNames(output, type, names));
        }
        return classes;
    }

    private LabelRange labels() throws IOException {
        named("labels");
        expect(JsonToken.START_OBJECT);
        String input = string("input");
        long classes = number("classes");
        Optional<Long> ignored = Optional.empty();
        if (in.nextToken() == JsonToken.FIELD_NAME) {
            named("ignored");
            expect(JsonToken.VALUE_NUMBER_INT);
            ignored = Optional.of(in.getLongValue());
            in.nextToken();
        }
        at(JsonToken.END_OBJECT);
        return new LabelRange(input, classes, ignored);
    }

    private List<EntryPoint> entries() throws IOException {
        field("entries");
        expect(JsonToken.START_ARRAY);
        var entries = new ArrayList<EntryPoint>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (entries.size() == ManifestLimits.ENTRIES) {
                throw UnitException.badManifest("more than " + ManifestLimits.ENTRIES + " entries");
            }
            at(JsonToken.START_OBJECT);
            String name = string("name");
            field("graph");
            Blob graph = blob();
            List<TensorSpec> inputs = tensors("inputs");
            List<TensorSpec> outputs = tensors("outputs");
            Optimization optimization = Optimization.valueOf(string("optimization"));
            expect(JsonToken.END_OBJECT);
            entries.add(new EntryPoint(name, graph, inputs, outputs, optimization));
        }
        return entries;
    }

    private TrainingSpec training() throws IOException {
        named("training");
        expect(JsonToken.START_OBJECT);
        List<StateTensor> state = state();
        field("initial");
        Blob initial = blob();
        field("settings");
        expect(JsonToken.START_ARRAY);
        var settings = new ArrayList<Setting>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (settings.size() == ManifestLimits.ENTRIES) {
                throw UnitException.badManifest("more than " + ManifestLimits.ENTRIES + " settings");
            }
            at(JsonToken.START_OBJECT);
            settings.add(new Setting(string("input"), real("otherwise")));
            expect(JsonToken.END_OBJECT);
        }
        expect(JsonToken.END_OBJECT);
        return new TrainingSpec(state, initial, settings);
    }

    private List<StateTensor> state() throws IOException {
        field("state");
        expect(JsonToken.START_ARRAY);
        var state = new ArrayList<StateTensor>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (state.size() == ManifestLimits.TENSORS) {
                throw UnitException.badManifest("more than " + ManifestLimits.TENSORS + " state tensors");
            }
            at(JsonToken.START_OBJECT);
            String output = string("output");
            field("tensor");
            in.nextToken();
            TensorSpec tensor = tensor();
            expect(JsonToken.END_OBJECT);
            state.add(new StateTensor(tensor.name(), output, tensor));
        }
        return state;
    }

    private double real(String name) throws IOException {
        field(name);
        JsonToken token = in.nextToken();
        if (token != JsonToken.VALUE_NUMBER_FLOAT && token != JsonToken.VALUE_NUMBER_INT) {
            throw unexpected("a number");
        }
        return in.getDoubleValue();
    }

    private List<Blob> weights() throws IOException {
        field("weights");
        expect(JsonToken.START_ARRAY);
        var weights = new ArrayList<Blob>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            weights.add(blobOpened());
        }
        return weights;
    }

    private Blob blob() throws IOException {
        in.nextToken();
        return blobOpened();
    }

    private Blob blobOpened() throws IOException {
        at(JsonToken.START_OBJECT);
        var blob = new Blob(new Digest(string("digest")), number("size"));
        expect(JsonToken.END_OBJECT);
        return blob;
    }

    private List<TensorSpec> tensors(String name) throws IOException {
        field(name);
        expect(JsonToken.START_ARRAY);
        var tensors = new ArrayList<TensorSpec>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            if (tensors.size() == ManifestLimits.TENSORS) {
                throw UnitException.badManifest("more than " + ManifestLimits.TENSORS + " " + name);
            }
            tensors.add(tensor());
        }
        return tensors;
    }

    private TensorSpec tensor() throws IOException {
        at(JsonToken.START_OBJECT);
        String name = string("name");
        DataType type = DataType.valueOf(string("datatype"));
        field("shape");
        expect(JsonToken.START_ARRAY);
        var shape = new ArrayList<Long>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            at(JsonToken.VALUE_NUMBER_INT);
            long size = in.getLongValue();
            if (size < -1 || shape.size() == ManifestLimits.DIMENSIONS) {
                throw UnitException.badManifest("the shape of tensor '" + name + "' is impossible");
            }
            shape.add(size);
        }
        field("symbols");
        expect(JsonToken.START_ARRAY);
        var symbols = new ArrayList<String>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            at(JsonToken.VALUE_STRING);
            if (symbols.size() == ManifestLimits.DIMENSIONS) {
                throw UnitException.badManifest("tensor '" + name + "' has too many symbols");
            }
            symbols.add(in.getText());
        }
        expect(JsonToken.END_OBJECT);
        return new TensorSpec(name, type, shape, symbols);
    }

    private long number(String name) throws IOException {
        field(name);
        expect(JsonToken.VALUE_NUMBER_INT);
        return in.getLongValue();
    }

    private String string(String name) throws IOException {
        field(name);
        expect(JsonToken.VALUE_STRING);
        return in.getText();
    }

    private boolean bool() throws IOException {
        JsonToken token = in.nextToken();
        if (token != JsonToken.VALUE_TRUE && token != JsonToken.VALUE_FALSE) {
            throw unexpected("true or false");
        }
        return token == JsonToken.VALUE_TRUE;
    }

    private void field(String name) throws IOException {
        in.nextToken();
        named(name);
    }

    private void named(String name) throws IOException {
        if (in.currentToken() != JsonToken.FIELD_NAME || !in.currentName().equals(name)) {
            throw unexpected("the field '" + name + "'");
        }
    }

    private void expect(JsonToken wanted) throws IOException {
        in.nextToken();
        at(wanted);
    }

    private void at(JsonToken wanted) throws IOException {
        if (in.currentToken() != wanted) {
            throw unexpected(wanted.name());
        }
    }

    private UnitException unexpected(String wanted) {
        JsonToken token = in.currentToken();
        return UnitException.badManifest("at byte %d: expected %s, found %s"
                .formatted(
                        in.currentTokenLocation().getByteOffset(), wanted, token == null ? "the end" : token.name()));
    }
}
