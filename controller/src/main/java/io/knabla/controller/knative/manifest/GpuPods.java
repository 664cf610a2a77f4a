package io.knabla.controller.knative.manifest;

import io.knabla.controller.knative.capacity.GpuResource;
import io.knabla.functions.spec.GpuShare;

/**
 * Settings of pods on GPU nodes: their image, and the resource that a share of a GPU asks for.
 *
 * @param image of replicas, with ONNX Runtime's CUDA provider
 * @param shareResource extended resource that a share of a GPU asks for, one of {@link GpuResource}
 */
public record GpuPods(String image, String shareResource) {
    /** For nodes whose device plugin renames no shares. */
    public GpuPods(String image) {
        this(image, GpuResource.GPU);
    }

    /** @param gpu number of GPUs, or a share of one */
    String resource(double gpu) {
        return GpuShare.isShare(gpu) ? shareResource : GpuResource.GPU;
    }

    /** How many shares the label of a node must say that it makes of each GPU; 1 where no label says it. */
    int parts(double gpu) {
        return GpuResource.isMig(shareResource) ? 1 : GpuShare.parts(gpu);
    }
}
