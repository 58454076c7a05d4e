// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.net.Iovec;
import goblin.net.linux.Memory;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

class VectorWriterTest {
    private static final int PAGE = 12_000;
    private static final byte STALE = 0x55;

    @Property(tries = 300)
    void shouldShowTheWindowAskedForWhateverThePiecesOfVectorAndPage(
            @ForAll @Size(min = 1, max = RequestVector.INLINE) final List<@IntRange(min = 1, max = 600) Integer> pieces,
            @ForAll @Size(max = 6) final List<@IntRange(max = VectorWriter.PART_BYTES) Integer> parts,
            @ForAll @IntRange(max = PAGE) final int offset) {
        final byte[] page = new byte[PAGE + PAGE + 6 * VectorWriter.PART_BYTES];
        final long iovecs = Memory.allocate((long) RequestVector.INLINE * Iovec.BYTES);
        final List<Long> memory = new ArrayList<>();
        try (VectorWriter writer = new VectorWriter()) {
            final RequestVector vector = new RequestVector(iovecs);
            for (final int piece : pieces) {
                final long address = Memory.allocate(piece + 1);
                Memory.fill(address, piece + 1, STALE);
                memory.add(address);
                vector.append(address, piece);
            }

            writer.open(vector, offset);
            int at = 0;
            byte next = 1;
            for (final int length : parts) {
                for (int i = 0; i < length; i++) {
                    page[at + i] = next;
                    Memory.putByte(writer.part() + i, next++);
                }
                writer.send(at, length);
                at += length;
            }

            int read = offset;
            for (int i = 0; i < pieces.size(); i++) {
                final int length = pieces.get(i);
                assertThat(Memory.equal(memory.get(i), page, read, length))
                        .as("piece %d", i)
                        .isTrue();
                assertThat(Memory.getByte(memory.get(i) + length)).isEqualTo(STALE);
                read += length;
            }
        } finally {
            memory.forEach(Memory::free);
            Memory.free(iovecs);
        }
    }
}
