// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import goblin.nvmf.namespace.HeldNamespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.ConnectData;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SubsystemTest {
    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void shouldDeriveTheSerialNumberFromTheName() {
        final SubsystemOptions named = SubsystemOptions.named(Rig.NQN);

        assertThat(named.serial()).hasSize(20).isEqualTo(rig.subsystem.serial());
        assertThat(SubsystemOptions.named(Rig.NQN + "2").serial()).isNotEqualTo(named.serial());
    }

    @Test
    void shouldRefuseWhatHostsWouldNotUnderstand() {
        final SubsystemOptions good = SubsystemOptions.named(Rig.NQN);

        assertThatThrownBy(() -> SubsystemOptions.named("disk")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> good.withSerial("x".repeat(21))).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> good.withModel("ä")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> good.withControllers(0, 5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> good.withControllers(1, 65520)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> good.withControllers(9, 8)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rig.target.addSubsystem(good)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> rig.target.addSubsystem(SubsystemOptions.named(Nqn.DISCOVERY)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseAnIdentifierInUseOrOutOfRange() throws NamespaceException {
        rig.subsystem.addNamespace(3, new HeldNamespace(false), 1);

        for (final int nsid : new int[] {3, -1, NamespaceTable.MAX_NSID + 1}) {
            assertThatThrownBy(() -> rig.subsystem.addNamespace(nsid, new HeldNamespace(false), 1))
                    .isInstanceOf(NamespaceException.class);
        }
        assertThatThrownBy(() -> rig.subsystem.removeNamespace(4)).isInstanceOf(NamespaceException.class);
        assertThatThrownBy(() -> rig.subsystem.resizeNamespace(4, 1)).isInstanceOf(NamespaceException.class);
    }

    @Property(tries = 200)
    void shouldKeepNamespacesByIdentifier(@ForAll @Size(max = 40) final List<@IntRange(max = 12) Integer> steps)
            throws NamespaceException {
        final Target target = new Target(TargetOptions.DEFAULTS, line -> {});
        final Subsystem subsystem = target.addSubsystem(SubsystemOptions.named(Rig.NQN));
        final TreeSet<Integer> model = new TreeSet<>();
        for (final int nsid : steps) {
            if (model.remove(nsid)) {
                subsystem.removeNamespace(nsid);
            } else {
                final NamespaceEntry added = subsystem.addNamespace(nsid, new HeldNamespace(false), 2);
                if (nsid == 0) {
                    int lowest = 1;
                    while (model.contains(lowest)) {
                        lowest++;
                    }
                    assertThat(added.nsid()).isEqualTo(lowest);
                }
                model.add(added.nsid());
            }
            final NamespaceTable table = subsystem.namespaces();
            assertThat(table.count()).isEqualTo(model.size());
            assertThat(table.highestNsid()).isEqualTo(model.isEmpty() ? 0 : model.last());
            for (int i = -2; i < 60; i++) {
                assertThat(table.find(i) != null).isEqualTo(model.contains(i));
            }
        }
    }

    @Test
    void shouldShowTheStateOfTheGroupInEachOfItsNamespaces() throws NamespaceException {
        final NamespaceEntry a = rig.subsystem.addNamespace(0, new HeldNamespace(false), 4);
        final NamespaceEntry b = rig.subsystem.addNamespace(0, new HeldNamespace(false), 5);

        rig.subsystem.anaState(4, AnaState.INACCESSIBLE);

        assertThat(a.anaState()).isEqualTo(AnaState.INACCESSIBLE);
        assertThat(b.anaState()).isEqualTo(AnaState.OPTIMIZED);
        assertThat(rig.subsystem.anaGroups()).extracting(AnaGroup::id).containsExactly(4, 5);
        assertThatThrownBy(() -> rig.subsystem.anaState(0, AnaState.CHANGE))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldEndTheAssociationsOfAHostThatIsTakenOffTheList() {
        rig.subsystem.allowHost(ConnectData.HOST_NQN);
        rig.subsystem.allowAnyHost(false);
        final MemoryTransport admin = rig.admin();
        final MemoryTransport io = rig.io(rig.other, Rig.controller(admin), 1);

        rig.subsystem.denyHost("nqn.2026-01.io.example:somebody");
        rig.turn();
        assertThat(admin.isClosed()).isFalse();

        rig.subsystem.denyHost(ConnectData.HOST_NQN);
        rig.turn();
        assertThat(admin.isClosed()).isTrue();
        assertThat(io.isClosed()).isTrue();
        assertThat(rig.subsystem.controllers()).isEmpty();
    }

    @Test
    void shouldDrainAndTakeHostsAgain() {
        final MemoryTransport admin = rig.admin();
        rig.io(rig.other, Rig.controller(admin), 1);
        final List<String> done = new ArrayList<>();

        rig.subsystem.drain("restart", () -> done.add("done"));
        final SentCommand connect = Rig.connect(rig.open(), SqeBuilder.connect(0, 31, 0, 0), new ConnectData(Rig.NQN));
        assertThat(connect.status()).as("the host may try again").isEqualTo(Status.CONNECT_CONTROLLER_BUSY);
        assertThat(done).isEmpty();

        rig.turn();
        assertThat(done).containsExactly("done");
        assertThat(rig.subsystem.controllers()).isEmpty();
        assertThat(rig.log).anyMatch(line -> line.contains("restart"));

        rig.subsystem.resume();
        assertThat(Rig.controller(rig.admin())).isNotNull();
    }

    @Test
    void shouldBeDrainedAtOnceWithoutHosts() {
        final List<String> done = new ArrayList<>();

        rig.subsystem.drain("restart", () -> done.add("done"));

        assertThat(done).containsExactly("done");
    }

    @Test
    void n59ShouldCloseTheConnectionsOfASubsystemThatIsRemoved() {
        final MemoryTransport admin = rig.admin();
        final MemoryTransport io = rig.io(rig.other, Rig.controller(admin), 1);
        final MemoryTransport discovery = rig.admin(Nqn.DISCOVERY, 0);

        assertThat(rig.target.removeSubsystem(Rig.NQN)).isSameAs(rig.subsystem);
        rig.turn();

        assertThat(admin.isClosed()).isTrue();
        assertThat(io.isClosed()).isTrue();
        assertThat(discovery.isClosed()).isFalse();
        assertThat(rig.target.removeSubsystem(Rig.NQN)).isNull();
        assertThat(rig.target.addSubsystem(SubsystemOptions.named(Rig.NQN).withAnyHost()))
                .isNotSameAs(rig.subsystem);
        assertThat(Rig.controller(rig.admin())).isNotNull();
    }

    @Test
    void shouldRememberTheLastRefusalOfEachHostAndNotOfTooMany() {
        final Refusals refusals = new Refusals();
        for (int host = 0; host < 300; host++) {
            refusals.add("nqn.h" + host, Rig.NQN, "peer", RefusalReason.HOST_NOT_ALLOWED, "first");
        }
        refusals.add("nqn.h299", Rig.NQN, "peer", RefusalReason.QUEUE_SIZE, "second");

        assertThat(refusals.all()).hasSize(256);
        assertThat(refusals.of("nqn.h0")).isNull();
        assertThat(refusals.of("nqn.h299").text()).isEqualTo("second");
        assertThat(refusals.of("nqn.h299").count()).isEqualTo(2);
    }

    @Test
    void shouldLimitTheLinesOfEachKind() {
        final List<String> lines = new ArrayList<>();
        final RateLimitedLog log = new RateLimitedLog(lines::add);
        for (int i = 0; i < 100; i++) {
            log.line("a", "a" + i, 5);
        }
        log.line("b", "b", 6);
        log.line("a", "again", 1_000_000_005L);

        assertThat(lines).containsExactly("a0", "b", "again (and 99 more like it)");
    }

    @Test
    void shouldLimitLinesThatMatterToMany() {
        final List<String> lines = new ArrayList<>();
        final RateLimitedLog log = new RateLimitedLog(lines::add);
        for (int i = 0; i < 100; i++) {
            log.important("end", "ends " + i, 5);
        }
        log.important("end", "again", 1_000_000_005L);

        assertThat(lines).hasSize(65).contains("ends 0", "ends 63").endsWith("again (and 36 more like it)");
    }
}
