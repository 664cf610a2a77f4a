package io.knabla.functions.spec;

import io.knabla.functions.spec.Tree.Kind;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.nodes.MappingNode;
import org.yaml.snakeyaml.nodes.Node;
import org.yaml.snakeyaml.nodes.NodeTuple;
import org.yaml.snakeyaml.nodes.ScalarNode;
import org.yaml.snakeyaml.nodes.SequenceNode;
import org.yaml.snakeyaml.nodes.Tag;
import org.yaml.snakeyaml.representer.Representer;

/** Reads a text with one YAML document into a tree and reports faults; never creates Java objects for tags. */
final class YamlDocument {
    private static final int MAX_ALIASES = 20;

    private static final Map<Tag, Kind> KINDS = Map.of(
            Tag.STR, Kind.TEXT,
            Tag.TIMESTAMP, Kind.TEXT,
            Tag.INT, Kind.INTEGER,
            Tag.FLOAT, Kind.DECIMAL,
            Tag.BOOL, Kind.BOOLEAN,
            Tag.NULL, Kind.NULL,
            Tag.MERGE, Kind.TEXT);

    /** Characters of a problem that the parser tells, which may hold a part of the text. */
    private static final int MOST_PROBLEM = 200;

    private static final Tree NOTHING = new Tree.Scalar(Kind.NULL, "");

    private final Findings findings;

    /** An aliased node is converted once and shared, so an alias bomb ("billion laughs") does not expand. */
    private final IdentityHashMap<Node, Tree> done = new IdentityHashMap<>();

    private YamlDocument(Findings findings) {
        this.findings = findings;
    }

    static Optional<Tree> read(String text, Findings findings) {
        try {
            List<Node> documents = documents(text);
            if (documents.size() == 1) {
                return Optional.of(new YamlDocument(findings).tree(documents.getFirst(), ""));
            }
            findings.fault(
                    "",
                    documents.isEmpty()
                            ? "the document is empty; write a Function with apiVersion, kind, metadata and spec"
                            : "found several documents; write one Function per file");
        } catch (MarkedYAMLException error) {
            findings.fault("", "%s: not YAML: %s", place(error.getProblemMark()), problem(error));
        } catch (YAMLException error) {
            findings.fault("", "not YAML: %s", Tree.clipped(firstLine(error), MOST_PROBLEM));
        }
        return Optional.empty();
    }

    private static List<Node> documents(String text) {
        List<Node> documents = new ArrayList<>();
        try {
            for (Node node : yaml().composeAll(new StringReader(text))) {
                if (!Tag.NULL.equals(node.getTag())) {
                    documents.add(node);
                }
            }
        } catch (IllegalArgumentException odd) {
            // SnakeYAML's checks of tags throw this, without a position.
            throw new YAMLException(odd.getMessage(), odd);
        }
        return documents;
    }

    private static Yaml yaml() {
        LoaderOptions options = new LoaderOptions();
        options.setMaxAliasesForCollections(MAX_ALIASES);
        options.setNestingDepthLimit(50);
        DumperOptions unused = new DumperOptions();
        return new Yaml(new SafeConstructor(options), new Representer(unused), unused, options);
    }

    private Tree tree(Node node, String path) {
        if (done.containsKey(node)) {
            Tree shared = done.get(node);
            if (shared != null) {
                return shared;
            }
            findings.fault(path, "the alias refers to the value that it is part of; write it out");
            return NOTHING;
        }
        done.put(node, null); // being converted
        Tree tree = switch (node) {
            case MappingNode mapping -> mapping(mapping, path);
            case SequenceNode sequence -> sequence(sequence, path);
            case ScalarNode scalar -> scalar(scalar, path);
            default -> NOTHING;
        };
        done.put(node, tree);
        return tree;
    }

    private Tree scalar(ScalarNode node, String path) {
        Kind kind = KINDS.get(node.getTag());
        if (kind == null) {
            refuseTag(node, path);
            return NOTHING;
        }
        return new Tree.Scalar(kind, node.getValue());
    }

    private Tree sequence(SequenceNode node, String path) {
        List<Tree> items = new ArrayList<>();
        for (Node item : node.getValue()) {
            items.add(tree(item, path + "[" + items.size() + "]"));
        }
        if (!Tag.SEQ.equals(node.getTag())) {
            refuseTag(node, path);
        }
        return new Tree.Sequence(items);
    }

    private Tree mapping(MappingNode node, String path) {
        LinkedHashMap<String, Tree> entries = new LinkedHashMap<>();
        for (NodeTuple tuple : node.getValue()) {
            String line = place(tuple.getKeyNode().getStartMark());
            if (tuple.getKeyNode() instanceof ScalarNode key) {
                String at = MappingReader.join(path, key.getValue());
                if (entries.put(key.getValue(), tree(tuple.getValueNode(), at)) != null) {
                    findings.fault(at, "written twice, again in %s; remove one of them", line);
                }
            } else {
                findings.fault(path, "%s: a key must be a word, not a list or a mapping", line);
            }
        }
        if (!Tag.MAP.equals(node.getTag())) {
            refuseTag(node, path);
        }
        return new Tree.Mapping(entries);
    }

    private void refuseTag(Node node, String path) {
        findings.fault(
                path,
                "%s: found the tag %s; remove it, no tags are allowed",
                place(node.getStartMark()),
                Tree.clipped(node.getTag().getValue()));
    }

    private static String place(Mark mark) {
        return mark == null ? "somewhere" : "line " + (mark.getLine() + 1) + ", column " + (mark.getColumn() + 1);
    }

    private static String problem(MarkedYAMLException error) {
        String context = error.getContext() == null ? "" : error.getContext() + ", ";
        return Tree.clipped(context) + Tree.clipped(String.valueOf(error.getProblem()), 120);
    }

    private static String firstLine(YAMLException error) {
        return String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    }
}
