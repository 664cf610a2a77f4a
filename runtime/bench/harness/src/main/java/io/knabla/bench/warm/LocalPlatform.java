package io.knabla.bench.warm;

import io.knabla.bench.model.BenchModel;
import io.knabla.bench.server.Distribution;
import io.knabla.bench.server.Platform;
import io.knabla.bench.wire.Call;

/** The platform on this machine, with a home folder of its own. */
final class LocalPlatform implements WarmPlatform {
    private final Platform platform;

    LocalPlatform(Distribution distribution, BenchModel model) {
        platform = Platform.up(distribution, model, new Platform.Scaling(0, 1, 4, "1s"), 0);
    }

    @Override
    public void deploy(String name, String spec) {
        platform.deploy(name, spec);
    }

    @Override
    public Call json(String name) {
        return platform.json(name);
    }

    @Override
    public String metrics() {
        return platform.metrics();
    }

    @Override
    public void close() {
        platform.close();
    }
}
