package io.knabla.controller.cost.aws;

import io.knabla.controller.usage.NodeInterval;
import java.util.Collection;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Which prices AWS is asked for.
 *
 * @param instanceTypes by region
 */
public record AwsScope(SortedMap<String, SortedSet<String>> instanceTypes) {
    private static final Pattern REGION = Pattern.compile("[a-z]{2,3}(-[a-z]+)+-\\d{1,2}");
    private static final Pattern INSTANCE_TYPE = Pattern.compile("[a-z][a-z0-9-]{1,30}\\.[a-z0-9-]{2,30}");

    /**
     * Types and regions of the nodes, and the named ones; a named type is asked for in all of these regions. What is
     * not named as AWS names it is left out.
     */
    public static AwsScope of(
            Collection<NodeInterval> nodes, Collection<String> regions, Collection<String> instanceTypes) {
        SortedMap<String, SortedSet<String>> scope = new TreeMap<>();
        regions.stream()
                .filter(region -> REGION.matcher(region).matches())
                .forEach(region -> scope.put(region, new TreeSet<>()));
        for (NodeInterval node : nodes) {
            if (REGION.matcher(node.region()).matches()
                    && INSTANCE_TYPE.matcher(node.instanceType()).matches()) {
                scope.computeIfAbsent(node.region(), _ -> new TreeSet<>()).add(node.instanceType());
            }
        }
        for (Map.Entry<String, SortedSet<String>> region : scope.entrySet()) {
            instanceTypes.stream()
                    .filter(type -> INSTANCE_TYPE.matcher(type).matches())
                    .forEach(region.getValue()::add);
        }
        return new AwsScope(scope);
    }
}
