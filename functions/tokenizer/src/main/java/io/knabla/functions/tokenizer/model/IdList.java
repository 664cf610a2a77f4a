package io.knabla.functions.tokenizer.model;

import java.util.Arrays;

/** Growing list of ids. */
public final class IdList {
    private int[] ids = new int[64];
    private int size;

    public void add(int id) {
        if (size == ids.length) {
            ids = Arrays.copyOf(ids, size * 2);
        }
        ids[size++] = id;
    }

    public int size() {
        return size;
    }

    /** Copy of the ids. */
    public int[] toArray() {
        return Arrays.copyOf(ids, size);
    }

    int get(int index) {
        return ids[index];
    }

    void set(int index, int id) {
        ids[index] = id;
    }

    void clear() {
        size = 0;
    }

    /** Reverses the ids from {@code from} on. */
    void reverse(int from) {
        for (int i = from, j = size - 1; i < j; i++, j--) {
            int id = ids[i];
            ids[i] = ids[j];
            ids[j] = id;
        }
    }
}
