// SPDX-License-Identifier: Apache-2.0
// What both clients' scripts share: named checks, each printed when it passed; the first failure ends the script.
import { once } from 'node:events';

export async function check(name, body) {
    await body();
    console.log(`passed ${name}`);
}

/** Collects what a callback is given, and hands it out in order. */
export class Inbox {
    #items = [];
    #waiting = [];

    add(item) {
        const waiter = this.#waiting.shift();
        if (waiter) waiter(item);
        else this.#items.push(item);
    }

    next() {
        if (this.#items.length > 0) return Promise.resolve(this.#items.shift());
        return new Promise((resolve) => this.#waiting.push(resolve));
    }
}

export async function until(condition) {
    while (!(await condition())) {
        await new Promise((resolve) => setImmediate(resolve));
    }
}

export { once };
