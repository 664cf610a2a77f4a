package io.knabla.storage.s3.client;

import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** Condition of a write, which S3 evaluates atomically when the object would become visible. */
public sealed interface WriteCondition {
    record Always() implements WriteCondition {}

    record Absent() implements WriteCondition {}

    record Matches(String etag) implements WriteCondition {}

    default void apply(PutObjectRequest.Builder put) {
        switch (this) {
            case Always() -> {}
            case Absent() -> put.ifNoneMatch("*");
            case Matches(String etag) -> put.ifMatch(etag);
        }
    }

    default void apply(CompleteMultipartUploadRequest.Builder complete) {
        switch (this) {
            case Always() -> {}
            case Absent() -> complete.ifNoneMatch("*");
            case Matches(String etag) -> complete.ifMatch(etag);
        }
    }
}
