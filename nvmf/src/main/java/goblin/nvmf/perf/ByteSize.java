// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.perf;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads sizes such as {@code 512}, {@code 4K}, {@code 1M}, {@code 2G}. */
public final class ByteSize implements ITypeConverter<Long> {
    private static final Pattern FORM = Pattern.compile("(\\d{1,12})([KMGT]?)");

    /** Makes a converter. */
    public ByteSize() {}

    @Override
    public Long convert(final String text) {
        final Matcher matcher = FORM.matcher(text.toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + text + "' is no size such as 512, 4K, 1M, 2G");
        }
        final int shift = 10 * " KMGT".indexOf(matcher.group(2).isEmpty() ? " " : matcher.group(2));
        try {
            return Math.multiplyExact(Long.parseLong(matcher.group(1)), 1L << shift);
        } catch (final ArithmeticException tooLarge) {
            throw new TypeConversionException("'" + text + "' is too large");
        }
    }
}
