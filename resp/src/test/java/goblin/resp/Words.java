// SPDX-License-Identifier: Apache-2.0
package goblin.resp;

/** A command of a test. */
final class Words implements Arguments, AutoCloseable {
    private final NativeBytes[] words;

    Words(final String... words) {
        this.words = new NativeBytes[words.length];
        for (int i = 0; i < words.length; i++) {
            this.words[i] = NativeBytes.of(words[i]);
        }
    }

    @Override
    public int argumentCount() {
        return words.length;
    }

    @Override
    public long argument(final int index) {
        return words[index].address();
    }

    @Override
    public int argumentLength(final int index) {
        return words[index].length();
    }

    @Override
    public void close() {
        for (final NativeBytes word : words) {
            word.close();
        }
    }
}
