// SPDX-License-Identifier: Apache-2.0
package goblin.nvmf.target;

import static org.assertj.core.api.Assertions.assertThat;

import goblin.nvmf.namespace.HeldNamespace;
import goblin.nvmf.namespace.NamespaceException;
import goblin.nvmf.raw.SqeBuilder;
import java.util.ArrayList;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Asynchronous events (N36, N38)")
class EventsTest {
    private static final long NAMESPACE_EVENT = 0x04_00_02;
    private static final long ANA_EVENT = 0x0C_03_02;
    private static final long DISCOVERY_EVENT = 0x70_F0_02;

    private final Rig rig = new Rig();

    @AfterEach
    void close() {
        rig.close();
    }

    @Test
    void n36ShouldLetFourRequestsWaitAndRefuseTheFifth() {
        final MemoryTransport admin = rig.admin();
        final List<SentCommand> waiting = requests(admin, 4);

        assertThat(waiting).noneMatch(SentCommand::isReturned);
        assertThat(request(admin).code()).isEqualTo(Status.AER_LIMIT_EXCEEDED);
        assertThat(waiting).noneMatch(SentCommand::isReturned);
    }

    @Test
    void n36ShouldAbortAWaitingRequest() {
        final MemoryTransport admin = rig.admin();
        final List<SentCommand> waiting = requests(admin, 4);

        final SentCommand abort =
                admin.send(TargetQueueTest.abort(0, waiting.get(2).cid()));

        assertThat(abort.status()).isEqualTo(Status.SUCCESS);
        assertThat(abort.result() & 1).isZero();
        assertThat(waiting.get(2).status()).isEqualTo(Status.ABORTED_BY_REQUEST);
        assertThat(request(admin).isReturned()).as("the count went down").isFalse();
        assertThat(request(admin).code()).isEqualTo(Status.AER_LIMIT_EXCEEDED);
    }

    @Test
    void n38ShouldTellOfANewNamespaceAndOfItsGroup() throws NamespaceException {
        final MemoryTransport admin = rig.admin();
        final List<SentCommand> waiting = requests(admin, 4);
        final long before = rig.subsystem.anaChangeCount();

        rig.subsystem.addNamespace(2, new HeldNamespace(false), 1);
        rig.turn();

        assertThat(answered(waiting)).containsExactlyInAnyOrder(NAMESPACE_EVENT, ANA_EVENT);
        assertThat(rig.subsystem.anaChangeCount()).isEqualTo(before + 1);
        assertThat(Rig.controller(admin).changedNamespaces().count()).isEqualTo(1);
        assertThat(Rig.controller(admin).changedNamespaces().nsid(0)).isEqualTo(2);
    }

    @Test
    void shouldTellOfResizedAndRemovedNamespaces() throws NamespaceException {
        final HeldNamespace namespace = new HeldNamespace(false);
        rig.subsystem.addNamespace(1, namespace, 1);
        final MemoryTransport admin = rig.admin();
        final List<SentCommand> waiting = requests(admin, 4);

        rig.subsystem.resizeNamespace(1, 4096);
        rig.turn();
        assertThat(answered(waiting)).containsExactly(NAMESPACE_EVENT);

        Rig.controller(admin).logRead(0x04);
        assertThat(rig.subsystem.removeNamespace(1)).isSameAs(namespace);
        rig.turn();
        assertThat(answered(waiting)).containsExactly(NAMESPACE_EVENT, NAMESPACE_EVENT, ANA_EVENT);
        assertThat(namespace.isRetired()).isTrue();
    }

    @Test
    void shouldMaskAnEventUntilItsLogIsReadAndThenTellWhatHappenedMeanwhileOnce() throws NamespaceException {
        rig.subsystem.addNamespace(1, new HeldNamespace(false), 1);
        final MemoryTransport admin = rig.admin();
        final List<SentCommand> waiting = requests(admin, 4);

        rig.subsystem.resizeNamespace(1, 100);
        rig.subsystem.resizeNamespace(1, 200);
        rig.subsystem.resizeNamespace(1, 300);
        rig.turn();
        assertThat(answered(waiting)).hasSize(1);

        Rig.controller(admin).logRead(0x0C);
        assertThat(answered(waiting)).as("another log").hasSize(1);
        Rig.controller(admin).logRead(0x04);
        assertThat(answered(waiting)).hasSize(2);
        Rig.controller(admin).logRead(0x04);
        assertThat(answered(waiting)).hasSize(2);
    }

    @Test
    void shouldKeepAnEventUntilThereIsARequest() {
        final MemoryTransport admin = rig.admin();
        rig.subsystem.anaState(1, AnaState.INACCESSIBLE);
        rig.turn();

        final SentCommand request = request(admin);

        assertThat(request.result()).isEqualTo(ANA_EVENT);
    }

    @Test
    void shouldDropAnEventWhoseLogTheHostReadBeforeItWasTold() {
        final MemoryTransport admin = rig.admin();
        rig.subsystem.anaState(1, AnaState.INACCESSIBLE);
        rig.turn();

        Rig.controller(admin).logRead(0x0C);

        assertThat(request(admin).isReturned()).isFalse();
    }

