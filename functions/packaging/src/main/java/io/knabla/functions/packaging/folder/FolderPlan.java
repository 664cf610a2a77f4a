package io.knabla.functions.packaging.folder;

import io.knabla.functions.Fault;
import java.util.List;

/** Result of checking a folder against function.yaml. */
public sealed interface FolderPlan {
    record Checked(FolderUnit unit) implements FolderPlan {}

    record Refused(List<Fault> faults) implements FolderPlan {}
}
