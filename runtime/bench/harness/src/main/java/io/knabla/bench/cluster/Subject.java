package io.knabla.bench.cluster;

import io.knabla.bench.wire.Call;

/**
 * A function on the cluster.
 *
 * @param label on its pods, with its name as the value
 */
record Subject(String title, String namespace, String name, String label, Call call) {}
