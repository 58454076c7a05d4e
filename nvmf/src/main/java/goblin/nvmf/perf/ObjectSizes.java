// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import goblin.nvmf.tcp.ReceiveOptions;
import goblin.nvmf.tcp.VectorMode;
import goblin.nvmf.tcp.VectorObjects;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.openjdk.jol.info.ClassLayout;

/**
 * How large one request and one vector of PDUs are, Java heap and native memory together.
 *
 * @param requestHeap   bytes on the Java heap of a request with its vector and its references to segments
 * @param requestNative bytes beside the heap
 * @param pduHeap       the same for a connection's vector of PDUs
 * @param pduNative     bytes beside the heap
 */
record ObjectSizes(long requestHeap, long requestNative, long pduHeap, long pduNative) {

    /**
     * Measures them.
     *
     * @param mode   how large vectors are
     * @param limit  the most entries
     * @param pieces how many pieces of data they have had
     */
    static ObjectSizes of(final VectorMode mode, final int limit, final int pieces) {
        final ReceiveOptions options =
                ReceiveOptions.DEFAULT.withMaxSegments(limit).withVectors(mode, ReceiveOptions.DEFAULT.retention());
        try (VectorObjects objects = new VectorObjects(options)) {
            objects.need(pieces);
            return new ObjectSizes(
                    heap(objects.request()),
                    objects.requestNativeBytes(),
                    heap(objects.pdu()),
                    objects.pduNativeBytes());
        }
    }

    long request() {
        return requestHeap + requestNative;
    }

    long pdu() {
        return pduHeap + pduNative;
    }

    private static long heap(final List<Object> objects) {
        // It does without the agents that it would otherwise attach, but says so where tables are printed.
        System.setProperty("jol.skipDynamicAttach", "true");
        System.setProperty("jol.skipHotspotSAAttach", "true");
        final PrintStream out = System.out;
        System.setOut(new PrintStream(OutputStream.nullOutputStream(), false, out.charset()));
        try {
            return objects.stream()
                    .mapToLong(object -> ClassLayout.parseInstance(object).instanceSize())
                    .sum();
        } finally {
            System.setOut(out);
        }
    }
}
