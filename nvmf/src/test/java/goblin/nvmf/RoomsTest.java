// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class RoomsTest {
    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("goblin.nvmf");

    @Test
    void shouldKeepTheTargetIgnorantOfItsTransport() {
        noClasses()
                .that()
                .resideInAPackage("goblin.nvmf.target..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("goblin.nvmf.tcp..", "goblin.nvmf.initiator..")
                .check(classes);
    }

    @Test
    void shouldKeepMediaIgnorantOfCommandsAndTransports() {
        noClasses()
                .that()
                .resideInAPackage("goblin.nvmf.namespace..")
                .should()
                .dependOnClassesThat()
                .resideInAnyPackage("goblin.nvmf.target..", "goblin.nvmf.tcp..", "goblin.nvmf.initiator..")
                .check(classes);
    }
}
