package io.knabla.controller.cli.verbs.help;

import picocli.CommandLine.IVersionProvider;

/** Provides the text of {@code --version}: this build and its Java runtime. */
public final class BuildVersionProvider implements IVersionProvider {
    @Override
    public String[] getVersion() {
        String version = BuildVersionProvider.class.getPackage().getImplementationVersion();
        return new String[] {"knabla " + (version == null ? "(from classes)" : version), "Java " + Runtime.version()};
    }
}
