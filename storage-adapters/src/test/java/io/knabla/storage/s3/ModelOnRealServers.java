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

/** The model contract on S3 servers that others wrote; {@code ./knabla test s3} runs it. */
class ModelOnRealServers {
    @Retention(RetentionPolicy.RUNTIME)
    @interface On {
        RealServer value();
    }

    @Group
    @On(RealServer.SEAWEEDFS)
    @AddLifecycleHook(WhereInstalled.class)
    class SeaweedFs extends Model {}

    @Group
    @On(RealServer.VERSITY)
    @AddLifecycleHook(WhereInstalled.class)
    class VersityGateway extends Model {}

    @Group
    @On(RealServer.MOTO)
    @AddLifecycleHook(WhereInstalled.class)
    class Moto extends Model {}

    /** An aborted test is an error to jqwik, which skips in a way of its own. */
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
        return type.getAnnotation(On.class).value();
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
            // A prefix is cheaper than a bucket, and as empty.
            return S3ObjectStore.open("s3://" + bucket + "/" + UUID.randomUUID(), server.environment());
        }

        @Override
        protected boolean holdsEveryKey() {
            return which.shared().holdsEveryKey();
        }
    }
}
