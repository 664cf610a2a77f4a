package io.knabla.controller.knative.jobs;

import static java.lang.System.Logger.Level.WARNING;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.knabla.controller.config.ForPlatform;
import io.knabla.controller.config.Ids;
import io.knabla.controller.config.Settings;
import io.knabla.controller.config.Settings.ClusterKind;
import io.knabla.controller.home.StoreAccess;
import io.knabla.controller.knative.logs.PodLogRequest;
import io.knabla.controller.machine.Architecture;
import io.knabla.controller.platform.engine.EngineResult;
import io.knabla.controller.platform.engine.EngineRunner;
import jakarta.inject.Singleton;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Predicate;

/** Runs the engine as a Kubernetes Job in the controller's namespace, with the replica's image. */
@Singleton
@ForPlatform(ClusterKind.Knative)
final class EngineJobs implements EngineRunner {
    private static final System.Logger LOG = System.getLogger(EngineJobs.class.getName());
    private static final String BY_JOB = "batch.kubernetes.io/job-name";

    /** The result comes last, after any output of the engine's libraries. */
    private static final String LAST_OUTPUT = "tailLines=200&limitBytes=" + (16 << 20);

    private final KubernetesClient client;
    private final Settings settings;
    private final StoreAccess store;
    private final Ids ids;
    private final JobStartBreaker startBreaker;

    EngineJobs(KubernetesClient client, Settings settings, StoreAccess store, Ids ids, Clock clock) {
        this.client = client;
        this.settings = settings;
        this.store = store;
        this.ids = ids;
        this.startBreaker = new JobStartBreaker(clock);
    }

    @Override
    public EngineResult run(EngineRequest request) {
        if (request.mode() == Mode.calibrate) {
            return new EngineResult.NotRun("nodes of a cluster differ, so none of them is measured");
        }
        return startBreaker
                .rejection()
                .<EngineResult>map(why -> new EngineResult.NotRun("an earlier Job could not start: " + why))
                .orElseGet(() -> runJob(request));
    }

    private EngineResult runJob(EngineRequest request) {
        var manifests = new EngineJob(
                "knabla-%s-%s".formatted(request.mode().argument(), ids.next()),
                namespace(),
                settings.cluster().image().orElseThrow(),
                settings.cluster().checkAccount(),
                Architecture.ofThisProcess(),
                store,
                request);
        try {
            Job job = client.resource(manifests.job()).create();
            try {
                manifests
                        .secret(job)
                        .ifPresent(secret -> client.resource(secret).create());
                return watch(manifests);
            } finally {
                delete(job);
            }
        } catch (KubernetesClientException refused) {
            return new EngineResult.NotRun("Job %s in namespace %s could not be run: %s"
                    .formatted(manifests.name(), manifests.namespace(), refused.getMessage()));
        }
    }

    /** The controller's own namespace; else the first that it reconciles. */
    private String namespace() {
        return settings.namespace()
                .or(() -> settings.cluster()
                        .namespaces()
                        .flatMap(all -> all.stream().findFirst()))
                .orElseGet(client::getNamespace);
    }

    private EngineResult watch(EngineJob job) {
        Optional<JobPod> started = await(job, EngineJob.START, pod -> !(pod instanceof JobPod.Waiting));
        if (started.isEmpty()) {
            String why = neverStarted(job);
            startBreaker.recordFailure(why);
            return new EngineResult.NotRun(why);
        }
        startBreaker.recordSuccess();
        if (started.get() instanceof JobPod.Running) {
            started = await(job, job.request().limits().time(), pod -> !(pod instanceof JobPod.Running));
            if (started.isEmpty()) {
                return late(job);
            }
        }
        return judge(job, started.get());
    }

    /** Lists the pod once more: the watch may have missed its end, or the end of its node. */
    private EngineResult late(EngineJob job) {
        return switch (pods(job).stream().map(JobPod::of).findFirst().orElse(null)) {
            case null -> new EngineResult.NotRun("its pod was deleted while it ran");
            case JobPod.Running _, JobPod.Waiting _ ->
                new EngineResult.TooSlow(job.request().limits().time());
            case JobPod ended -> judge(job, ended);
        };
    }

    private EngineResult judge(EngineJob job, JobPod pod) {
        return switch (pod) {
            case JobPod.Done(var end) -> JobPod.judge(end, job.request().limits(), () -> log(job));
            case JobPod.Stuck(var why) -> new EngineResult.NotRun("its pod did not run: " + why);
            case JobPod.Waiting _, JobPod.Running _ ->
                throw new IllegalStateException("the pod should have ended: " + pod);
        };
    }

    /** Empty on a timeout. */
    private Optional<JobPod> await(EngineJob job, Duration most, Predicate<JobPod> wanted) {
        CompletableFuture<List<Pod>> pods = client.pods()
                .inNamespace(job.namespace())
                .withLabel(BY_JOB, job.name())
                .informOnCondition(all -> all.stream().map(JobPod::of).anyMatch(wanted));
        try {
            return pods.get(most.toMillis(), TimeUnit.MILLISECONDS).stream()
                    .map(JobPod::of)
                    .filter(wanted)
                    .findFirst();
        } catch (TimeoutException tooLong) {
            return Optional.empty();
        } catch (ExecutionException failed) {
            throw KubernetesClientException.launderThrowable(failed.getCause());
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped while the engine tried a model", stopping);
        } finally {
            pods.cancel(true);
        }
    }

    private String neverStarted(EngineJob job) {
        List<Pod> pods = pods(job);
        String why = pods.isEmpty()
                ? "the Job got no pod; a quota or an admission rule of namespace %s may forbid it"
                        .formatted(job.namespace())
                : pods.stream()
                        .map(JobPod::of)
                        .flatMap(pod -> pod instanceof JobPod.Waiting(var trouble)
                                ? trouble.stream()
                                : Optional.<String>empty().stream())
                        .findFirst()
                        .orElse("its pod is still being created");
        return "it did not start within %d s: %s".formatted(EngineJob.START.toSeconds(), why);
    }

    private List<Pod> pods(EngineJob job) {
        return client.pods()
                .inNamespace(job.namespace())
                .withLabel(BY_JOB, job.name())
                .list()
                .getItems();
    }

    private String log(EngineJob job) {
        return pods(job).stream()
                .findFirst()
                .flatMap(pod -> new PodLogRequest(
                                job.namespace(), pod.getMetadata().getName(), EngineJob.CONTAINER, LAST_OUTPUT)
                        .read(client))
                .orElse("");
    }

    /** Deletes the Job with its pod and Secret; if that fails, its TTL does. */
    private void delete(Job job) {
        try {
            client.resource(job)
                    .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                    .delete();
        } catch (KubernetesClientException left) {
            LOG.log(WARNING, "cannot delete Job " + job.getMetadata().getName(), left);
        }
    }
}
