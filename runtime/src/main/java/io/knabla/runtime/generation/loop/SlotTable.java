package io.knabla.runtime.generation.loop;

import io.knabla.runtime.generation.decode.Decoder;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** Which sequence is in which slot. A run that decodes takes the first slots, so those that decode are moved there. */
final class SlotTable {
    private final TextSequence[] slots;

    /** @param size of the decoder's slots; one more than sequences, so that there is room to move one */
    SlotTable(int size) {
        slots = new TextSequence[size];
    }

    List<TextSequence> sequences() {
        return stream().toList();
    }

    private Stream<TextSequence> stream() {
        return Arrays.stream(slots).filter(Objects::nonNull);
    }

    TextSequence get(long id) {
        return stream().filter(one -> one.id == id).findFirst().orElseThrow();
    }

    int slot(TextSequence sequence) {
        return Arrays.asList(slots).indexOf(sequence);
    }

    /** The sequences in the first slots, all of which are taken. */
    List<TextSequence> first(int count) {
        return List.copyOf(Arrays.asList(slots).subList(0, count));
    }

    TextSequence at(int slot) {
        return slots[slot];
    }

    /** Puts a sequence into the first free slot from this one on. */
    int place(TextSequence sequence, int from) {
        int slot = free(from);
        slots[slot] = sequence;
        return slot;
    }

    private int free(int from) {
        for (int slot = from; slot < slots.length; slot++) {
            if (slots[slot] == null) {
                return slot;
            }
        }
        return free(0);
    }

    void remove(TextSequence sequence) {
        slots[slot(sequence)] = null;
    }

    void clear() {
        Arrays.fill(slots, null);
    }

    /** Moves sequences so that those that decode are in the first slots; the number of these. */
    int compact(Predicate<TextSequence> decodes, Decoder decoder) {
        int count = (int) stream().filter(decodes).count();
        int last = slots.length - 1;
        for (int slot = 0; slot < count; slot++) {
            if (slots[slot] == null || !decodes.test(slots[slot])) {
                if (slots[slot] != null) {
                    move(slot, free(count), decoder);
                }
                while (slots[last] == null || !decodes.test(slots[last])) {
                    last--;
                }
                move(last, slot, decoder);
            }
        }
        return count;
    }

    private void move(int from, int to, Decoder decoder) {
        decoder.move(from, to, slots[from].kept);
        slots[to] = slots[from];
        slots[from] = null;
    }
}
