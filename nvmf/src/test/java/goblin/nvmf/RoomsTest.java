// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import goblin.nvmf.initiator.Initiator;
import goblin.nvmf.target.Controller;
import goblin.nvmf.target.QueuePair;
import goblin.nvmf.target.Subsystem;
import goblin.nvmf.target.Target;
import goblin.nvmf.tcp.TcpTarget;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arrows of ARCHITECTURE.md, "The rooms" of the target. */
class RoomsTest {
    private static final String PROGRAMS = "goblin.nvmf";

    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("goblin.nvmf");

    /** What a package may know of the others, each named without {@code goblin.nvmf}. */
    @ParameterizedTest
    @CsvSource({
        "namespace, ''",
        "target, namespace",
        "tcp, target namespace",
        "initiator, tcp target",
        "perf, initiator tcp target",
    })
    void shouldKnowOnlyWhatItsArrowsSay(final String room, final String known) {
        final String[] unknown = Arrays.stream(new String[] {"namespace", "target", "tcp", "initiator", "perf"})
                .filter(other ->
                        !other.equals(room) && !Arrays.asList(known.split(" ")).contains(other))
                .map(other -> "goblin.nvmf." + other + "..")
                .toArray(String[]::new);
        noClasses()
                .that()
                .resideInAPackage("goblin.nvmf." + room + "..")
                .should()
                .dependOnClassesThat(resideInAnyPackage(unknown).or(resideInAPackage(PROGRAMS)))
                .check(classes);
    }

    @Test
    void shouldShareOnlyLayoutsBetweenTargetAndInitiator() {
        noClasses()
                .that()
                .resideInAnyPackage("goblin.nvmf.initiator..", "goblin.nvmf.perf..")
                .should()
                .dependOnClassesThat()
                .belongToAnyOf(TcpTarget.class, Target.class, Subsystem.class, Controller.class, QueuePair.class)
                .check(classes);
    }

    @Test
    void shouldStandOnTheNetworkAlone() {
        noClasses()
                .should()
                .dependOnClassesThat(
                        resideInAPackage("goblin..").and(not(resideInAnyPackage("goblin.nvmf..", "goblin.net.."))))
                .check(classes);
        assertThat(classes.contain(Initiator.class)).isTrue();
    }
}
