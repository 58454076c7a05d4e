// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import goblin.net.linux.Memory;
import java.io.ByteArrayOutputStream;
import java.util.Arrays;
import java.util.List;

/**
 * Target of a fuzzer: streams of PDUs, legal and not, to either side. Whatever the cuts, the reader finds the same, its
 * callbacks come in their order, and its memory is given back.
 */
public final class PduReaderFuzz {
    private static final StateCounts STATES = new StateCounts();
    private static final int MOST_PDUS = 40;

    private PduReaderFuzz() {}

    /** Called by the fuzzer for each input. */
    public static void fuzzerTestOneInput(final byte[] bytes) {
        final FuzzInput input = new FuzzInput(bytes);
        final int options = input.octet();
        final boolean headerDigest = (options & 1) != 0;
        final boolean dataDigest = (options & 2) != 0;
        final boolean toHost = (options & 4) != 0;
        final int alignment = (1 << (options >> 3 & 3)) - 1;
        final Feed feed = toHost ? Feed.toHost() : Feed.toController();
        feed.agreeing(headerDigest, dataDigest, alignment).waiting(options >> 6);
        final int cutting = input.octet();
        final byte[] stream =
                stream(input, new Pdus(headerDigest, dataDigest, alignment), toHost, (options & 0x20) == 0);

        final long before = Memory.allocatedBytes();
        final List<String> whole = feed.events(stream);
        final int[] cuts = new FuzzInput(new byte[] {(byte) cutting}).cuts(stream.length);
        final List<String> cut = feed.events(stream, STATES, cuts);
        if (!whole.equals(cut)) {
            throw new AssertionError("cut at " + Arrays.toString(cuts) + ": " + cut + " and not " + whole);
        }
        if (Memory.allocatedBytes() != before) {
            throw new AssertionError("memory was not given back");
        }
    }

    /** Called by the fuzzer at its end. */
    public static void fuzzerTearDown() {
        STATES.print("pdu-reader");
    }

    private static byte[] stream(
            final FuzzInput input, final Pdus pdus, final boolean toHost, final boolean opensWell) {
        final ByteArrayOutputStream out = new ByteArrayOutputStream();
        if (opensWell) {
            out.writeBytes(toHost ? Pdus.icResp() : Pdus.icReq());
        }
        for (int i = 0; i < MOST_PDUS && !input.isEmpty(); i++) {
            out.writeBytes(pdu(input, pdus, toHost));
        }
        return out.toByteArray();
    }

    private static byte[] pdu(final FuzzInput input, final Pdus pdus, final boolean toHost) {
        final int choice = input.octet();
        final byte[] pdu = switch (choice & 7) {
            case 0 -> input.take(input.octet());
            case 1 -> pdus.capsule(new byte[64], new byte[0]);
            case 2 -> pdus.capsule(Arrays.copyOf(input.take(4), 64), input.take(input.octet()));
            case 3 ->
                pdus.data(
                        toHost ? PduType.C2H_DATA : PduType.H2C_DATA,
                        input.octet() & (CommonHeader.LAST | CommonHeader.SUCCESS),
                        input.octet(),
                        input.octet(),
                        4L * input.octet(),
                        new byte[4 * (1 + input.octet())]);
            case 4 -> pdus.r2t(input.octet(), input.octet(), 0, input.octet());
            case 5 -> pdus.capsuleResp(input.take(16));
            case 6 ->
                Pdus.termReq(
                        toHost ? PduType.C2H_TERM_REQ : PduType.H2C_TERM_REQ,
                        input.octet(),
                        input.dword(),
                        new byte[input.octet() & 0x7F]);
            default -> toHost ? Pdus.icResp() : Pdus.icReq();
        };
        return (choice & 8) == 0 || pdu.length == 0 ? pdu : changed(input, pdus, pdu, (choice & 0x10) != 0);
    }

    /** Changes a byte or a 32-bit number; makes the header's digest right again if wanted. */
    private static byte[] changed(final FuzzInput input, final Pdus pdus, final byte[] pdu, final boolean resealed) {
        final int at = input.octet() % pdu.length;
        final byte[] changed = at + 4 <= pdu.length && at % 4 == 0 && input.octet() > 127
                ? Pdus.with32(pdu, at, input.dword())
                : Pdus.with(pdu, at, input.octet());
        return resealed ? pdus.resealed(changed) : changed;
    }
}
