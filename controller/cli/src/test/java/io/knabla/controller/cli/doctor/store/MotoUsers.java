package io.knabla.controller.cli.doctor.store;

import com.fasterxml.jackson.databind.JsonNode;
import io.knabla.storage.s3.S3Server;
import java.io.IOException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Creates IAM users in moto, which enforces their policies on request: "IAM-like Access Control" in moto's
 * documentation. It supports actions and resources, but no conditions on S3.
 */
final class MotoUsers {
    private final S3Server moto;
    private final HttpClient http = HttpClient.newHttpClient();

    MotoUsers(S3Server moto) {
        this.moto = moto;
    }

    /** Creates a user with only the given policy; returns its environment. */
    Map<String, String> user(String name, JsonNode policy) throws IOException, InterruptedException {
        enforceAfter(1000);
        iam(Map.of("Action", "CreateUser", "UserName", name));
        String keys = iam(Map.of("Action", "CreateAccessKey", "UserName", name));
        iam(Map.of(
                "Action",
                "PutUserPolicy",
                "UserName",
                name,
                "PolicyName",
                "store",
                "PolicyDocument",
                policy.toString()));
        enforceAfter(0);
        Map<String, String> environment = new HashMap<>(moto.environment());
        environment.put("AWS_ACCESS_KEY_ID", element("AccessKeyId", keys));
        environment.put("AWS_SECRET_ACCESS_KEY", element("SecretAccessKey", keys));
        return environment;
    }

    String bucket() throws IOException, InterruptedException {
        enforceAfter(1000);
        return moto.newBucket();
    }

    private void enforceAfter(int requests) throws IOException, InterruptedException {
        send(HttpRequest.newBuilder(moto.endpoint().resolve("/moto-api/reset-auth"))
                .header("Content-Type", "text/plain")
                .POST(BodyPublishers.ofString(Integer.toString(requests))));
    }

    private String iam(Map<String, String> call) throws IOException, InterruptedException {
        var all = new TreeMap<>(call);
        all.put("Version", "2010-05-08");
        String form = all.entrySet().stream()
                .map(field -> field.getKey() + "=" + URLEncoder.encode(field.getValue(), StandardCharsets.UTF_8))
                .collect(Collectors.joining("&"));
        return send(HttpRequest.newBuilder(moto.endpoint().resolve("/"))
                .header("Content-Type", "application/x-www-form-urlencoded")
                .header(
                        "Authorization",
                        "AWS4-HMAC-SHA256 Credential=any/20260101/us-east-1/iam/aws4_request, SignedHeaders=host, Signature=0")
                .POST(BodyPublishers.ofString(form)));
    }

    private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> answer = http.send(request.build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("moto answers " + answer.statusCode() + ": " + answer.body());
        }
        return answer.body();
    }

    private static String element(String name, String xml) {
        Matcher found = Pattern.compile("<" + name + ">([^<]+)</" + name + ">").matcher(xml);
        if (!found.find()) {
            throw new IllegalStateException("no " + name + " in " + xml);
        }
        return found.group(1);
    }
}
