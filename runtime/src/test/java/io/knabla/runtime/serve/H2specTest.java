package io.knabla.runtime.serve;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.functions.Onnx;
import io.knabla.storage.s3.servers.GoPrograms;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** Runs h2spec, the conformance checks of HTTP/2, against a replica; {@code ./knabla test faults} starts it. */
@Tag("faults")
@Timeout(600)
class H2specTest {
    /**
     * Checks that fail with a reason: the port takes HTTP/1.1, too, so bytes that are no preface are a malformed
     * request of HTTP/1.1. Its client is told so with status 400, which h2spec cannot read, and the connection is
     * closed.
     */
    private static final List<String> EXCEPTED = List.of("http2/3.5 Sends invalid connection preface");

    /**
     * Reads a body to its end before it answers: some checks send a wrong one, which an earlier answer would not tell.
     */
    private static final String PATH = "/v2/models/m/infer";

    @TempDir
    private Path folder;

    /**
     * Some checks send more of a request that the replica may have answered already, as it may; what then fails by
     * chance does not fail each time.
     */
    @Test
    void aReplicaPassesAllChecks() throws Exception {
        Path h2spec =
                GoPrograms.install("h2spec 2.2.1", "github.com/summerwind/h2spec/cmd/h2spec", "2.2.1+incompatible");
        try (var replica = new RunningReplica(Onnx.addSub(), RunningReplica.PLAIN)) {
            List<String> failed = failed(h2spec, replica.port);
            for (int again = 0; again < 2 && failed.size() > EXCEPTED.size(); again++) {
                failed.retainAll(failed(h2spec, replica.port));
            }
            assertThat(failed).isEqualTo(EXCEPTED);
            assertThat(replica.get("/v2/health/ready").statusCode()).isEqualTo(200);
        }
    }

    /** Runs all checks; returns those that failed. */
    private List<String> failed(Path h2spec, int port) throws Exception {
        Path report = folder.resolve("report.xml");
        List<String> command = new ArrayList<>(List.of(h2spec.toString(), "-h", "127.0.0.1"));
        command.addAll(List.of("-p", Integer.toString(port), "-P", PATH, "-o", "5", "-j", report.toString()));
        new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("output").toFile())
                .start()
                .waitFor();
        NodeList checks = DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(report.toFile())
                .getElementsByTagName("testcase");
        assertThat(checks.getLength()).isGreaterThanOrEqualTo(145);
        return failed(checks);
    }

    private static List<String> failed(NodeList checks) {
        List<String> failed = new ArrayList<>();
        for (int i = 0; i < checks.getLength(); i++) {
            var check = (Element) checks.item(i);
            boolean passed = check.getElementsByTagName("*").getLength() == 0;
            if (!passed) {
                failed.add(check.getAttribute("package") + " " + check.getAttribute("classname"));
            }
        }
        return failed;
    }
}
