package io.knabla.controller.knative.manifest;

import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.VolumeBuilder;
import io.fabric8.kubernetes.api.model.VolumeMount;
import io.fabric8.kubernetes.api.model.VolumeMountBuilder;
import java.util.List;

/**
 * The {@code emptyDir} volumes that a container of the replica's image writes to: its unit cache and its temporary
 * folder.
 */
public final class ScratchVolumes {
    public static final String CACHE = "/cache";

    private ScratchVolumes() {}

    public static List<Volume> volumes() {
        return List.of(volume("cache"), volume("tmp"));
    }

    public static List<VolumeMount> mounts() {
        return List.of(mount("cache", CACHE), mount("tmp", "/tmp"));
    }

    private static Volume volume(String name) {
        return new VolumeBuilder()
                .withName(name)
                .withNewEmptyDir()
                .endEmptyDir()
                .build();
    }

    private static VolumeMount mount(String name, String path) {
        return new VolumeMountBuilder().withName(name).withMountPath(path).build();
    }
}
