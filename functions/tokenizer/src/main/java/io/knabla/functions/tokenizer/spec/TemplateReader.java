package io.knabla.functions.tokenizer.spec;

import io.knabla.functions.tokenizer.spec.Template.Part;
import io.knabla.functions.tokenizer.tree.Faults;
import io.knabla.functions.tokenizer.tree.Fields;
import io.knabla.functions.tokenizer.tree.Tree;
import io.knabla.functions.tokenizer.tree.Tree.Sequence;
import io.knabla.functions.tokenizer.tree.Tree.Text;
import io.knabla.functions.tokenizer.tree.Tree.Whole;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads post-processors; all of them are templates. */
final class TemplateReader {
    private static final List<String> TYPES =
            List.of("ByteLevel", "TemplateProcessing", "BertProcessing", "RobertaProcessing", "Sequence");
    private static final int MOST_PARTS = 64;
    private static final int MOST_TYPES = 255;

    private TemplateReader() {}

    static Template read(Fields owner, String key) {
        List<Template> templates = owner.has(key) ? one(owner.object(key)).orElse(List.of()) : List.of();
        if (templates.size() > 1) {
            owner.fault(key, "%d of its processors add tokens; at most one may", templates.size());
        }
        return templates.isEmpty() ? Template.PLAIN : templates.getFirst();
    }

    /** Templates of a post-processor: none for one that only concerns offsets. */
    private static Optional<List<Template>> one(Fields fields) {
        return Steps.read(fields, TYPES, type -> of(type, fields));
    }

    private static List<Template> of(String type, Fields fields) {
        return switch (type) {
            case "TemplateProcessing" -> List.of(template(fields));
            case "BertProcessing" -> List.of(bert(fields));
            case "RobertaProcessing" -> List.of(roberta(fields));
            case "Sequence" ->
                Steps.all(fields, "processors", TemplateReader::one).stream()
                        .flatMap(List::stream)
                        .toList();
            default -> {
                List.of("add_prefix_space", "trim_offsets", "use_regex").forEach(fields::value);
                yield List.of();
            }
        };
    }

    private static Template bert(Fields fields) {
        int cls = pairOf(fields, "cls");
        int sep = pairOf(fields, "sep");
        var single = List.of(special(cls, 0), new Part.Text(false, 0), special(sep, 0));
        var pair = new ArrayList<>(single);
        pair.addAll(List.of(new Part.Text(true, 1), special(sep, 1)));
        return new Template(single, pair);
    }

    private static Template roberta(Fields fields) {
        List.of("add_prefix_space", "trim_offsets").forEach(fields::value);
        int cls = pairOf(fields, "cls");
        int sep = pairOf(fields, "sep");
        var single = List.of(special(cls, 0), new Part.Text(false, 0), special(sep, 0));
        var pair = new ArrayList<>(single);
        pair.addAll(List.of(special(sep, 0), new Part.Text(true, 0), special(sep, 0)));
        return new Template(single, pair);
    }

    private static Part special(int id, int typeId) {
        return new Part.Special(List.of(id), typeId);
    }

    /** Id of {@code ["[SEP]", 102]}. */
    private static int pairOf(Fields fields, String key) {
        if (fields.value(key) instanceof Sequence(var items)
                && items.size() == 2
                && items.getFirst() instanceof Text
                && items.getLast() instanceof Whole(var id)
                && id >= 0
                && id < SpecReader.MAX_ID) {
            return (int) id;
        }
        fields.fault(
                key,
                "found %s; a list of a token and its id is needed",
                fields.value(key).kind());
        return 0;
    }

    private static Template template(Fields fields) {
        Map<String, List<Integer>> specials =
                specials(fields.has("special_tokens") ? fields.object("special_tokens") : null);
        return new Template(
                parts(fields, "single", specials),
                fields.has("pair") ? parts(fields, "pair", specials) : Template.PLAIN.pair());
    }

    private static Map<String, List<Integer>> specials(Fields fields) {
        Map<String, List<Integer>> specials = new HashMap<>();
        if (fields != null) {
            for (String name : fields.keys()) {
                Fields special = fields.object(name);
                special.value("id");
                special.value("tokens");
                specials.put(name, ids(special));
                special.nothingElse();
            }
        }
        return specials;
    }

    private static List<Integer> ids(Fields special) {
        List<Integer> ids = new ArrayList<>();
        for (Tree item : special.items("ids", MOST_PARTS)) {
            if (item instanceof Whole(var id) && id >= 0 && id < SpecReader.MAX_ID) {
                ids.add((int) id);
            } else {
                special.fault("ids", "found %s; a token id is needed", item.kind());
            }
        }
        return ids;
    }

    private static List<Part> parts(Fields fields, String key, Map<String, List<Integer>> specials) {
        List<Part> parts = new ArrayList<>();
        for (Fields part : fields.objects(key, MOST_PARTS)) {
            parts.add(
                    part.has("Sequence")
                            ? text(part.object("Sequence"))
                            : special(part.object("SpecialToken"), specials));
            part.nothingElse();
        }
        return parts;
    }

    private static Part text(Fields fields) {
        String id = fields.text("id");
        if (!id.equals("A") && !id.equals("B")) {
            fields.fault("id", "found %s; A or B is needed", Faults.quote(id));
        }
        return new Part.Text(id.equals("B"), fields.count("type_id", MOST_TYPES));
    }

    private static Part special(Fields fields, Map<String, List<Integer>> specials) {
        String id = fields.text("id");
        List<Integer> ids = specials.get(id);
        if (ids == null) {
            fields.fault("id", "%s is not among special_tokens; add it there", Faults.quote(id));
        }
        return new Part.Special(ids == null ? List.of() : ids, fields.count("type_id", MOST_TYPES));
    }
}
