package io.knabla.runtime.openai;

import io.knabla.runtime.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads the messages of a chat in the form that templates read: maps with {@code role} and {@code content}. */
final class Messages {
    private static final Set<String> ROLES = Set.of("system", "developer", "user", "assistant");
    private static final Set<String> KNOWN = Set.of("role", "content", "name");
    private static final String FIELD = "messages";

    private final RequestFields fields;
    private final List<Map<String, Object>> messages = new ArrayList<>();

    private Messages(RequestFields fields) {
        this.fields = fields;
    }

    static List<Map<String, Object>> read(RequestFields fields) {
        Json value = fields.find(FIELD).orElse(null);
        if (!(value instanceof Json.Items(var items))) {
            fields.fault(FIELD, "must be a list of one message or more, each with role and content");
            return List.of();
        }
        var read = new Messages(fields);
        for (Json item : items) {
            read.add(item);
        }
        return read.messages;
    }

    private void add(Json item) {
        String place = "%s[%d]".formatted(FIELD, messages.size());
        if (!(item instanceof Json.Fields(var byName))) {
            fields.fault(place, "must be an object with role and content");
            messages.add(Map.of());
            return;
        }
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("role", role(place, byName.get("role")));
        message.put("content", content(place + ".content", byName.get("content")));
        if (byName.get("name") instanceof Json.Text(var name)) {
            message.put("name", name);
        }
        byName.forEach((name, given) -> {
            if (!KNOWN.contains(name) && !(given instanceof Json.Null)) {
                fields.fault(place + "." + name, "is not supported; a message has role, content and name");
            }
        });
        messages.add(message);
    }

    /** Templates know no developer, which newer clients write for system. */
    private String role(String place, Json given) {
        if (given instanceof Json.Text(var role) && ROLES.contains(role)) {
            return role.equals("developer") ? "system" : role;
        }
        fields.fault(place + ".role", "must be system, developer, user or assistant");
        return "user";
    }

    private String content(String place, Json given) {
        if (given instanceof Json.Text(var text)) {
            return text;
        }
        if (!(given instanceof Json.Items(var parts))) {
            fields.fault(place, "must be a text, or a list of parts of type text");
            return "";
        }
        var joined = new StringBuilder();
        for (int i = 0; i < parts.size(); i++) {
            joined.append(part("%s[%d]".formatted(place, i), parts.get(i)));
        }
        return joined.toString();
    }

    private String part(String place, Json given) {
        if (given instanceof Json.Fields(var byName)
                && byName.get("type") instanceof Json.Text(var type)
                && type.equals("text")
                && byName.get("text") instanceof Json.Text(var text)) {
            return text;
        }
        fields.fault(place, "is no part of type text; pictures, audio and files are not supported");
        return "";
    }
}
