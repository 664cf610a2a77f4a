package io.knabla.runtime.openai;

import io.knabla.runtime.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.StringJoiner;

/** Reads the messages of a conversation: their roles and texts. */
final class MessagesReader {
    private static final Set<String> ROLES = Set.of("system", "developer", "user", "assistant");
    private static final int MOST = 10_000;

    private final RequestFields fields;

    private MessagesReader(RequestFields fields) {
        this.fields = fields;
    }

    /** Maps with role, content and perhaps name, for a chat template. */
    static List<Map<String, String>> read(RequestFields fields) {
        return new MessagesReader(fields).read();
    }

    private List<Map<String, String>> read() {
        List<Map<String, String>> messages = new ArrayList<>();
        if (fields.value("messages").orElse(null) instanceof Json.Items(List<Json> items) && items.size() <= MOST) {
            for (int i = 0; i < items.size(); i++) {
                messages.add(message("messages[" + i + "]", items.get(i)));
            }
        } else {
            fields.fault("messages", "'messages' must be a list of 1 to %d messages", MOST);
        }
        return messages;
    }

    private Map<String, String> message(String path, Json json) {
        if (!(json instanceof Json.Fields(Map<String, Json> parts))) {
            fields.fault(path, "%s must be an object with role and content", path);
            return Map.of();
        }
        Map<String, String> message = new LinkedHashMap<>();
        message.put("role", role(path, parts.get("role")));
        message.put("content", content(path + ".content", parts.get("content"), message.get("role")));
        parts.forEach((name, value) -> other(path, name, value, message));
        return message;
    }

    /** Templates know no developers, whose instructions are the system's. */
    private String role(String path, Json json) {
        if (json instanceof Json.Text(String role) && ROLES.contains(role)) {
            return role.equals("developer") ? "system" : role;
        }
        boolean tools = json instanceof Json.Text(String role) && (role.equals("tool") || role.equals("function"));
        fields.fault(
                path + ".role",
                "%s.role must be system, developer, user or assistant%s",
                path,
                tools ? "; tools are not supported" : "");
        return "";
    }

    private String content(String path, Json json, String role) {
        boolean none = json == null || json instanceof Json.Null;
        if (none && role.equals("assistant")) {
            return "";
        }
        if (json instanceof Json.Text(String text)) {
            return text;
        }
        if (json instanceof Json.Items(List<Json> parts)) {
            return parts(path, parts);
        }
        fields.fault(path, "%s must be a string or a list of {\"type\":\"text\",\"text\":…}", path);
        return "";
    }

    private String parts(String path, List<Json> parts) {
        var text = new StringJoiner("\n");
        for (int i = 0; i < parts.size(); i++) {
            text.add(part(path + "[" + i + "]", parts.get(i)));
        }
        return text.toString();
    }

    private String part(String path, Json json) {
        if (!(json instanceof Json.Fields(Map<String, Json> part))) {
            fields.fault(path, "%s must be {\"type\":\"text\",\"text\":…}", path);
            return "";
        }
        if (!(part.get("type") instanceof Json.Text(String type) && type.equals("text"))) {
            fields.fault(path + ".type", "%s.type must be \"text\"; images, audio and files are not supported", path);
            return "";
        }
        if (part.get("text") instanceof Json.Text(String text)) {
            return text;
        }
        fields.fault(path + ".text", "%s.text must be a string", path);
        return "";
    }

    private void other(String path, String name, Json value, Map<String, String> message) {
        boolean nothing = value instanceof Json.Null || value instanceof Json.Numbers numbers && numbers.count() == 0;
        if (name.equals("role") || name.equals("content") || nothing) {
            return;
        }
        if (name.equals("name") && value instanceof Json.Text(String text)) {
            message.put("name", text);
            return;
        }
        fields.fault(
                path + "." + name, "%s has %s; a message has role, content and name", path, RequestFields.quote(name));
    }
}
