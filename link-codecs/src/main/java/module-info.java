// SPDX-License-Identifier: Apache-2.0

/** The generated SBE codecs of the link; the schema is in the {@code link} room. */
module goblin.link.codecs {
    requires transitive org.agrona;

    exports goblin.link.codecs;
}
