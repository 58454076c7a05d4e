// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.raw;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Arrays;

/** The 1024 bytes that a Connect carries, right or wrong. */
public final class ConnectData {
    /** The host identity that is used where a test does not say another. */
    public static final String HOST_NQN = "nqn.2014-08.org.nvmexpress:uuid:3a1bb0fe-77f3-4f0e-9d3c-1d6f6c0f0a11";

    private static final int HOST_ID_BYTES = 16;
    private static final int NQN_BYTES = 256;

    private final byte[] bytes = new byte[1024];

    /** Connect data of our usual host. */
    public ConnectData(final String subsystem) {
        hostId(0x11).controllerId(0xFFFF).subsystem(subsystem).host(HOST_NQN);
    }

    /** Fills the host identifier. */
    public ConnectData hostId(final int filler) {
        Arrays.fill(bytes, 0, HOST_ID_BYTES, (byte) filler);
        return this;
    }

    /** Sets CNTLID. */
    public ConnectData controllerId(final int id) {
        RawPdu.little(bytes).putShort(16, (short) id);
        return this;
    }

    /** Sets SUBNQN, zeros behind it. */
    public ConnectData subsystem(final String nqn) {
        return name(256, nqn);
    }

    /** Sets HOSTNQN, zeros behind it. */
    public ConnectData host(final String nqn) {
        return name(512, nqn);
    }

    /** Fills bytes, a name that does not end for example. */
    public ConnectData fill(final int at, final int length, final int filler) {
        Arrays.fill(bytes, at, at + length, (byte) filler);
        return this;
    }

    private ConnectData name(final int at, final String nqn) {
        final byte[] name = nqn.getBytes(UTF_8);
        Arrays.fill(bytes, at, at + NQN_BYTES, (byte) 0);
        System.arraycopy(name, 0, bytes, at, name.length);
        return this;
    }

    /** The bytes, not a copy. */
    public byte[] bytes() {
        return bytes;
    }
}
