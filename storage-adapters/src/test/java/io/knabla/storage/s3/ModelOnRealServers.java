package io.knabla.storage.s3;

import io.knabla.storage.ObjectStore;
import io.knabla.storage.ObjectStoreModelContract;
import io.knabla.storage.s3.servers.RealServer;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.UUID;
import net.jqwik.api.Group;
import net.jqwik.api.lifecycle.AddLifecycleHook;
import net.jqwik.api.lifecycle.LifecycleContext;
import net.jqwik.api.lifecycle.SkipExecutionHook;
import org.opentest4j.TestAbortedException;

/** Runs the model contract on third-party S3 servers; {@code ./knabla test s3} starts it. */
class ModelOnRealServers {
    @Retention(RetentionPolicy.RUNTIME)
    @interface OnServer {
        RealServer value();
    }

    @Group
    @OnServer(RealServer.SEAWEEDFS)
    @AddLifecycleHook(WhereInstalled.class)
    class SeaweedFs extends Model {}

    @Group
    @OnServer(RealServer.VERSITY)
    @AddLifecycleHook(WhereInstalled.class)
    class VersityGateway extends Model {}

    @Group
    @OnServer(RealServer.MOTO)
    @AddLifecycleHook(WhereInstalled.class)
    class Moto extends Model {}

    /** jqwik reports an aborted test as an error, so skips go through its own hook. */
    static final class WhereInstalled implements SkipExecutionHook {
        @Override
        public SkipResult shouldBeSkipped(LifecycleContext context) {
            try {
                context.optionalContainerClass().ifPresent(type -> server(type).shared());
                return SkipResult.doNotSkip();
            } catch (TestAbortedException absent) {
                return SkipResult.skip(absent.getMessage());
            }
        }
    }

    private static RealServer server(Class<?> type) {
        return type.getAnnotation(OnServer.class).value();
    }

    abstract static class Model extends ObjectStoreModelContract {
        private final RealServer which = server(getClass());
        private String bucket;

        @Override
        protected ObjectStore create() {
            S3Server server = which.shared();
            if (bucket == null) {
                bucket = server.newBucket();
            }
            // A new prefix is as empty as a new bucket, and cheaper.
            return S3ObjectStore.open("s3://" + bucket + "/" + UUID.randomUUID(), server.environment());
        }

        @Override
        protected boolean holdsEveryKey() {
            return which.shared().holdsEveryKey();
        }
    }
}