    @Test
    void shouldTellOnlyWhatTheHostWantsToKnow() throws NamespaceException {
        final MemoryTransport admin = rig.admin();
        final List<SentCommand> waiting = requests(admin, 2);
        admin.send(SqeBuilder.opcode(0x09).dword(10, 0x0B).dword(11, 1 << 11));
        assertThat(admin.send(SqeBuilder.opcode(0x0A).dword(10, 0x0B)).result()).isEqualTo(1 << 11);

        rig.subsystem.addNamespace(0, new HeldNamespace(false), 3);
        rig.turn();

        assertThat(answered(waiting)).containsExactly(ANA_EVENT);
    }

    @Test
    void shouldTellDiscoveryHostsOfChangesOfTheirLogOnly() throws NamespaceException {
        final MemoryTransport admin = rig.admin(Nqn.DISCOVERY, 0);
        final List<SentCommand> waiting = requests(admin, 3);
        final long generation = rig.target.discoveryGeneration();

        rig.subsystem.addNamespace(0, new HeldNamespace(false), 1);
        rig.turn();
        assertThat(answered(waiting)).isEmpty();
        assertThat(rig.target.discoveryGeneration()).isEqualTo(generation);

        rig.target.addSubsystem(SubsystemOptions.named("nqn.2026-01.io.example:new"));
        rig.turn();
        assertThat(answered(waiting)).containsExactly(DISCOVERY_EVENT);
        assertThat(rig.target.discoveryGeneration()).isEqualTo(generation + 1);

        Rig.controller(admin).logRead(0x70);
        rig.target.removeSubsystem("nqn.2026-01.io.example:new");
        rig.turn();
        assertThat(answered(waiting)).containsExactly(DISCOVERY_EVENT, DISCOVERY_EVENT);
    }

    @Test
    void shouldTellEveryHost() {
        final MemoryTransport first = rig.admin();
        final MemoryTransport second = rig.admin();
        final SentCommand a = request(first);
        final SentCommand b = request(second);

        rig.subsystem.anaState(7, AnaState.CHANGE);
        rig.turn();

        assertThat(List.of(a.result(), b.result())).containsExactly(ANA_EVENT, ANA_EVENT);
        assertThat(rig.target.counters().get(TargetCounter.EVENTS)).isEqualTo(2);
    }

    @Property(tries = 200)
    void shouldNeverLoseAChangeNorTellItTwice(@ForAll @Size(max = 60) final List<@IntRange(max = 3) Integer> steps) {
        try (Rig own = new Rig()) {
            final MemoryTransport admin = own.admin();
            final Controller controller = Rig.controller(admin);
            final List<SentCommand> sent = new ArrayList<>();
            boolean told = false;
            boolean news = false;
            int expected = 0;
            int waiting = 0;
            for (final int step : steps) {
                switch (step) {
                    case 0 -> {
                        final SentCommand request = request(admin);
                        if (request.code() == Status.AER_LIMIT_EXCEEDED) {
                            assertThat(waiting).isEqualTo(4);
                        } else {
                            sent.add(request);
                            waiting++;
                        }
                    }
                    case 1, 2 -> {
                        news = true;
                        controller.events().raise(AsyncEvent.ANA_CHANGE);
                    }
                    default -> {
                        news &= told;
                        told = false;
                        controller.logRead(0x0C);
                    }
                }
                if (news && !told && waiting > 0) {
                    news = false;
                    told = true;
                    waiting--;
                    expected++;
                }
                assertThat(answered(sent)).hasSize(expected);
            }
        }
    }

    @Property(tries = 100)
    void shouldListChangedNamespacesOnceAndInOrder(
            @ForAll @Size(max = 40) final List<@IntRange(min = 1, max = 30) Integer> changes) {
        final ChangedNamespaces list = new ChangedNamespaces();
        changes.forEach(list::add);

        final List<Integer> listed = new ArrayList<>();
        for (int i = 0; i < list.count(); i++) {
            listed.add(list.nsid(i));
        }
        assertThat(listed)
                .containsExactlyElementsOf(changes.stream().distinct().sorted().toList());
    }

    @Test
    void shouldSayOnlyThatManyNamespacesChangedWhenTheListIsFull() {
        final ChangedNamespaces list = new ChangedNamespaces();
        for (int nsid = 1; nsid <= ChangedNamespaces.LIMIT; nsid++) {
            list.add(nsid);
        }
        assertThat(list.overflown()).isFalse();
        list.add(5000);
        assertThat(list.overflown()).isTrue();
        list.clear();
        assertThat(list.count()).isZero();
    }

    private static SentCommand request(final MemoryTransport admin) {
        return admin.send(SqeBuilder.opcode(0x0C));
    }

    private static List<SentCommand> requests(final MemoryTransport admin, final int count) {
        final List<SentCommand> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sent.add(request(admin));
        }
        return sent;
    }

    private static List<Long> answered(final List<SentCommand> sent) {
        return sent.stream()
                .filter(SentCommand::isAnswered)
                .filter(command -> command.status() == Status.SUCCESS)
                .map(Request::result)
                .toList();
    }
}
