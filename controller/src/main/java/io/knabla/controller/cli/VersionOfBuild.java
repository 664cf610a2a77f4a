package io.knabla.controller.cli;

import picocli.CommandLine.IVersionProvider;

/** What {@code --version} prints. */
final class VersionOfBuild implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = VersionOfBuild.class.getPackage().getImplementationVersion();
        return new String[] {"knabla " + (version == null ? "(from classes)" : version), "Java " + Runtime.version()};
    }
}
