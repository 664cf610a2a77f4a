package io.knabla.controller.platform;

/**
 * An error of a GPU that its driver reported, as a replica told it.
 *
 * @param xid NVIDIA's number of the error
 * @param costsDevice whether nothing should be started on the GPU after it
 * @param meaning for people
 */
public record GpuError(int xid, boolean costsDevice, String meaning) {}
