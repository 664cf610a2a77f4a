package io.knabla.storage.s3.direct;

import io.knabla.storage.s3.client.S3Settings;
import io.knabla.storage.s3.client.TrustManagers;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;

/** Opens HTTP connections with the timeouts and certificate authorities of the settings. */
final class Connections {
    private final Duration connect;
    private final Duration read;
    private final Optional<Path> ca;
    private SSLSocketFactory factory;

    Connections(S3Settings settings) {
        this.connect = settings.timeouts().connect();
        this.read = settings.timeouts().request();
        this.ca = settings.ca();
    }

    HttpURLConnection open(URI address) throws IOException {
        var connection = (HttpURLConnection) address.toURL().openConnection();
        connection.setConnectTimeout(Math.toIntExact(connect.toMillis()));
        connection.setReadTimeout(Math.toIntExact(read.toMillis()));
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        if (ca.isPresent() && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(factory(ca.get()));
        }
        return connection;
    }

    private synchronized SSLSocketFactory factory(Path pem) throws IOException {
        if (factory == null) {
            try {
                SSLContext context = SSLContext.getInstance("TLS");
                context.init(null, TrustManagers.with(pem), null);
                factory = context.getSocketFactory();
            } catch (GeneralSecurityException unusable) {
                throw new IOException(unusable);
            }
        }
        return factory;
    }
}
