// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** The events that hosts are told of; all are notices. */
enum AsyncEvent {
    /** A namespace was added, removed or resized. */
    NAMESPACE_ATTRIBUTE(0x00, 0x04, 8),
    /** The state of an ANA group, or which namespaces it has, changed. */
    ANA_CHANGE(0x03, 0x0C, 11),
    /** The discovery log changed. */
    DISCOVERY_LOG(0xF0, 0x70, 31);

    private static final int NOTICE = 2;

    final int result;
    final int logPage;
    /** In OAES and in the feature that turns events on and off. */
    final int configuration;

    AsyncEvent(final int information, final int logPage, final int configurationBit) {
        this.logPage = logPage;
        result = NOTICE | information << 8 | logPage << 16;
        configuration = 1 << configurationBit;
    }
}
