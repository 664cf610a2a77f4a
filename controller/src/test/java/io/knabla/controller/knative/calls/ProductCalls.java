package io.knabla.controller.knative.calls;

import io.fabric8.kubernetes.client.http.BasicBuilder;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.security.CodeSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Collects the requests to the Kubernetes API that the controller's code makes, each with the line that made it. */
final class ProductCalls implements Interceptor {
    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);
    private static final Comparator<ApiCall> ORDER = Rights.ORDER;

    private final Map<ApiCall, String> made = new TreeMap<>(ORDER);

    @Override
    public void before(BasicBuilder builder, HttpRequest request, RequestTags tags) {
        ApiCall call = ApiCall.of(request.method(), request.uri());
        // What is no resource, such as /version, everybody may read.
        if (!call.resource().isEmpty()) {
            caller().ifPresent(line -> add(call, line));
        }
    }

    private synchronized void add(ApiCall call, String line) {
        made.putIfAbsent(call, line);
        // An informer watches what it has listed, on a thread of the client that shows no caller.
        if (call.verb().equals("list") && isOfInformer()) {
            made.putIfAbsent(new ApiCall("watch", call.group(), call.resource()), line);
        }
    }

    /** Empty if a test makes the call itself, or a thread of the client. */
    private static Optional<String> caller() {
        return STACK.walk(frames -> frames.filter(frame -> isProduct(frame) || isTest(frame))
                        .findFirst())
                .filter(ProductCalls::isProduct)
                .map(Object::toString);
    }

    private static boolean isOfInformer() {
        return STACK.walk(
                frames -> frames.anyMatch(frame -> frame.getClassName().contains(".informers.impl.")));
    }

    /** The operator's framework reads, watches and writes Functions for the controller. */
    private static boolean isProduct(StackWalker.StackFrame frame) {
        return frame.getClassName().startsWith("io.javaoperatorsdk.")
                || isOfKnabla(frame) && location(frame).endsWith("/controller/target/classes/");
    }

    private static boolean isTest(StackWalker.StackFrame frame) {
        return isOfKnabla(frame)
                && location(frame).endsWith("/test-classes/")
                && frame.getDeclaringClass() != ProductCalls.class;
    }

    private static boolean isOfKnabla(StackWalker.StackFrame frame) {
        return frame.getClassName().startsWith("io.knabla.");
    }

    private static String location(StackWalker.StackFrame frame) {
        CodeSource source = frame.getDeclaringClass().getProtectionDomain().getCodeSource();
        return source == null ? "" : source.getLocation().getPath();
    }

    /** Those without a right among these; forgets all. */
    synchronized List<String> takeWithout(Iterable<ApiCall> granted) {
        granted.forEach(made::remove);
        List<String> refused = new ArrayList<>();
        made.forEach((call, line) -> refused.add("%s, called at %s".formatted(call, line)));
        made.clear();
        return refused;
    }
}
