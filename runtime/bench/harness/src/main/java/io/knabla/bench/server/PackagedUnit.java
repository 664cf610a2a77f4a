package io.knabla.bench.server;

import io.knabla.functions.unit.Digest;
import java.net.URI;
import java.nio.file.Path;

/** A unit in a store of the benchmark, and the cache of those who serve it. */
public record PackagedUnit(Digest unit, URI store, Path cache) {}
