package io.knabla.controller.cluster;

import java.nio.file.Path;

/** Where a replica's output goes, line by line, oldest first. */
public record LogFile(Path path) {}
