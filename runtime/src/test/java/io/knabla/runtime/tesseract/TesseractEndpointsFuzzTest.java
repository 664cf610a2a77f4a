package io.knabla.runtime.tesseract;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.runtime.units.AnalyticModels;
import io.knabla.runtime.units.TestReplica;
import io.knabla.runtime.units.TestUnit;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.lifecycle.AfterContainer;
import net.jqwik.api.lifecycle.BeforeContainer;

/** Mutated requests are answered or rejected, never an internal error. */
class TesseractEndpointsFuzzTest {
    private static final List<String> PATHS =
            List.of("/apply", "/jacobian", "/jacobian_vector_product", "/vector_jacobian_product", "/abstract_eval");
    private static final List<String> BODIES = List.of(
            "{\"inputs\":{\"x\":{\"object_type\":\"array\",\"shape\":[1,3],\"dtype\":\"float32\",\"data\":{\"buffer\":[1,2,3],\"encoding\":\"json\"}}}}",
            "{\"inputs\":{\"x\":[[1,2,3]]},\"jac_inputs\":[\"x\"],\"jac_outputs\":[\"y\",\"s\"]}",
            "{\"inputs\":{\"x\":[[1,2,3]]},\"jvp_inputs\":[\"x\"],\"jvp_outputs\":[\"y\"],\"tangent_vector\":{\"x\":[[1,2,3]]}}",
            "{\"inputs\":{\"x\":{\"shape\":[1,3],\"dtype\":\"int8\",\"data\":{\"buffer\":\"AAEC\",\"encoding\":\"base64\"}}},\"vjp_inputs\":[\"x\"],\"vjp_outputs\":[\"y\"],\"cotangent_vector\":{\"y\":[[1,2]]}}",
            "{\"inputs\":{\"x\":{\"shape\":[4,3],\"dtype\":\"float32\"}}}");
    private static final Set<Integer> FINE = Set.of(200, 413, 422);

    private static TestUnit unit;
    private static TestReplica replica;

    @BeforeContainer
    static void start() throws Exception {
        unit = AnalyticModels.tanh();
        replica = new TestReplica(unit);
    }

    @AfterContainer
    static void stop() throws Exception {
        replica.close();
        unit.close();
    }

    private static int status(int endpoint, byte[] body) throws Exception {
        HttpResponse<String> answer =
                replica.send(replica.request(PATHS.get(endpoint)).POST(BodyPublishers.ofByteArray(body)));
        assertThat(answer.statusCode()).as(answer.body()).isIn(FINE);
        return answer.statusCode();
    }

    @Property(tries = 600)
    void survivesOneChangedByte(
            @ForAll @IntRange(max = 4) int endpoint, @ForAll @IntRange(max = 10_000) int where, @ForAll byte value)
            throws Exception {
        byte[] body = BODIES.get(endpoint).getBytes(StandardCharsets.UTF_8);
        assertThat(status(endpoint, body)).isEqualTo(200);
        body[where % body.length] = value;
        status(endpoint, body);
    }

    @Property(tries = 300)
    void survivesTwoChangedParts(
            @ForAll @IntRange(max = 4) int endpoint,
            @ForAll @IntRange(max = 10_000) int from,
            @ForAll @IntRange(max = 30) int length,
            @ForAll @IntRange(max = 10_000) int to)
            throws Exception {
        byte[] body = BODIES.get(endpoint).getBytes(StandardCharsets.UTF_8);
        int a = from % body.length;
        int b = to % body.length;
        int count = Math.min(length, body.length - Math.max(a, b));
        System.arraycopy(body.clone(), a, body, b, count);
        status(endpoint, body);
    }
}
