// SPDX-License-Identifier: Apache-2.0
// ioredis against the edge at port argv[2] and its host at port argv[3].
import assert from 'node:assert/strict';
import Redis from 'ioredis';
import { check, Inbox, once, until } from './checks.mjs';

const options = { host: '127.0.0.1', retryStrategy: null, connectionName: 'node', maxRetriesPerRequest: 0 };
const edge = () => new Redis({ ...options, port: Number(process.argv[2]) });
const host = new Redis({ ...options, port: Number(process.argv[3]) });
const redis = edge();

await check('connect', async () => {
    await once(redis, 'ready');
    await redis.flushall();
    assert.equal(await redis.client('GETNAME'), 'node');
    assert.match(await redis.client('LIST'), /lib-name=ioredis/);
});

await check('pipeline', async () => {
    const pipeline = redis.pipeline();
    for (let i = 0; i < 1000; i++) pipeline.incr('n');
    const results = await pipeline.exec();
    assert.deepEqual(results.at(-1), [null, 1000]);
});

await check('transaction', async () => {
    assert.deepEqual(await redis.multi().set('k', '1').incr('k').exec(), [[null, 'OK'], [null, 2]]);
    await redis.watch('k');
    await host.set('k', '9');
    assert.equal(await redis.multi().set('k', 'lost').exec(), null);
    assert.equal(await redis.get('k'), '9');
});

await check('blocking pop', async () => {
    const blocking = edge();
    const popped = blocking.blpop('L', 10);
    await until(async () => /blocked_clients:1/.test(await redis.info('clients')));
    await redis.rpush('L', 'v');
    assert.deepEqual(await popped, ['L', 'v']);
    blocking.disconnect();
});

await check('script', async () => {
    redis.defineCommand('twice', { numberOfKeys: 1, lua: 'return redis.call("incrby", KEYS[1], 2 * ARGV[1])' });
    assert.equal(await redis.twice('t', 4), 8);
    assert.equal(await redis.twice('t', 4), 16);
    await assert.rejects(redis.eval('return redis.error_reply("MY words")', 0), /MY words/);
});

await check('publish and subscribe', async () => {
    const subscriber = edge();
    const inbox = new Inbox();
    subscriber.on('message', (channel, message) => inbox.add(`message ${channel} ${message}`));
    subscriber.on('pmessage', (pattern, channel, message) => inbox.add(`pmessage ${pattern} ${channel} ${message}`));
    assert.equal(await subscriber.subscribe('prices', 'news'), 2);
    assert.equal(await subscriber.psubscribe('pri*'), 3);
    assert.equal(await redis.publish('prices', 'edge'), 2);
    assert.equal(await inbox.next(), 'message prices edge');
    assert.equal(await inbox.next(), 'pmessage pri* prices edge');
    assert.equal(await host.publish('news', 'host'), 1);
    assert.equal(await inbox.next(), 'message news host');
    await subscriber.unsubscribe('prices', 'news');
    await subscriber.punsubscribe('pri*');
    assert.equal(await redis.publish('prices', 'nobody'), 0);
    assert.equal(await subscriber.get('k'), '9');
    subscriber.disconnect();
});

await check('large value', async () => {
    const value = Buffer.alloc(20 << 20, 'pattern of some length');
    await redis.set('big', value);
    assert.ok(value.equals(await redis.getBuffer('big')));
    await redis.del('big');
});

redis.disconnect();
host.disconnect();
