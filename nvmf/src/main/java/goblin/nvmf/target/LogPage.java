// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

/** The log pages there are (NVM Express Base specification 2.0, Get Log Page). */
enum LogPage {
    /** Which log pages there are. */
    SUPPORTED(0x00, true, true),
    /** Error Information. */
    ERRORS(0x01, true, true),
    /** SMART / Health Information. */
    SMART(0x02, true, false),
    /** Firmware Slot Information. */
    FIRMWARE(0x03, true, false),
    /** Changed Namespace List. */
    CHANGED_NAMESPACES(0x04, true, false),
    /** Commands Supported and Effects. */
    EFFECTS(0x05, true, false),
    /** Asymmetric Namespace Access. */
    ANA(0x0C, true, false),
    /** Discovery. */
    DISCOVERY(0x70, false, true);

    private static final LogPage[] ALL = values();

    private final int id;
    private final boolean onIo;
    private final boolean onDiscovery;

    LogPage(final int id, final boolean onIo, final boolean onDiscovery) {
        this.id = id;
        this.onIo = onIo;
        this.onDiscovery = onDiscovery;
    }

    int id() {
        return id;
    }

    /** Finds a log page; null when this kind of controller has none of that identifier. */
    static LogPage find(final int id, final boolean discovery) {
        for (final LogPage page : ALL) {
            if (page.id == id && (discovery ? page.onDiscovery : page.onIo)) {
                return page;
            }
        }
        return null;
    }
}
