package io.knabla.storage.s3.client;

import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;

/** When a write may happen; S3 decides it, at the moment the object would appear. */
public sealed interface Condition {
    record Always() implements Condition {}

    record Absent() implements Condition {}

    record Matches(String etag) implements Condition {}

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
