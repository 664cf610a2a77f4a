package io.knabla.controller.images;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.tools.jib.api.ImageReference;
import io.knabla.controller.images.Image.Layer;
import io.knabla.controller.machine.Architecture;
import io.knabla.functions.unit.Sha256;
import java.io.BufferedInputStream;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Fetches a base image from a registry that runs only during the fetch. */
class JibAdapterTest {
    private static final String MANIFEST = "application/vnd.docker.distribution.manifest.v2+json";

    @TempDir
    Path temp;

    private final Map<String, byte[]> contents = new HashMap<>();
    private ServerSocket server;
    private String layer;

    @BeforeEach
    void serve() throws IOException {
        byte[] tar = tar("etc/issue", "the base");
        byte[] packed = packed(tar);
        byte[] config =
                """
                {"architecture": "%s", "os": "linux", "config": {"User": "1"},
                 "rootfs": {"type": "layers", "diff_ids": ["%s"]}}
                """.formatted(Architecture.ofThisProcess().name(), digest(tar)).getBytes(StandardCharsets.UTF_8);
        layer = digest(packed);
        contents.put("/v2/base/blobs/" + layer, packed);
        contents.put("/v2/base/blobs/" + digest(config), config);
        contents.put(
                "/v2/base/manifests/1", """
                {"schemaVersion": 2, "mediaType": "%s",
                 "config": {"mediaType": "application/vnd.docker.container.image.v1+json",
                            "size": %d, "digest": "%s"},
                 "layers": [{"mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip",
                             "size": %d, "digest": "%s"}]}
                """.formatted(MANIFEST, config.length, digest(config), packed.length, layer)
                        .getBytes(StandardCharsets.UTF_8));
        contents.put("/v2/", new byte[0]);
        server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(this::answerAll);
    }

    @AfterEach
    void stop() throws IOException {
        server.close();
    }

    @Test
    void fetchesBaseOnceAndKeepsItsLayers() throws Exception {
        var base = new BaseImage.Named(ImageReference.parse("127.0.0.1:%d/base:1".formatted(server.getLocalPort())));
        var registry = new JibAdapter(base, Map.of(), temp.resolve("jib"), false, _ -> {});
        registry.fetchBase();
        server.close();
        Path tree = Files.createDirectories(temp.resolve("tree"));
        Files.writeString(tree.resolve("file"), "ours");
        var image = new Image(
                "test",
                "A test",
                List.of(new Layer("only", tree, List.of(Path.of("file")))),
                List.of("/knabla/run"),
                List.of(),
                Map.of(),
                8080);

        registry.archive(image, temp.resolve("test.tar"), _ -> {});

        assertThat(names(temp.resolve("test.tar"))).contains("blobs/" + layer.replace(':', '/'));
    }

    private void answerAll() {
        while (!server.isClosed()) {
            try (Socket caller = server.accept()) {
                answer(new BufferedInputStream(caller.getInputStream()), caller.getOutputStream());
            } catch (IOException over) {
                // the next one may be better, or the test is over
            }
        }
    }

    /** Serves plain HTTP only; answers a TLS handshake in plain text, as registries written in Go do. */
    private void answer(BufferedInputStream in, OutputStream out) throws IOException {
        in.mark(1);
        boolean tls = in.read() == 0x16;
        in.reset();
        if (tls) {
            in.skip(in.available());
            out.write("HTTP/1.0 400 Bad Request\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            return;
        }
        var lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.US_ASCII));
        String path = lines.readLine().split(" ")[1];
        for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {}
        byte[] content = contents.getOrDefault(path, new byte[0]);
        out.write("""
                HTTP/1.1 %s\r
                Content-Type: %s\r
                Content-Length: %d\r
                Connection: close\r
                \r
                """.formatted(contents.containsKey(path) ? "200 OK" : "404 Not Found", MANIFEST, content.length)
                .getBytes(StandardCharsets.US_ASCII));
        out.write(content);
    }

    private static String digest(byte[] content) {
        return Sha256.of(content).value();
    }

    private static byte[] tar(String name, String content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var tar = new TarArchiveOutputStream(bytes)) {
            var entry = new TarArchiveEntry(name);
            entry.setSize(content.length());
            tar.putArchiveEntry(entry);
            tar.write(content.getBytes(StandardCharsets.UTF_8));
            tar.closeArchiveEntry();
        }
        return bytes.toByteArray();
    }

    private static byte[] packed(byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(bytes)) {
            gzip.write(content);
        }
        return bytes.toByteArray();
    }

    private static List<String> names(Path archive) throws IOException {
        var names = new ArrayList<String>();
        try (var tar = new TarArchiveInputStream(Files.newInputStream(archive))) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                names.add(entry.getName());
            }
        }
        return names;
    }
}
