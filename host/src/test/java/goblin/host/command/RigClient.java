// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import goblin.net.NativeBuffer;
import goblin.net.linux.Memory;

/** A client of a {@link CommandRig}; replies are text with line ends as spaces, such as {@code *2 $1 a $1 b}. */
final class RigClient extends Client {
    private final CommandRig rig;
    private final NativeBuffer output = new NativeBuffer();
    private int held;

    RigClient(CommandRig rig, int id) {
        super(id, rig.nowMs, true);
        this.rig = rig;
        rig.server.clients().add(this);
    }

    /** Runs a command whose words hold no spaces and answers its reply. */
    String run(String line) {
        return call(line.split(" ", -1));
    }

    /** Runs a command and answers its reply. */
    String call(String... words) {
        rig.execute(this, words);
        return received();
    }

    /** What arrived since the last question. */
    String received() {
        String text = new String(Memory.toBytes(output.address(), (int) output.length()), ISO_8859_1);
        output.clear();
        return text.replace("\r\n", " ").strip();
    }

    /** The connection is gone. */
    void disconnect() {
        rig.server.forget(this);
    }

    /** Whether its input waits. */
    boolean isHeld() {
        return held > 0;
    }

    @Override
    protected NativeBuffer output() {
        return output;
    }

    @Override
    protected void outputLarge(byte[] bytes, int length) {
        output.append(bytes, 0, length);
    }

    @Override
    protected void pushNow(NativeBuffer frame) {
        output.append(frame.address(), frame.length());
    }

    @Override
    public void hold() {
        held++;
    }

    @Override
    public void release() {
        held--;
    }

    @Override
    public long pendingBytes() {
        return output.length();
    }

    @Override
    public long pendingInput() {
        return 0;
    }

    @Override
    public void closeAfterReply() {}

    @Override
    public void closeSoon(String reason) {}

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public String peerName() {
        return "rig";
    }

    @Override
    public String localName() {
        return "rig";
    }

    @Override
    public int descriptor() {
        return (int) id();
    }
}
