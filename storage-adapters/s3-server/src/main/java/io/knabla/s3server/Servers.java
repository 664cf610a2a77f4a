package io.knabla.s3server;

import java.nio.file.Path;
import java.util.Properties;
import java.util.function.UnaryOperator;
import org.gaul.s3proxy.BlobStores;
import org.gaul.s3proxy.S3Proxy;
import org.gaul.s3proxy.auth.AuthenticationType;
import org.gaul.s3proxy.blobstore.BlobStore;

/** Configures S3Proxy on a folder, with AWS Signature Version 4; the caller sets the endpoint. */
public final class Servers {
    private Servers() {}

    /**
     * @param folder parent of the bucket folders
     * @param promises wraps S3Proxy's store; {@link AtomicBlobStore} adds the guarantees of S3
     */
    public static S3Proxy.Builder on(
            Path folder, UnaryOperator<BlobStore> promises, String accessKey, String secretKey) {
        var properties = new Properties();
        properties.setProperty("jclouds.filesystem.basedir", folder.toString());
        return S3Proxy.builder()
                .blobStore(promises.apply(BlobStores.create("filesystem-nio2", properties)))
                .awsAuthentication(AuthenticationType.AWS_V4, accessKey, secretKey)
                .ignoreUnknownHeaders(true);
    }
}
