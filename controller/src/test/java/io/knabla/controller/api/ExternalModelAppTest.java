package io.knabla.controller.api;

import static io.restassured.RestAssured.given;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.hamcrest.Matchers.containsString;
import static org.hamcrest.Matchers.equalTo;

import ai.onnx.proto.OnnxMl.GraphProto;
import ai.onnx.proto.OnnxMl.ModelProto;
import ai.onnx.proto.OnnxMl.NodeProto;
import ai.onnx.proto.OnnxMl.OperatorSetIdProto;
import ai.onnx.proto.OnnxMl.StringStringEntryProto;
import ai.onnx.proto.OnnxMl.TensorProto;
import ai.onnx.proto.OnnxMl.TensorShapeProto;
import ai.onnx.proto.OnnxMl.TypeProto;
import ai.onnx.proto.OnnxMl.ValueInfoProto;
import io.knabla.controller.home.Home;
import io.knabla.functions.unit.Sha256;
import io.knabla.storage.Content;
import io.knabla.storage.ObjectInfo;
import io.knabla.storage.ObjectKey;
import io.knabla.storage.ObjectStore;
import io.quarkus.test.common.QuarkusTestResource;
import io.quarkus.test.junit.QuarkusTest;
import io.restassured.response.ValidatableResponse;
import jakarta.inject.Inject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Deploys models from other buckets on a platform with an S3 store. */
@QuarkusTest
@QuarkusTestResource(value = S3Home.class, restrictToAnnotatedClass = true)
class ExternalModelAppTest {
    private static final String API = "/api/v1";
    private static final Path ADD_SUB = Path.of("../functions/samples/add-sub/add-sub.onnx");
    private static final int WEIGHTS = 1 << 19;

    @Inject
    Home home;

    @Inject
    ObjectStore store;

    S3Home.Bucket theirs;

    @AfterEach
    void nothingIsLeftOnThisMachine() throws IOException {
        try (var files = Files.list(home.uploads())) {
            assertThat(files).isEmpty();
        }
    }

    private void put(String key, byte[] bytes) throws IOException {
        theirs.store().write(new ObjectKey(key), Content.of(bytes));
    }

    private String address(String key) {
        return "s3://" + theirs.name() + "/" + key;
    }

    private static ValidatableResponse deploy(String name, String spec) {
        String yaml = """
                apiVersion: knabla.dev/v1alpha1
                kind: Function
                metadata: {name: %s}
                spec: %s
                """.formatted(name, spec);
        return given().contentType("application/yaml")
                .body(yaml.getBytes(UTF_8))
                .post(API + "/functions")
                .then();
    }

    private List<String> models() {
        try (var objects = store.list("models/")) {
            return objects.map(ObjectInfo::key).map(ObjectKey::path).toList();
        }
    }

    /** The model {@code y = x + w} with its 2 MiB of weights in {@code data/w.bin}. */
    private static byte[] withWeightsOutside() {
        var weights = TensorProto.newBuilder()
                .setName("w")
                .setDataType(TensorProto.DataType.FLOAT_VALUE)
                .addDims(WEIGHTS)
                .setDataLocation(TensorProto.DataLocation.EXTERNAL)
                .addExternalData(
                        StringStringEntryProto.newBuilder().setKey("location").setValue("data/w.bin"));
        var graph = GraphProto.newBuilder()
                .setName("g")
                .addInput(floats("x"))
                .addOutput(floats("y"))
                .addInitializer(weights)
                .addNode(NodeProto.newBuilder()
                        .setOpType("Add")
                        .addInput("x")
                        .addInput("w")
                        .addOutput("y"));
        return ModelProto.newBuilder()
                .setIrVersion(8)
                .addOpsetImport(OperatorSetIdProto.newBuilder().setVersion(17))
                .setGraph(graph)
                .build()
                .toByteArray();
    }

