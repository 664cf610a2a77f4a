package io.knabla.bench.autodiff;

import ai.onnxruntime.OrtException;

/** One model ready for timing: its loss with gradients, and its loss alone. */
final class TimedModel implements AutoCloseable {
    private static final double SAME = 1e-3;
    private static final int WARM_UP = 3;

    /** Least duration of one measurement, in milliseconds. */
    private static final double MILLIS = 400;

    final String name;
    final int nodes;
    final double packagingMillis;
    final double sessionMillis;
    private final GraphRunner gradient;
    private final GraphRunner forward;
    private final int runs;

    TimedModel(String name) throws OrtException {
        this.name = name;
        Workload workload = Workload.read(name);
        long start = System.nanoTime();
        GradientGraphs graphs = GradientGraphs.of(workload);
        packagingMillis = (System.nanoTime() - start) / 1e6;
        nodes = graphs.valueAndGradient().getGraph().getNodeCount();
        start = System.nanoTime();
        gradient = new GraphRunner(graphs.valueAndGradient(), workload.inputs());
        sessionMillis = (System.nanoTime() - start) / 1e6;
        forward = new GraphRunner(graphs.value(), workload.inputs());
        double millis = Double.POSITIVE_INFINITY;
        for (int i = 0; i < WARM_UP; i++) {
            millis = Math.min(millis, gradient.millis(1));
        }
        forward.run();
        runs = (int) Math.max(1, Math.ceil(MILLIS / millis));
        double loss = gradient.scalar("loss");
        if (!(Math.abs(loss - workload.loss()) <= SAME * Math.abs(workload.loss()))) {
            throw new IllegalStateException(
                    "%s: the loss is %s, and PyTorch has %s".formatted(name, loss, workload.loss()));
        }
    }

    /** Milliseconds of one loss and gradient. */
    double gradientMillis() throws OrtException {
        return gradient.millis(runs);
    }

    /** Milliseconds of one loss. */
    double forwardMillis() throws OrtException {
        return forward.millis(runs);
    }

    @Override
    public void close() throws OrtException {
        gradient.close();
        forward.close();
    }
}
