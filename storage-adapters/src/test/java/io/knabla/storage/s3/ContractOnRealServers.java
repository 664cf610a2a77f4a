package io.knabla.storage.s3;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreContract;
import io.knabla.storage.s3.servers.RealServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/** Runs the store contract on third-party S3 servers; {@code ./knabla test s3} starts it. */
class ContractOnRealServers {
    @Nested
    class SeaweedFs extends Contract {
        SeaweedFs() {
            super(RealServer.SEAWEEDFS);
        }
    }

    @Nested
    class VersityGateway extends Contract {
        VersityGateway() {
            super(RealServer.VERSITY);
        }
    }

    @Nested
    class Moto extends Contract {
        Moto() {
            super(RealServer.MOTO);
        }
    }

    abstract static class Contract extends ObjectStoreContract {
        private final RealServer which;
        private ObjectStore store;

        Contract(RealServer which) {
            this.which = which;
        }

        @BeforeEach
        void open() {
            S3Server server = which.shared();
            store = S3ObjectStore.open("s3://" + server.newBucket() + "/p/q", server.environment());
        }

        @AfterEach
        void close() {
            if (store != null) {
                store.close();
            }
        }

        @Override
        protected ObjectStore store() {
            return store;
        }

        @Override
        protected boolean holdsEveryKey() {
            return which.shared().holdsEveryKey();
        }
    }
}
