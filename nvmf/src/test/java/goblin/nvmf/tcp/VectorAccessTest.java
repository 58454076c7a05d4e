// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.tcp;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaConstructorCall;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import goblin.nvmf.namespace.BlockOperation;
import goblin.nvmf.target.Request;
import goblin.nvmf.target.RequestVector;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever works with a request's data works with its present vector, whichever that is, and only transports change it. */
class VectorAccessTest {
    private final JavaClasses classes = new ClassFileImporter()
            .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
            .importPackages("goblin.nvmf");

    @Test
    void shouldBeMadeLargerAndSmallerByTransportsOnly() {
        noClasses()
                .that()
                .resideOutsideOfPackage("goblin.nvmf.tcp..")
                .and()
                .doNotBelongToAnyOf(RequestVector.class)
                .should()
                .callMethodWhere(describe(
                        "it makes a vector larger or smaller",
                        (JavaMethodCall call) -> isOfVector(call)
                                && List.of("extend", "shrink", "append", "clear")
                                        .contains(call.getName())))
                .orShould()
                .callConstructorWhere(describe(
                        "it makes a vector",
                        (JavaConstructorCall call) -> call.getTargetOwner().isEquivalentTo(RequestVector.class)))
                .check(classes);
    }

    @Test
    void shouldBeReachedThroughTheRequestOnly() {
        // Nobody but a request keeps one: who did would not know when it grows.
        assertThat(classes.stream()
                        .filter(type -> type.getFields().stream()
                                .anyMatch(field -> field.getRawType().isEquivalentTo(RequestVector.class))))
                .extracting(type -> type.getSimpleName())
                .containsExactlyInAnyOrder("Request", "VectorWriter");
        assertThat(Arrays.stream(Request.class.getMethods())
                        .filter(method -> method.getReturnType() == RequestVector.class))
                .extracting(method -> method.getName())
                .containsExactly("vector");
    }

    @Test
    void shouldReachStorageInOnePlace() {
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.target\\.(IoCommands|RequestVector)")
                .should()
                .callMethod(RequestVector.class, "iovecs")
                .check(classes);
        noClasses()
                .that()
                .haveNameNotMatching(".*\\.target\\.(IoCommands|FusedCommands|SteppedCommands)")
                .should()
                .callMethodWhere(describe(
                        "it says where an operation's data is",
                        (JavaMethodCall call) -> call.getName().equals("memory")
                                && call.getTargetOwner().isAssignableTo(BlockOperation.class)))
                .check(classes);
        noClasses()
                .that()
                .resideInAPackage("goblin.nvmf.namespace..")
                .should()
                .dependOnClassesThat(type(RequestVector.class))
                .check(classes);
    }

    private static boolean isOfVector(final JavaMethodCall call) {
        return call.getTargetOwner().isEquivalentTo(RequestVector.class);
    }
}
