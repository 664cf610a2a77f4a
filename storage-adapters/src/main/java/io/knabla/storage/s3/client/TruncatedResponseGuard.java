package io.knabla.storage.s3.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import software.amazon.awssdk.core.SdkRequest;
import software.amazon.awssdk.core.exception.RetryableException;
import software.amazon.awssdk.core.interceptor.Context;
import software.amazon.awssdk.core.interceptor.ExecutionAttributes;
import software.amazon.awssdk.core.interceptor.ExecutionInterceptor;
import software.amazon.awssdk.http.SdkHttpResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.UploadPartRequest;

/**
 * Makes the SDK retry a truncated response. If a connection ends within the header, Apache's client accepts the part it
 * has: an object would seem empty, a list complete.
 */
final class TruncatedResponseGuard implements ExecutionInterceptor {
    private static final int NO_CONTENT = 204;

    @Override
    public void afterTransmission(Context.AfterTransmission context, ExecutionAttributes attributes) {
        SdkHttpResponse answer = context.httpResponse();
        if (answer.isSuccessful() && answer.statusCode() != NO_CONTENT && !isWhole(context.request(), answer)) {
            RetryableException cut = RetryableException.create("the server's response ended within its header");
            context.responseBody().ifPresent(body -> close(body, cut));
            throw cut;
        }
    }

    /**
     * Reads every body except objects completely: if a body ended during parsing, the SDK would neither retry nor throw
     * its usual exception.
     */
    @Override
    public Optional<InputStream> modifyHttpResponseContent(
            Context.ModifyHttpResponse context, ExecutionAttributes attributes) {
        if (context.request() instanceof GetObjectRequest
                && context.httpResponse().isSuccessful()) {
            return context.responseBody();
        }
        return context.responseBody().map(TruncatedResponseGuard::whole);
    }

    private static InputStream whole(InputStream body) {
        try (body) {
            return new ByteArrayInputStream(body.readAllBytes());
        } catch (IOException cut) {
            throw RetryableException.create("the server's response ended within its body", cut);
        }
    }

    private static boolean isWhole(SdkRequest request, SdkHttpResponse answer) {
        boolean framed = has(answer, "Content-Length") || has(answer, "Transfer-Encoding");
        return framed && expected(request).stream().allMatch(name -> has(answer, name));
    }

    private static List<String> expected(SdkRequest request) {
        return switch (request) {
            case GetObjectRequest _, HeadObjectRequest _ -> List.of("ETag", "Last-Modified");
            case PutObjectRequest _, UploadPartRequest _ -> List.of("ETag");
            default -> List.of();
        };
    }

    private static boolean has(SdkHttpResponse answer, String name) {
        return answer.firstMatchingHeader(name).isPresent();
    }

    private static void close(InputStream body, Exception cut) {
        try {
            body.close();
        } catch (IOException cutToo) {
            cut.addSuppressed(cutToo);
        }
    }
}
