// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

/**
 * The arguments of one command, the command's name first, as bytes in native memory. Whoever implements it says how
 * long the addresses are valid.
 */
public interface Arguments {

    /**
     * How many arguments there are.
     *
     * @return the number, the command's name included; 0 for a command that asks for nothing
     */
    int argumentCount();

    /**
     * Where an argument's bytes begin.
     *
     * @param index 0 (the command's name) or more
     * @return a native address; it may point to nothing when the argument is empty
     */
    long argument(int index);

    /**
     * How long an argument is.
     *
     * @param index 0 (the command's name) or more
     * @return bytes, 0 or more
     */
    int argumentLength(int index);
}
