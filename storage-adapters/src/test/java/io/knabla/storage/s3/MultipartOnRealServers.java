package io.knabla.storage.s3;

import io.knabla.storage.s3.servers.RealServer;
import org.junit.jupiter.api.Nested;

/** Tests multipart uploads on third-party S3 servers; {@code ./knabla test s3} starts it. */
class MultipartOnRealServers {
    @Nested
    class SeaweedFs extends MultipartContract {
        @Override
        protected S3Server server() {
            return RealServer.SEAWEEDFS.shared();
        }
    }

    @Nested
    class SeaweedFsPresigned extends PresignedContract {
        @Override
        protected S3Server server() {
            return RealServer.SEAWEEDFS.shared();
        }
    }

    @Nested
    class VersityGateway extends MultipartContract {
        @Override
        protected S3Server server() {
            return RealServer.VERSITY.shared();
        }
    }

    @Nested
    class VersityGatewayPresigned extends PresignedContract {
        @Override
        protected S3Server server() {
            return RealServer.VERSITY.shared();
        }
    }

    @Nested
    class Moto extends MultipartContract {
        @Override
        protected S3Server server() {
            return RealServer.MOTO.shared();
        }
    }

    @Nested
    class MotoPresigned extends PresignedContract {
        @Override
        protected S3Server server() {
            return RealServer.MOTO.shared();
        }

        @Override
        protected boolean checksSignatures() {
            return false;
        }
    }

    @Nested
    class SeaweedFsRaces extends MultipartRaceContract {
        @Override
        protected S3Server server() {
            return RealServer.SEAWEEDFS.shared();
        }
    }

    @Nested
    class VersityGatewayRaces extends MultipartRaceContract {
        @Override
        protected S3Server server() {
            return RealServer.VERSITY.shared();
        }
    }

    @Nested
    class MotoRaces extends MultipartRaceContract {
        @Override
        protected S3Server server() {
            return RealServer.MOTO.shared();
        }
    }
}