    private static ValueInfoProto.Builder floats(String name) {
        var shape = TensorShapeProto.newBuilder()
                .addDim(TensorShapeProto.Dimension.newBuilder().setDimValue(WEIGHTS));
        return ValueInfoProto.newBuilder()
                .setName(name)
                .setType(TypeProto.newBuilder()
                        .setTensorType(TypeProto.Tensor.newBuilder()
                                .setElemType(TensorProto.DataType.FLOAT_VALUE)
                                .setShape(shape)));
    }

    private static byte[] weights(long seed) {
        byte[] bytes = new byte[4 * WEIGHTS];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    @Test
    void copiesAModelOncePerState() throws IOException {
        byte[] model = Files.readAllBytes(ADD_SUB);
        put("plain/add-sub.onnx", model);
        String spec = "{model: '%s'}".formatted(address("plain/add-sub.onnx"));
        deploy("plain", spec).statusCode(201).body("version", equalTo(1));
        assertThat(models()).contains("models/" + Sha256.of(model).hex());
        deploy("plain", spec).statusCode(200).body("result", equalTo("unchanged"));
        given().get(API + "/functions/default/plain").then().body("spec.model", equalTo(address("plain/add-sub.onnx")));

        byte[] other = ModelProto.parseFrom(model).toBuilder()
                .setGraph(ModelProto.parseFrom(model).getGraph().toBuilder().setName("another"))
                .build()
                .toByteArray();
        put("plain/add-sub.onnx", other);
        deploy("plain", spec).statusCode(201).body("version", equalTo(2));
        assertThat(models()).contains("models/" + Sha256.of(other).hex());
    }

    @Test
    void copiesWeightsBesideTheModel() throws IOException {
        put("large/model.onnx", withWeightsOutside());
        String spec = "{model: '%s'}".formatted(address("large/model.onnx"));
        deploy("large", spec)
                .statusCode(400)
                .body("faults[0].path", equalTo("spec.model"))
                .body("faults[0].message", containsString("large/data/w.bin"));
        put("large/data/w.bin", weights(1));
        deploy("large", spec).statusCode(201).body("version", equalTo(1));
        deploy("large", spec).statusCode(200).body("result", equalTo("unchanged"));
        put("large/data/w.bin", weights(2));
        deploy("large", spec).statusCode(201).body("version", equalTo(2));
        byte[] exported =
                given().get(API + "/functions/default/large/versions/1/model").asByteArray();
        assertThat(ModelProto.parseFrom(exported)
                        .getGraph()
                        .getInitializer(0)
                        .getRawData()
                        .toByteArray())
                .isEqualTo(weights(1));
    }

    @Test
    void copiesWeightsFromExplicitAddresses() throws IOException {
        byte[] model = withWeightsOutside();
        put("apart/weights", weights(3));
        given().body(model).put(API + "/models/" + Sha256.of(model).value());
        String spec =
                "{model: '%s', externalData: {data/w.bin: '%s'}}".formatted(Sha256.of(model), address("apart/weights"));
        deploy("apart", spec).statusCode(201);
        deploy("apart", spec).statusCode(200).body("result", equalTo("unchanged"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(delimiter = '|', textBlock = """
            no such key    | {model: 's3://BUCKET/no/such'}         | there is no object 'no/such' in bucket
            no such bucket | {model: 's3://no-such-bucket-1/key'}   | there is no bucket 'no-such-bucket-1'
            a bad bucket   | {model: 's3://127.0.0.1/key'}          | is no object's address
            a bad key      | {model: 's3://BUCKET/a/../../b/c'}     | is no object's address
            """)
    void rejectsUnavailableObjectsWithARemedy(String name, String spec, String sentence) {
        deploy("refused", spec.replace("BUCKET", theirs.name()))
                .statusCode(400)
                .body("faults[0].path", equalTo("spec.model"))
                .body("faults[0].message", containsString(sentence));
    }

    @Test
    void rejectsATooLargeObjectWithoutReadingIt() throws IOException {
        put("huge", new byte[(64 << 20) + 1]);
        deploy("huge", "{model: '%s'}".formatted(address("huge")))
                .statusCode(400)
                .body("faults[0].path", equalTo("spec.model"))
                .body("faults[0].message", containsString("KNABLA_UPLOAD_MEBIBYTES"));
    }
}
