// SPDX-License-Identifier: Apache-2.0
package goblin.edge;

import goblin.net.ListenOptions;
import goblin.net.NetException;
import goblin.net.Transport;
import goblin.net.linux.Errno;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;

/** A transport on a kernel where ports cannot be shared. */
final class TurnsOnly {
    private TurnsOnly() {}

    static Transport over(final Transport inner) {
        return (Transport) Proxy.newProxyInstance(
                Transport.class.getClassLoader(), new Class<?>[] {Transport.class}, (self, method, arguments) -> {
                    if (method.getName().equals("listen") && ((ListenOptions) arguments[1]).reusePort()) {
                        throw new NetException("cannot listen: no such option", Errno.EOPNOTSUPP);
                    }
                    try {
                        return method.invoke(inner, arguments);
                    } catch (final InvocationTargetException thrown) {
                        throw thrown.getCause();
                    }
                });
    }
}
