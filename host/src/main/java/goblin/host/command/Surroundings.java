// SPDX-License-Identifier: Apache-2.0
package goblin.host.command;

import java.util.function.Consumer;

/** What the commands need from the program around them. */
public interface Surroundings {

    /**
     * Whether clients must authenticate.
     *
     * @return true with an authentication file
     */
    boolean authenticationRequired();

    /**
     * Verifies a password: at once when the pair was proven before, else later; the client is not read meanwhile.
     *
     * @param client   who asks
     * @param user     its name
     * @param password wiped in any case
     * @param later    called on the loop's thread when the answer is null now
     * @return the verdict, or null when it comes later
     */
    Verdict verify(Client client, byte[] user, byte[] password, Consumer<Verdict> later);

    /** What came of a verification. */
    enum Verdict {
        /** They match. */
        ACCEPTED,
        /** They do not, or there is no such user. */
        REFUSED,
        /** Too many wait to be verified. */
        BUSY,
        /** The check could not be made. */
        FAILED
    }

    /** Stops the program as on SIGTERM, after this command. */
    void shutDown();

    /**
     * Whether a script has run for longer than {@code busy-reply-threshold}.
     *
     * @return then only commands that are allowed while busy run
     */
    boolean isBusy();

    /**
     * A script begins to run. It runs at the end of a turn, never inside a callback of the transport.
     *
     * @param client whose script it is; not read until {@link #scriptEnds}
     */
    void scriptBegins(Client client);

    /**
     * Called every few milliseconds while a script runs: links are answered, and once the script counts as busy so are
     * clients.
     *
     * @return for how long it has run, in nanoseconds; negative when the program stops and the script must end
     */
    long scriptPolls();

    /**
     * The script has ended.
     *
     * @param client as given to {@link #scriptBegins}
     */
    void scriptEnds(Client client);

    /**
     * Writes a line to the log.
     *
     * @param line one line for people
     */
    void log(String line);

    /**
     * Adds sections to {@code INFO}.
     *
     * @param section lower-case name of the section asked for, or {@code all}
     * @param into    text so far; lines end with CR LF
     */
    void appendInfo(String section, StringBuilder into);

    /**
     * Stops executing commands of clients until a time.
     *
     * @param untilMs   milliseconds since 1970
     * @param onlyWrites whether reads go on
     */
    void pause(long untilMs, boolean onlyWrites);

    /** Ends {@link #pause}. */
    void unpause();

    /**
     * Our own release.
     *
     * @return ASCII text without spaces
     */
    String release();

    /**
     * Port for TCP clients.
     *
     * @return 0 when there is none
     */
    int tcpPort();
}
