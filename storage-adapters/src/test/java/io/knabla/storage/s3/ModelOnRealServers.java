package io.knabla.storage.s3;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreModelContract;
import io.knabla.storage.s3.servers.RealServer;
import java.util.UUID;
import net.jqwik.api.Group;
import net.jqwik.api.lifecycle.BeforeContainer;

/** The model contract on S3 servers that others wrote; {@code ./knabla test s3} runs it. */
class ModelOnRealServers {
    @Group
    class SeaweedFs extends Model {
        SeaweedFs() {
            super(RealServer.SEAWEEDFS);
        }

        @BeforeContainer
        static void startOrSkip() {
            RealServer.SEAWEEDFS.shared();
        }
    }

    @Group
    class VersityGateway extends Model {
        VersityGateway() {
            super(RealServer.VERSITY);
        }

        @BeforeContainer
        static void startOrSkip() {
            RealServer.VERSITY.shared();
        }
    }

    @Group
    class Moto extends Model {
        Moto() {
            super(RealServer.MOTO);
        }

        @BeforeContainer
        static void startOrSkip() {
            RealServer.MOTO.shared();
        }
    }

    abstract static class Model extends ObjectStoreModelContract {
        private final RealServer which;
        private String bucket;

        Model(RealServer which) {
            this.which = which;
        }

        @Override
        protected ObjectStore create() {
            S3Server server = which.shared();
            if (bucket == null) {
                bucket = server.newBucket();
            }
            // A prefix is cheaper than a bucket, and as empty.
            return S3ObjectStore.open(
                    "s3://" + bucket + "/" + UUID.randomUUID(), server.environment());
        }

        @Override
        protected boolean holdsEveryKey() {
            return which.shared().holdsEveryKey();
        }
    }
}
