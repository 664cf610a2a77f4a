package io.knabla.storage.s3.servers;

import static org.assertj.core.api.Assertions.assertThat;

import io.knabla.storage.s3.S3Server;
import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class RealServersOnRealServers {
    @TempDir Path folder;

    @ParameterizedTest
    @EnumSource
    void startAndMakeBuckets(RealServer which) {
        try (S3Server server = which.start(folder)) {
            assertThat(server.newBucket()).isNotEqualTo(server.newBucket());
        }
    }
}
