// SPDX-License-Identifier: Apache-2.0
// node-redis against the edge at port argv[2] and its host at port argv[3], in the RESP version argv[4].
import assert from 'node:assert/strict';
import { createClient, WatchError } from 'redis';
import { check, Inbox, until } from './checks.mjs';

const RESP = Number(process.argv[4]);
const open = async (port) => {
    const client = createClient({
        RESP,
        name: 'node',
        socket: { host: '127.0.0.1', port: Number(port), reconnectStrategy: false },
    });
    client.on('error', (error) => {
        console.error(error);
        process.exit(1);
    });
    return client.connect();
};
const redis = await open(process.argv[2]);
const host = await open(process.argv[3]);

await check('connect', async () => {
    await redis.flushAll();
    assert.equal(await redis.clientGetName(), 'node');
    assert.equal((await redis.clientInfo()).name, 'node');
    assert.match(await redis.sendCommand(['CLIENT', 'LIST']), /lib-name=node-redis/);
});

await check('pipeline', async () => {
    const answers = await Promise.all(Array.from({ length: 1000 }, () => redis.incr('n')));
    assert.equal(answers.at(-1), 1000);
});

await check('transaction', async () => {
    assert.deepEqual(await redis.multi().set('k', '1').incr('k').exec(), ['OK', 2]);
    await redis.watch('k');
    await host.set('k', '9');
    await assert.rejects(redis.multi().set('k', 'lost').exec(), WatchError);
    assert.equal(await redis.get('k'), '9');
});

await check('blocking pop', async () => {
    const blocking = await open(process.argv[2]);
    const popped = blocking.blPop('L', 10);
    await until(async () => /blocked_clients:1/.test(await redis.info('clients')));
    await redis.rPush('L', 'v');
    assert.deepEqual({ ...(await popped) }, { key: 'L', element: 'v' });
    blocking.destroy();
});

await check('script', async () => {
    assert.deepEqual(
        await redis.eval('return {KEYS[1], ARGV[1], 3}', { keys: ['k'], arguments: ['a'] }),
        ['k', 'a', 3],
    );
    await assert.rejects(redis.eval('return redis.error_reply("MY words")'), /MY words/);
});

await check('publish and subscribe', async () => {
    const subscriber = await open(process.argv[2]);
    const inbox = new Inbox();
    await subscriber.subscribe('prices', (message, channel) => inbox.add(`message ${channel} ${message}`));
    await subscriber.pSubscribe('pri*', (message, channel) => inbox.add(`pmessage ${channel} ${message}`));
    await subscriber.sSubscribe('prices', (message, channel) => inbox.add(`smessage ${channel} ${message}`));
    assert.equal(await redis.publish('prices', 'edge'), 2);
    assert.equal(await inbox.next(), 'message prices edge');
    assert.equal(await inbox.next(), 'pmessage prices edge');
    assert.equal(await redis.sPublish('prices', 'shard'), 1);
    assert.equal(await inbox.next(), 'smessage prices shard');
    assert.equal(await host.publish('prices', 'host'), 2);
    assert.equal(await inbox.next(), 'message prices host');
    assert.equal(await inbox.next(), 'pmessage prices host');
    await subscriber.unsubscribe();
    await subscriber.pUnsubscribe();
    await subscriber.sUnsubscribe('prices');
    assert.equal(await redis.publish('prices', 'nobody'), 0);
    assert.equal(String(await subscriber.get('k')), '9');
    subscriber.destroy();
});

await check('large value', async () => {
    const value = 'pattern of some length '.repeat(1 << 20);
    await redis.set('big', value);
    assert.ok(value === (await redis.get('big')));
    await redis.del('big');
});

redis.destroy();
host.destroy();
