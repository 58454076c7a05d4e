// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import goblin.link.codecs.ErrorCode;
import goblin.link.codecs.KindCode;
import goblin.link.codecs.RoleCode;
import goblin.pubsub.Kind;

/** Our enumerations against their codes on the wire; unknown codes become null. */
final class Wire {
    private Wire() {}

    static KindCode code(final Kind kind) {
        return switch (kind) {
            case CHANNEL -> KindCode.CHANNEL;
            case PATTERN -> KindCode.PATTERN;
            case SHARD -> KindCode.SHARD;
        };
    }

    static Kind kind(final short code) {
        return switch (code) {
            case 1 -> Kind.CHANNEL;
            case 2 -> Kind.PATTERN;
            case 3 -> Kind.SHARD;
            default -> null;
        };
    }

    static RoleCode code(final LinkRole role) {
        return switch (role) {
            case AGGREGATE -> RoleCode.AGGREGATE;
            case PUBLISHER -> RoleCode.PUBLISHER;
        };
    }

    static LinkRole role(final short code) {
        return switch (code) {
            case 1 -> LinkRole.AGGREGATE;
            case 2 -> LinkRole.PUBLISHER;
            default -> null;
        };
    }

    static ErrorCode code(final LinkError error) {
        return switch (error) {
            case RELEASE_MISMATCH -> ErrorCode.RELEASE_MISMATCH;
            case EDGE_ID_IN_USE -> ErrorCode.EDGE_ID_IN_USE;
            case NO_AGGREGATE -> ErrorCode.NO_AGGREGATE;
            case NOT_ALLOWED -> ErrorCode.NOT_ALLOWED;
            case MALFORMED -> ErrorCode.MALFORMED;
            case OVERFLOW -> ErrorCode.OVERFLOW;
            case SHUTTING_DOWN -> ErrorCode.SHUTTING_DOWN;
            case INTERNAL -> ErrorCode.INTERNAL;
        };
    }

    static LinkError error(final short code) {
        return switch (code) {
            case 1 -> LinkError.RELEASE_MISMATCH;
            case 2 -> LinkError.EDGE_ID_IN_USE;
            case 3 -> LinkError.NO_AGGREGATE;
            case 4 -> LinkError.NOT_ALLOWED;
            case 5 -> LinkError.MALFORMED;
            case 6 -> LinkError.OVERFLOW;
            case 7 -> LinkError.SHUTTING_DOWN;
            case 8 -> LinkError.INTERNAL;
            default -> null;
        };
    }
}
