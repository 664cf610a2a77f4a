package io.knabla.bench.cluster;

import io.knabla.bench.wire.Call;

/**
 * A function on the cluster whose cold start is measured.
 *
 * @param label label on its pods whose value is the function's name
 */
record ClusterFunction(String title, String namespace, String name, String label, Call call) {}
