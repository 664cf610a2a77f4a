package io.knabla.functions.compiler.onnx;

/**
 * Message types of ONNX's protobuf schema, with the type of the message in each field, for {@link WireScan}. It is the
 * part of the schema that counting before parsing needs.
 */
enum OnnxMessage {
    MODEL,
    GRAPH,
    NODE,
    ATTRIBUTE,
    TENSOR,
    SPARSE,
    VALUE,
    TYPE,
    TENSOR_TYPE,
    ELEMENT_TYPE,
    MAP_TYPE,
    SHAPE,
    FUNCTION,
    TRAINING,
    /** A message without nested messages. */
    LEAF,
    /** Numbers packed into one field. */
    NUMBERS,
    /** A string, bytes, or a field unknown to this version of ONNX; skipped unread. */
    OPAQUE;

    OnnxMessage child(int field) {
        return switch (this) {
            case MODEL ->
                switch (field) {
                    case 7 -> GRAPH;
                    case 8, 14 -> LEAF;
                    case 20 -> TRAINING;
                    case 25 -> FUNCTION;
                    default -> OPAQUE;
                };
            case GRAPH ->
                switch (field) {
                    case 1 -> NODE;
                    case 5 -> TENSOR;
                    case 11, 12, 13 -> VALUE;
                    case 14, 16 -> LEAF;
                    case 15 -> SPARSE;
                    default -> OPAQUE;
                };
            case NODE -> field == 5 ? ATTRIBUTE : field == 9 ? LEAF : OPAQUE;
            case ATTRIBUTE -> ofAttribute(field);
            case TENSOR ->
                switch (field) {
                    case 1, 4, 5, 7, 10, 11 -> NUMBERS;
                    case 3, 13, 16 -> LEAF;
                    default -> OPAQUE;
                };
            case SPARSE -> field == 1 || field == 2 ? TENSOR : field == 3 ? NUMBERS : OPAQUE;
            case VALUE -> field == 2 ? TYPE : field == 4 ? LEAF : OPAQUE;
            case TYPE ->
                switch (field) {
                    case 1, 8 -> TENSOR_TYPE;
                    case 4, 9 -> ELEMENT_TYPE;
                    case 5 -> MAP_TYPE;
                    case 7 -> LEAF;
                    default -> OPAQUE;
                };
            case TENSOR_TYPE -> field == 2 ? SHAPE : OPAQUE;
            case ELEMENT_TYPE -> field == 1 ? TYPE : OPAQUE;
            case MAP_TYPE -> field == 2 ? TYPE : OPAQUE;
            case SHAPE -> field == 1 ? LEAF : OPAQUE;
            case FUNCTION ->
                switch (field) {
                    case 7 -> NODE;
                    case 9, 14 -> LEAF;
                    case 11 -> ATTRIBUTE;
                    case 12 -> VALUE;
                    default -> OPAQUE;
                };
            case TRAINING -> field == 1 || field == 2 ? GRAPH : field <= 4 ? LEAF : OPAQUE;
            case LEAF, NUMBERS, OPAQUE -> OPAQUE;
        };
    }

    private static OnnxMessage ofAttribute(int field) {
        return switch (field) {
            case 5, 10 -> TENSOR;
            case 6, 11 -> GRAPH;
            case 7, 8 -> NUMBERS;
            case 14, 15 -> TYPE;
            case 22, 23 -> SPARSE;
            default -> OPAQUE;
        };
    }
}
