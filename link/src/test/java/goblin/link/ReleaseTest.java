// SPDX-License-Identifier: Apache-2.0
package goblin.link;

import static org.assertj.core.api.Assertions.assertThat;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.AlphaChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

final class ReleaseTest {
    private static final String SCHEMA = "0123456789abcdef0123456789abcdef";

    @Test
    void shouldNameVersionSchemaAndCommitOfTheBuild() {
        final Release release = Release.current();

        assertThat(release.version()).matches("\\d+\\.\\d+\\.\\d+");
        assertThat(release.schema()).matches("[0-9a-f]{64}");
        assertThat(release.commit()).matches("unknown|[0-9a-f]{12,}");
        assertThat(release.text())
                .startsWith(release.version() + '+' + release.schema().substring(0, 8));
    }

    @Test
    void shouldTellADirtyBuildFromTheCleanOneOfTheSameCommit() {
        final Release clean = new Release("1.2.3", SCHEMA, "abc", "");
        final Release dirty = new Release("1.2.3", SCHEMA, "abc", "fedcba9876543210");

        assertThat(clean.text()).isEqualTo("1.2.3+01234567.abc");
        assertThat(dirty.text()).isEqualTo("1.2.3+01234567.abc-dirty.fedcba98");
    }

    @Property
    void shouldNeverHoldASpace(@ForAll @AlphaChars @StringLength(max = 12) final String commit) {
        assertThat(new Release("1.2.3", SCHEMA, commit, "").text()).doesNotContain(" ");
    }
}
