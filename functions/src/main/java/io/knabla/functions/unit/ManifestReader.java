package io.knabla.functions.unit;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Reads a manifest field by field in canonical order; the first surprise ends it. */
final class ManifestReader {
    private static final int MAX_DIMENSIONS = 64;
    private static final int MAX_TENSORS = 10_000;

    private final JsonParser in;

    private ManifestReader(JsonParser in) {
        this.in = in;
    }

    static UnitManifest read(byte[] json) {
        try (JsonParser in = ManifestJson.JSON.createParser(json)) {
            return new ManifestReader(in).manifest();
        } catch (JacksonException bad) {
            throw UnitException.badManifest(bad.getOriginalMessage(), bad);
        } catch (IOException | IllegalArgumentException bad) {
            throw UnitException.badManifest(bad.getMessage(), bad);
        }
    }

    private UnitManifest manifest() throws IOException {
        expect(JsonToken.START_OBJECT);
        long schema = number("schema");
        if (schema > UnitManifest.SCHEMA) {
            throw UnitException.newerSchema(schema);
        }
        if (schema < 1) {
            throw UnitException.badManifest("schema is " + schema + ", must be 1 or more");
        }
        field("graph");
        Blob graph = blob();
        List<Blob> weights = weights();
        List<TensorSpec> inputs = tensors("inputs");
        List<TensorSpec> outputs = tensors("outputs");
        field("batchable");
        boolean batchable = bool();
        field("model");
        expect(JsonToken.START_OBJECT);
        var model = new UnitManifest.ModelVersion(number("irVersion"), number("opset"));
        expect(JsonToken.END_OBJECT);
        expect(JsonToken.END_OBJECT);
        if (in.nextToken() != null) {
            throw unexpected("the end");
        }
        return new UnitManifest((int) schema, graph, weights, inputs, outputs, batchable, model);
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
            if (tensors.size() == MAX_TENSORS) {
                throw UnitException.badManifest("more than " + MAX_TENSORS + " " + name);
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
            if (size < -1 || shape.size() == MAX_DIMENSIONS) {
                throw UnitException.badManifest("the shape of tensor '" + name + "' is impossible");
            }
            shape.add(size);
        }
        field("symbols");
        expect(JsonToken.START_ARRAY);
        var symbols = new ArrayList<String>();
        while (in.nextToken() != JsonToken.END_ARRAY) {
            at(JsonToken.VALUE_STRING);
            if (symbols.size() == MAX_DIMENSIONS) {
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
        if (in.nextToken() != JsonToken.FIELD_NAME || !in.currentName().equals(name)) {
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
        return UnitException.badManifest(
                "at byte %d: expected %s, found %s"
                        .formatted(
                                in.currentTokenLocation().getByteOffset(),
                                wanted,
                                token == null ? "the end" : token.name()));
    }
}
