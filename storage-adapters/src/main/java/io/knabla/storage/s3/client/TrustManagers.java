package io.knabla.storage.s3.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/** Creates TLS trust managers for the JVM's certificate authorities plus those of a PEM file. */
public final class TrustManagers {
    private TrustManagers() {}

    /** @throws IllegalArgumentException if the file contains no certificates */
    public static TrustManager[] with(Path pem) {
        try {
            KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            List<Certificate> all = new ArrayList<>(certificates(pem));
            for (TrustManager known : managers(null)) {
                if (known instanceof X509TrustManager x509) {
                    all.addAll(List.of(x509.getAcceptedIssuers()));
                }
            }
            for (int i = 0; i < all.size(); i++) {
                store.setCertificateEntry("authority-" + i, all.get(i));
            }
            return managers(store);
        } catch (GeneralSecurityException | IOException unusable) {
            throw new IllegalArgumentException(unusable.getMessage(), unusable);
        }
    }

    private static List<Certificate> certificates(Path pem) throws IOException, GeneralSecurityException {
        try (InputStream in = Files.newInputStream(pem)) {
            List<Certificate> found =
                    List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
            if (found.isEmpty()) {
                throw new IOException("it contains none");
            }
            return found;
        }
    }

    /** @param store null for the JVM's own */
    private static TrustManager[] managers(KeyStore store) throws GeneralSecurityException {
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
