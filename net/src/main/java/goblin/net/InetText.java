// SPDX-License-Identifier: Apache-2.0
package goblin.net;

import java.net.Inet6Address;
import java.net.InetAddress;

/** IP addresses as people write them; IPv6 as RFC 5952 wants it, in brackets: the longest run of zeros is left out. */
final class InetText {
    private static final int GROUPS = 8;

    private InetText() {}

    static String of(final InetAddress address) {
        if (!(address instanceof Inet6Address six)) {
            return address.getHostAddress();
        }
        final int[] groups = groups(six.getAddress());
        final int gap = longestRunOfZeros(groups);
        final int gapEnd = gap < 0 ? -1 : endOfZeros(groups, gap);
        final StringBuilder text = new StringBuilder("[");
        for (int i = 0; i < GROUPS; i++) {
            if (i == gap) {
                text.append("::");
                i = gapEnd - 1;
            } else {
                text.append(i == 0 || i == gapEnd ? "" : ":").append(Integer.toHexString(groups[i]));
            }
        }
        if (six.getScopeId() != 0) {
            text.append('%').append(six.getScopeId());
        }
        return text.append(']').toString();
    }

    private static int[] groups(final byte[] bytes) {
        final int[] groups = new int[GROUPS];
        for (int i = 0; i < GROUPS; i++) {
            groups[i] = ((bytes[2 * i] & 0xFF) << 8) | (bytes[2 * i + 1] & 0xFF);
        }
        return groups;
    }

    /** The first of the longest runs of at least two, or -1. */
    private static int longestRunOfZeros(final int[] groups) {
        int best = -1;
        int bestLength = 1;
        for (int i = 0; i < GROUPS; i++) {
            final int length = endOfZeros(groups, i) - i;
            if (length > bestLength) {
                best = i;
                bestLength = length;
            }
        }
        return best;
    }

    private static int endOfZeros(final int[] groups, final int from) {
        int end = from;
        while (end < GROUPS && groups[end] == 0) {
            end++;
        }
        return end;
    }
}
