// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.Arrays;
import java.util.Locale;

/** Why a target copied payload. */
enum CopyCause {
    /** A vector was at its limit. */
    LIMIT("nvmf_tcp_payload_copied_limit_bytes"),
    /** A vector got no memory to grow. */
    MEMORY("nvmf_tcp_payload_copied_memory_bytes"),
    /** Too much receive memory was pinned. */
    WATERMARK("nvmf_tcp_payload_copied_watermark_bytes"),
    /** It did not lie as the medium wants it: noticed when it was received, or by the medium. */
    ALIGNMENT("nvmf_tcp_payload_copied_alignment_bytes nvmf_payload_copied_alignment_bytes"),
    /** The target was told to copy. */
    ORDER("nvmf_tcp_payload_copied_by_order_bytes"),
    /** It came in so small a piece that the transport copied it. */
    SMALL("nvmf_tcp_payload_copied_small_bytes");

    private final String figures;

    CopyCause(final String figures) {
        this.figures = figures;
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    long bytes(final Figures counted) {
        return Arrays.stream(figures.split(" ")).mapToLong(counted::of).sum();
    }
}
