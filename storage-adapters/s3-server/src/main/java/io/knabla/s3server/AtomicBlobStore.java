package io.knabla.s3server;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import org.gaul.s3proxy.blobstore.BlobStore;
import org.gaul.s3proxy.blobstore.ForwardingBlobStore;
import org.gaul.s3proxy.blobstore.S3Exceptions;
import org.gaul.s3proxy.blobstore.domain.MultipartUpload;
import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.services.s3.model.BucketCannedACL;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadRequest;
import software.amazon.awssdk.services.s3.model.CompleteMultipartUploadResponse;
import software.amazon.awssdk.services.s3.model.CopyObjectRequest;
import software.amazon.awssdk.services.s3.model.CopyObjectResponse;
import software.amazon.awssdk.services.s3.model.DeleteObjectRequest;
import software.amazon.awssdk.services.s3.model.DeleteObjectResponse;
import software.amazon.awssdk.services.s3.model.GetObjectRequest;
import software.amazon.awssdk.services.s3.model.GetObjectResponse;
import software.amazon.awssdk.services.s3.model.HeadObjectRequest;
import software.amazon.awssdk.services.s3.model.HeadObjectResponse;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Request;
import software.amazon.awssdk.services.s3.model.ListObjectsV2Response;
import software.amazon.awssdk.services.s3.model.ObjectCannedACL;
import software.amazon.awssdk.services.s3.model.PutObjectRequest;
import software.amazon.awssdk.services.s3.model.PutObjectResponse;

/**
 * Adds the guarantees of S3 to S3Proxy's file store. Conditional writes are atomic, a GET returns the headers of the
 * bytes that it returns, a list is a snapshot, and nothing is public. Uses one lock for all keys, because a delete also
 * removes folders that a write to another key is about to use.
 */
public final class AtomicBlobStore extends ForwardingBlobStore {
    private final Object lock = new Object();

    public AtomicBlobStore(BlobStore store) {
        super(store);
    }

    /** Encrypts nothing, but keeps the requested method as metadata. */
    @Override
    public boolean supportsServerSideEncryption() {
        return true;
    }

    /** S3Proxy treats world-readable files as public. */
    @Override
    public BucketCannedACL getContainerAccess(String bucket) {
        return BucketCannedACL.PRIVATE;
    }

    @Override
    public ObjectCannedACL getBlobAccess(String bucket, String key) {
        return ObjectCannedACL.PRIVATE;
    }

    @Override
    public ObjectCannedACL getBlobAccess(String bucket, String key, String version) {
        return ObjectCannedACL.PRIVATE;
    }

    @Override
    public PutObjectResponse putBlob(PutObjectRequest request, InputStream body) {
        // Received before the lock is taken: a slow client delays only itself.
        InputStream received;
        try {
            received = new ByteArrayInputStream(body.readAllBytes());
        } catch (IOException brokenOff) {
            throw new UncheckedIOException(brokenOff);
        }
        synchronized (lock) {
            check(request.bucket(), request.key(), request.ifMatch(), request.ifNoneMatch());
            return super.putBlob(request, received);
        }
    }

    @Override
    public CompleteMultipartUploadResponse completeMultipartUpload(
            MultipartUpload upload, CompleteMultipartUploadRequest request) {
        synchronized (lock) {
            check(upload.containerName(), upload.blobName(), request.ifMatch(), request.ifNoneMatch());
            return super.completeMultipartUpload(upload, request);
        }
    }

    /** Repeats the check of S3Proxy under the lock. */
    private void check(String bucket, String key, String ifMatch, String ifNoneMatch) {
        if (ifMatch == null && ifNoneMatch == null) {
            return;
        }
        boolean exists = blobExists(bucket, key);
        if (ifNoneMatch != null && exists) {
            throw S3Exceptions.preconditionFailed(null);
        }
        if (ifMatch != null) {
            if (!exists) {
                throw S3Exceptions.noSuchKey(bucket, key, "deleted meanwhile");
            }
            var ask = HeadObjectRequest.builder().bucket(bucket).key(key).build();
            if (!bare(ifMatch).equals(bare(super.blobMetadata(ask).eTag()))) {
                throw S3Exceptions.preconditionFailed(null);
            }
        }
    }

    private static String bare(String etag) {
        return etag.replace("\"", "");
    }

    @Override
    public CopyObjectResponse copyBlob(CopyObjectRequest request) {
        synchronized (lock) {
            return super.copyBlob(request);
        }
    }

    @Override
    public ResponseInputStream<GetObjectResponse> getBlob(GetObjectRequest request) {
        synchronized (lock) {
            return super.getBlob(request);
        }
    }

    @Override
    public HeadObjectResponse blobMetadata(HeadObjectRequest request) {
        synchronized (lock) {
            return super.blobMetadata(request);
        }
    }

    @Override
    public DeleteObjectResponse removeBlob(DeleteObjectRequest request) {
        synchronized (lock) {
            return super.removeBlob(request);
        }
    }

    @Override
    public ListObjectsV2Response list(ListObjectsV2Request request) {
        synchronized (lock) {
            return super.list(request);
        }
    }
}
